//! The expected win share of a score.
//!
//! A score of 0 need not be an even game: the mover may have an advantage that
//! the evaluation does not see. And the worth of a level of height depends on how
//! well the players play. So games are played, and the two coefficients of the
//! win share are fitted to their results by logistic regression.

use crate::search::PROVED;
use crate::stats::logistic;

/// The logistic curve from the mover's score to the mover's win share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinShare {
    /// The log-odds of a win at score 0.
    pub to_move: f64,
    /// What a level of height adds to the log-odds.
    pub level: f64,
}

impl WinShare {
    /// Fits the curve to results: pairs of a score for the mover, in hundredths of
    /// a level and not proved, and whether the mover won. `None` if there are too
    /// few, or if a higher score does not win more.
    pub fn fit(results: &[(i32, bool)]) -> Option<Self> {
        let samples: Vec<([f64; 2], bool)> = results
            .iter()
            .map(|&(score, won)| ([1.0, f64::from(score) / 100.0], won))
            .collect();
        let [to_move, level] = logistic::fit(&samples)?.coefficients;
        (level > 0.0).then_some(Self { to_move, level })
    }

    /// The expected share of games that the mover wins, from 0 to 1.
    pub fn of(self, score: i32) -> f64 {
        let odds = self.to_move + self.level * f64::from(score) / 100.0;
        1.0 / (1.0 + (-odds).exp())
    }

    /// The score of a board from which the mover wins half of the games, in hundredths of
    /// a level.
    pub fn even_score(self) -> i32 {
        let even = (-100.0 * self.to_move / self.level).round();
        (even as i32).clamp(-PROVED, PROVED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_of_the_mover_is_seen() {
        // At score 0 the mover wins three of four; at -1 level one of four.
        let game = |score, won, times| std::iter::repeat_n((score, won), times);
        let results: Vec<(i32, bool)> = game(0, true, 30)
            .chain(game(0, false, 10))
            .chain(game(-100, true, 10))
            .chain(game(-100, false, 30))
            .collect();
        let share = WinShare::fit(&results).unwrap();
        assert!((share.of(0) - 0.75).abs() < 1e-6);
        assert!((share.of(-100) - 0.25).abs() < 1e-6);
        assert!((share.of(-50) - 0.5).abs() < 1e-6);
        assert_eq!(share.even_score(), -50);
    }

    #[test]
    fn results_that_say_nothing_are_refused() {
        assert_eq!(WinShare::fit(&[]), None);
        assert_eq!(WinShare::fit(&[(50, true), (-50, false)]), None);
        // The higher the score the fewer wins: no score to go by.
        let upside_down = [(1, true), (2, true), (2, false), (3, false)];
        assert_eq!(WinShare::fit(&upside_down), None);
    }
}
