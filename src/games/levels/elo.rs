//! The Elo of a level from its matches.

use std::ops::Add;

use crate::stats::{elo_of_score, win_interval};

/// The Elo of a level above another one, with its 95% interval: `elo` minus and plus `error`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevelElo {
    /// The difference between the two levels.
    pub elo: f64,
    /// Half of its 95% interval.
    pub error: f64,
}

impl LevelElo {
    /// The Elo of a level above itself.
    pub(super) const ZERO: Self = Self {
        elo: 0.0,
        error: 0.0,
    };

    /// The difference between two levels: the stronger one won `won` of `games` games.
    pub(super) fn step([won, games]: [u32; 2]) -> Self {
        let interval = win_interval(won.into(), games.into()).unwrap_or([0.0, 1.0]);
        let [low, high] = interval.map(elo_of_score);
        Self {
            elo: elo_of_score(f64::from(won) / f64::from(games)),
            error: (high - low) / 2.0,
        }
    }
}

/// The errors are independent, so their squares add up.
impl Add for LevelElo {
    type Output = Self;

    fn add(self, step: Self) -> Self {
        Self {
            elo: self.elo + step.elo,
            error: self.error.hypot(step.error),
        }
    }
}

/// The Elo above the first level: the sum of the differences between neighbouring levels.
/// Each match is given as the games won against the level below, and all games.
pub fn elo_above_first(matches: impl IntoIterator<Item = [u32; 2]>) -> LevelElo {
    let steps = matches.into_iter().map(LevelElo::step);
    steps.fold(LevelElo::ZERO, Add::add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up_and_errors_in_squares() {
        let step = elo_above_first([[300, 400]]);
        assert!((step.elo - 190.85).abs() < 0.01);
        assert!((step.error - 39.0).abs() < 1.0, "{step:?}");
        let two = elo_above_first([[300, 400]; 2]);
        assert_eq!(two.elo, 2.0 * step.elo);
        assert!((two.error - step.error * 2f64.sqrt()).abs() < 1e-9);
        assert_eq!(elo_above_first([]).error, 0.0);
    }
}
