//! The expected win share at a score.
//!
//! A score of 0 need not mean an even game: the mover may have an advantage that the
//! evaluation does not see. The worth of a level of height depends on the strength of the
//! players. So the two coefficients of the win share are fitted to the results of games by
//! logistic regression.

use crate::search::PROVED;
use crate::stats::logistic;

/// A logistic curve from the mover's score to the mover's win share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinShare {
    /// The log-odds of a win at score 0.
    pub to_move: f64,
    /// The log-odds that a level of height adds.
    pub level: f64,
}

impl WinShare {
    /// Fits the curve to results: pairs of an unproved score for the mover, in hundredths
    /// of a level, and whether the mover won. `None` if there are too few results, or if a
    /// higher score does not win more.
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

    /// The score at which the mover wins half the games, in hundredths of a level.
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
    fn uninformative_results_are_refused() {
        assert_eq!(WinShare::fit(&[]), None);
        assert_eq!(WinShare::fit(&[(50, true), (-50, false)]), None);
        // A higher score wins less.
        let upside_down = [(1, true), (2, true), (2, false), (3, false)];
        assert_eq!(WinShare::fit(&upside_down), None);
    }
}
