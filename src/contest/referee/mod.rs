//! The referee: one game between two programs, each answer judged.
//!
//! | to see or change | look at |
//! |---|---|
//! | a whole game, its outcome, observers | `game.rs` |
//! | the set-up: questions and legal placements; its time limit is that of all answers | `setup.rs` |
//! | single questions, with their answers judged | `single.rs` |
//! | the programs that play, deadlines, messages when one fails | `../program/` |
//! | whether a turn leads from one board to another, messages for broken rules | `src/games/verdict/` |
//! | options and commentary of `santorini referee` | `src/cli/referee.rs` |
//!
//! | to add | change |
//! |---|---|
//! | a way to lose a game | `../program/termination.rs`, where it is found (`game.rs`, `setup.rs`, `../program/process/`); its name in records and tables, `src/games/record/ending.rs`; `src/games/protocol/RULES.txt` |

mod game;
mod setup;
mod single;

pub use game::{GameOptions, GameOutcome, Observer, play};
