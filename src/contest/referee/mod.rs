//! The referee: one game between two programs, each answer judged.
//!
//! | to see or change | look at |
//! |---|---|
//! | a whole game, its outcome, observers | `game.rs` |
//! | the set-up: questions and legal placements | `setup.rs` |
//! | single questions, for play by hand | `single.rs` |
//! | the programs that play | `../program/` |
//! | whether a turn leads from one board to another | `../../games/verdict/` |

mod game;
mod setup;
mod single;

pub use game::{GameOptions, GameOutcome, Observer, play};
