//! The referee: one game between two programs, each answer judged.
//!
//! | to see or change | look at |
//! |---|---|
//! | a whole game, what it leaves behind, who is told | `game.rs` |
//! | the set-up: questions and right placements | `setup.rs` |
//! | single questions, for playing by hand | `single.rs` |
//! | the programs that play | `../program/` |
//! | whether a board follows another by a turn, and why not | `../../games/verdict/` |

mod game;
mod setup;
mod single;

pub use game::{Board, GameOptions, GameOutcome, Observer, play};
