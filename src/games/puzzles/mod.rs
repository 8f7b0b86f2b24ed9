//! Puzzles: positions in which exactly one turn wins.
//!
//! Santorini has no draws, so in a puzzle every other turn loses. The engine finds
//! candidates; the prover, which uses only the rules, proves the win and the losses.
//!
//! | to see or change | look at |
//! |---|---|
//! | a puzzle and its text form | `puzzle.rs` |
//! | the proof that one turn wins and no other | `proof.rs` |
//! | finding puzzles in the boards of games | `find.rs` |
//! | games played to find puzzles in | `played.rs` |
//! | the built-in puzzles | `built_in.txt` and `built_in_6x6.txt`, made by the commands in their first lines |
//!
//! ```
//! let puzzle = &santorini::puzzles::built_in()[0];
//! assert!(puzzle.position.turns().contains(&puzzle.solution));
//! println!("{puzzle}");
//! ```

mod find;
mod played;
mod proof;
mod puzzle;

#[cfg(feature = "program")]
pub(crate) use find::safe_turns;
pub use find::{FindOptions, Finder};
pub use played::play_game;
pub use puzzle::{Puzzle, PuzzleError, built_in, built_in_six, parse_puzzles};
