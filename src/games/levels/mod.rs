//! Levels of strength, for whoever plays against this program: from 1, a
//! beginner, to 10, all that it can do.
//!
//! A level searches a number of nodes and then chooses among its best turns by
//! chance: a turn with a lower score is less likely. So it errs as people do, by
//! plausible turns. The lowest levels look at the boards after their own turn
//! only, and do not always look at what the opponent can answer.
//!
//! The same level, seed and position give the same turn on every machine,
//! whatever was asked before, unless the time for it is over sooner.
//!
//! | to see or change | look at |
//! |---|---|
//! | the numbers of the levels, and their Elo | `strength.rs` |
//! | what their Elo were measured with | `measured.rs` |
//! | the turn of a level | `player.rs` |
//! | a look at each turn without a search | `glance.rs` |
//! | where a level places its workers | `placing.rs` |
//! | the choice by chance | `choice.rs` |
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use santorini::levels::{Handicap, Level, LevelPlayer};
//! use santorini::rules::Position;
//! use santorini::search::EngineOptions;
//!
//! let position: Position<5> = "00000/00010/00000/00000/00000 b3d3 c2c4 1".parse()?;
//! let level: Level = "3".parse()?;
//! let handicap = Handicap { strength: level.strength(), seed: 1 };
//! let mut player = LevelPlayer::new(handicap, EngineOptions::default());
//! let turn = player.turn(&position, None, &AtomicBool::new(false));
//! assert!(position.turns().contains(&turn.expect("there is a turn")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod glance;
mod measured;
mod placing;
mod player;
mod strength;

pub use choice::choose;
pub use measured::measured_with;
pub use player::{Handicap, LevelPlayer};
pub use strength::{Level, LevelError, MEASURED_WITH, Strength};
