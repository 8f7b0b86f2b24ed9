//! The difference in strength of two players on the Elo scale.

use super::frequencies::Frequencies;
use super::posterior::score_interval;

/// An Elo difference with its 95% confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Infinite if one player scored all points.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the number after "+-".
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The Elo difference for an expected score from 0 to 1; infinite at both ends.
pub fn elo_of_score(score: f64) -> f64 {
    // A factor of -400 would give an even score the Elo -0.
    0.0 - 400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// The expected score, 0 to 1, against a player who is `elo` weaker.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Estimates the Elo difference from results; `None` without results.
pub fn estimate<const K: usize>(results: &Frequencies<K>) -> Option<Estimate> {
    let score = results.score()?;
    let [low, high] = score_interval(results)?;
    Some(Estimate {
        elo: elo_of_score(score),
        low: elo_of_score(low),
        high: elo_of_score(high),
    })
}

#[cfg(test)]
mod tests {
    use super::super::normal::{Z95, cumulative};
    use super::super::posterior::likelihood_of_superiority;
    use super::*;

    /// Half the interval and the LOS as fastchess computes them, from a normal distribution.
    fn normal<const K: usize>(results: &Frequencies<K>) -> (f64, f64) {
        let (score, variance) = (results.score().unwrap(), results.variance().unwrap());
        let error = (variance / results.count() as f64).sqrt();
        let [low, high] = [-Z95, Z95].map(|z| elo_of_score(score + z * error));
        ((high - low) / 2.0, cumulative((score - 0.5) / error))
    }

    /// The published values have two decimals, and were computed from counts.
    fn near(value: f64, published: f64) {
        assert!((value - published).abs() < 0.006, "{value} {published}");
    }

    /// Checks the normal values of the mean and the variance, and that the values for samples
    /// of all sizes are close to them.
    fn compare<const K: usize>(
        counts: [u64; K],
        [elo, error]: [f64; 2],
        los: impl Into<Option<f64>>,
    ) {
        let results = Frequencies(counts);
        let (own, usual) = (estimate(&results).unwrap(), normal(&results));
        near(own.elo, elo);
        near(usual.0, error);
        assert!((own.error() / error - 1.0).abs() < 0.004, "{own:?}");
        if let Some(los) = los.into() {
            near(usual.1 * 100.0, los);
            let own = likelihood_of_superiority(&results) * 100.0;
            assert!((own - los).abs() < 0.05, "{own} {los}");
        }
    }

    /// Values of fastchess's own tests (app/tests/elo_test.cpp): counts of
    /// games lost, drawn, won.
    #[test]
    fn published_values_of_single_games() {
        compare([96, 111, 136], [40.70, 30.43], 99.60);
        near(normal(&Frequencies([89, 123, 76])).1 * 100.0, 15.53);
        let own = likelihood_of_superiority(&Frequencies([89, 123, 76])) * 100.0;
        assert!((own - 15.53).abs() < 0.05, "{own}");
    }

    /// As above: counts of pairs with 0 to 2 points.
    #[test]
    fn published_values_of_pairs() {
        compare([34, 54, 31 + 32, 64, 75], [55.58, 27.65], None);
        compare([332, 433, 457 + 41, 333, 334], [-8.64, 10.33], 5.05);
        compare([7895, 8757, 5485 + 200, 568, 9999], [-21.04, 2.95], None);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for (elo, score) in [(0.0, 0.5), (200.0, 0.759_747), (400.0, 10.0 / 11.0)] {
            assert!((score_of_elo(elo) - score).abs() < 1e-6);
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!(elo_of_score(0.5).is_sign_positive());
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn equal_results_still_have_an_interval() {
        // The two-sided 95% limit of Clopper and Pearson for 10 of 10 is 0.6915.
        let won = estimate(&Frequencies([0, 0, 10])).unwrap();
        assert_eq!([won.elo, won.high], [f64::INFINITY; 2]);
        assert!((score_of_elo(won.low) - 0.6915).abs() < 1e-4);
        let split = estimate(&Frequencies([0, 0, 10, 0, 0])).unwrap();
        assert_eq!(split.elo, 0.0);
        assert!(split.low < -50.0 && split.high > 50.0);
        assert!(likelihood_of_superiority(&Frequencies([0, 0, 10])) > 0.999);
        assert_eq!(
            likelihood_of_superiority(&Frequencies([0, 0, 4, 0, 0])),
            0.5
        );
        assert!(likelihood_of_superiority(&Frequencies([3, 0, 0])) < 0.1);
        assert_eq!(likelihood_of_superiority(&Frequencies::<3>::default()), 0.5);
        assert_eq!(estimate(&Frequencies::<3>::default()), None);
    }
}
