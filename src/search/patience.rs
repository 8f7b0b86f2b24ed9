//! How much of the time a position deserves: more while the search changes
//! its mind, less when it has long been sure.

use crate::rules::Turn;

use super::engine::Report;

/// The share of the soft limit after an iteration that changed the best turn
/// or found it worse than thought. It takes the soft limit to the hard one.
const UNSURE: f64 = 1.6;
/// A fall of the score, in hundredths of a level, from which on the search is
/// unsure.
const FALL: i32 = 25;
/// The iterations in a row with the same best turn after which the search is
/// sure, and the share of the soft limit that it then takes.
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
    /// Takes note of a completed iteration; returns the share of the soft
    /// limit that the search may use.
    pub fn share_after(&mut self, report: &Report) -> f64 {
        let fell = report.score() < self.score - FALL;
        if report.turn() == self.best {
            self.unchanged += 1;
        } else {
            self.unchanged = 0;
        }
        self.best = report.turn();
        self.score = report.score();
        match self.unchanged {
            _ if fell => UNSURE,
            0 => UNSURE,
            SURE_AFTER.. => SURE,
            _ => 1.0,
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
    fn doubt_takes_time_and_certainty_saves_it() {
        let start: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let turns = start.turns();
        let mut patience = Patience::default();
        assert_eq!(patience.share_after(&report(turns[0], 10)), UNSURE);
        assert_eq!(patience.share_after(&report(turns[0], 0)), 1.0);
        assert_eq!(patience.share_after(&report(turns[0], -FALL - 1)), UNSURE);
        assert_eq!(patience.share_after(&report(turns[1], 0)), UNSURE);
        for _ in 1..SURE_AFTER {
            assert_eq!(patience.share_after(&report(turns[1], 0)), 1.0);
        }
        assert_eq!(patience.share_after(&report(turns[1], 0)), SURE);
    }
}
