//! The options of commands that play at a level of strength.

use crate::levels::{Handicap, Level};
use crate::seeds::fresh_seed;

/// A level, and the seed of its choices.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct LevelArgs {
    /// Play at this level, from 1 (beginner) to 10 (full strength). Levels below 10
    /// use a small part of the time.
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// The seed of the random choices of a level. The same seed gives the same turns;
    /// without one, games differ.
    #[arg(long, value_name = "N", requires = "level")]
    seed: Option<u64>,
}

impl LevelArgs {
    /// The limit of strength; `None` is full strength.
    pub(super) fn handicap(self) -> Option<Handicap> {
        handicap(self.level?, self.seed)
    }
}

/// The limit of strength of a level, with this seed or any; `None` is full
/// strength.
pub(super) fn handicap(level: Level, seed: Option<u64>) -> Option<Handicap> {
    (level < Level::HIGHEST).then(|| Handicap {
        strength: level.strength(),
        seed: seed.unwrap_or_else(fresh_seed),
    })
}
