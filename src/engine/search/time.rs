//! Time management: a search ends early if its best turn is stable. Otherwise it uses all
//! its time, which cannot be saved for later turns.

use crate::rules::Turn;

use super::report::Report;

/// A larger drop of the score, in hundredths of a level, makes a search unstable.
const SCORE_DROP: i32 = 25;
/// A search is stable after this many iterations with the same best turn.
const STABLE_AFTER: u32 = 8;
/// The share of the time that a stable search uses.
const STABLE_SHARE: f64 = 0.75;

/// Tracks the stability of one search over its iterations.
#[derive(Debug, Default)]
pub(super) struct TimeManager {
    best: Option<Turn>,
    score: i32,
    /// The iterations since the best turn last changed.
    unchanged: u32,
}

impl TimeManager {
    /// Records an iteration. Returns the share of the time after which no further iteration
    /// starts.
    pub(super) fn update(&mut self, report: &Report) -> f64 {
        let dropped = report.score() < self.score - SCORE_DROP;
        if report.turn() == self.best {
            self.unchanged += 1;
        } else {
            self.unchanged = 0;
        }
        self.best = report.turn();
        self.score = report.score();
        if self.unchanged >= STABLE_AFTER && !dropped {
            STABLE_SHARE
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Line;
    use super::*;
    use crate::rules::{Position, Turn};

    fn report(turn: Turn, score: i32) -> Report {
        let turns = vec![turn];
        Report {
            lines: vec![Line { score, turns }],
            ..Report::default()
        }
    }

    #[test]
    fn a_stable_search_uses_less_time() {
        let start: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let turns = start.turns();
        let mut time_manager = TimeManager::default();
        let mut share_after = |turn: usize, score| time_manager.update(&report(turns[turn], score));
        for _ in 0..STABLE_AFTER {
            assert_eq!(share_after(0, 0), 1.0);
        }
        assert_eq!(share_after(0, 0), STABLE_SHARE);
        assert_eq!(share_after(0, -SCORE_DROP), STABLE_SHARE);
        assert_eq!(
            share_after(0, -2 * SCORE_DROP - 1),
            1.0,
            "the score dropped"
        );
        assert_eq!(share_after(0, -2 * SCORE_DROP - 1), STABLE_SHARE);
        for _ in 0..STABLE_AFTER {
            assert_eq!(share_after(1, 0), 1.0, "another turn");
        }
        assert_eq!(share_after(1, 0), STABLE_SHARE);
    }
}
