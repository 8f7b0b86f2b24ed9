//! The options of commands that play at a level of strength.

use std::fmt::Write;

use crate::levels::{FIRST_LEVEL, Handicap, Level, MEASURED_WITH};
use crate::seeds::fresh_seed;

/// A level, and the seed of its choices.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct LevelArgs {
    /// Play at this level. Level 1 is for beginners, the highest is full strength; the
    /// others use a small part of the time. --help lists them with their Elo.
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

/// The limit of strength of a level, with this seed or a fresh one; `None` is full
/// strength.
pub(super) fn handicap(level: Level, seed: Option<u64>) -> Option<Handicap> {
    (level < Level::HIGHEST).then(|| Handicap {
        strength: level.strength(),
        seed: seed.unwrap_or_else(fresh_seed),
    })
}

/// Help text on the levels, followed by `more`.
pub(super) fn levels_help(more: &str) -> String {
    let mut text = "Levels, with their Elo above level 1 (95% intervals):\n".to_string();
    for level in Level::all() {
        let elo = level.elo();
        let elo = match level == Level::LOWEST {
            true => "0".into(),
            false => format!("{:.0} +- {:.0}", elo.elo, elo.error),
        };
        let _ = writeln!(text, "  {level:>2}  {elo:<12}  {}", level.about());
    }
    let shares = FIRST_LEVEL.map(|(_, [won, games])| 100.0 * f64::from(won) / f64::from(games));
    let [random, climbs, _, careful] = shares;
    let _ = write!(
        text,
        "Level 1 wins {random:.0}% of its games against random turns, {climbs:.0}% against a simulated\n\
         beginner that climbs when it can, and {careful:.0}% against one that also blocks all\n\
         threats. Measured in the base game by `santorini lab levels` with\n\
         {MEASURED_WITH}.\n\n{more}"
    );
    text
}
