//! How much of the time a position deserves: all of it, since what is left of
//! the time for an answer is lost, but less when the search has long been sure.

use crate::rules::Turn;

use super::engine::Report;

/// A fall of the score, in hundredths of a level, from which on the search is
/// unsure.
const FALL: i32 = 25;
/// The iterations in a row with the same best turn after which the search is
/// sure unless the score falls, and the share of the time that it then takes.
const SURE_AFTER: u32 = 8;
const SURE: f64 = 0.75;

/// Watches the iterations of one search.
#[derive(Debug, Default)]
pub struct Patience {
    best: Option<Turn>,
    score: i32,
    /// The iterations since the best turn last changed.
    unchanged: u32,
}

impl Patience {
    /// Takes note of a completed iteration; returns the share of the time
    /// after which no other is worth beginning.
    pub fn share_after(&mut self, report: &Report) -> f64 {
        let fell = report.score() < self.score - FALL;
        if report.turn() == self.best {
            self.unchanged += 1;
        } else {
            self.unchanged = 0;
        }
        self.best = report.turn();
        self.score = report.score();
        if self.unchanged >= SURE_AFTER && !fell {
            SURE
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Line;
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
    fn certainty_saves_time_and_doubt_does_not() {
        let start: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let turns = start.turns();
        let mut patience = Patience::default();
        let mut sure_after = |turn: usize, score| patience.share_after(&report(turns[turn], score));
        for _ in 0..SURE_AFTER {
            assert_eq!(sure_after(0, 0), 1.0);
        }
        assert_eq!(sure_after(0, 0), SURE);
        assert_eq!(sure_after(0, -FALL), SURE);
        assert_eq!(sure_after(0, -2 * FALL - 1), 1.0, "the score fell");
        assert_eq!(sure_after(0, -2 * FALL - 1), SURE);
        for _ in 0..SURE_AFTER {
            assert_eq!(sure_after(1, 0), 1.0, "another turn");
        }
        assert_eq!(sure_after(1, 0), SURE);
    }
}
