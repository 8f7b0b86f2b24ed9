//! Playing strengths for people, from level 1 (beginner) to full strength.
//!
//! A level searches a fixed number of nodes and then chooses among its best turns at
//! random: a turn with a lower score is less likely. So it errs like a person, with
//! plausible turns. The lowest levels only evaluate the boards after their own turns, and
//! overlook some of the opponent's wins and of their own.
//!
//! The same level, seed and position give the same turn on every machine, whatever was
//! searched before, unless time runs out first.
//!
//! | to see or change | look at |
//! |---|---|
//! | the levels: parameters, descriptions, measured games, and the engine that played them | `strength.rs` |
//! | the Elo of a level from its matches | `elo.rs` |
//! | the turn of a level | `player.rs` |
//! | scores of turns without a search | `one_ply.rs` |
//! | where a level places its workers | `placing.rs` |
//! | the random choice | `choice.rs` |
//!
//! | to add | change |
//! |---|---|
//! | a level | `TABLE` and `ABOUT` in `strength.rs`, with its neighbours, since the steps must be even; the number of levels in `README.txt`, `src/people/page/web/page.html` and `src/python/README.md`. Games saved in browsers keep the old number |
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
mod elo;
mod one_ply;
mod placing;
mod player;
mod strength;

pub use choice::choose;
pub use elo::{LevelElo, elo_above_first};
pub use player::{Handicap, LevelPlayer};
pub use strength::{FIRST_LEVEL, Level, LevelError, MEASURED_WITH, Strength, measured_with};
