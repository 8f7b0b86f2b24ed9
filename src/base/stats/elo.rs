//! The difference in strength of two players on the Elo scale.

use super::frequencies::Frequencies;
use super::normal::{Z95, cumulative};

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

/// The 95% confidence interval of the mean score; `None` without results.
///
/// Equal results have no variance, which would make the interval empty. But if more than a
/// share q of all results were different, `count` equal results in a row would have a
/// probability below 2.5% (C. Clopper and E. Pearson, Biometrika 26, 1934). So the interval
/// extends as far as a share q of other results can move the mean.
pub fn score_interval<const K: usize>(results: &Frequencies<K>) -> Option<[f64; 2]> {
    let (score, variance) = (results.score()?, results.variance()?);
    let count = results.count() as f64;
    if results.0.iter().filter(|&&count| count > 0).count() == 1 {
        let others = 1.0 - 0.025f64.powf(1.0 / count);
        return Some([score * (1.0 - others), score + (1.0 - score) * others]);
    }
    let half = Z95 * (variance / count).sqrt();
    Some([(score - half).max(0.0), (score + half).min(1.0)])
}

/// The likelihood of superiority (LOS): the probability, given only the results,
/// that the player is the stronger one. 0.5 without results.
pub fn likelihood_of_superiority<const K: usize>(results: &Frequencies<K>) -> f64 {
    let (Some(score), Some(variance)) = (results.score(), results.variance()) else {
        return 0.5;
    };
    let count = results.count() as f64;
    if variance == 0.0 {
        // All results are equal, as in `score_interval`. The other player keeps half the
        // probability that a coin shows the same side `count` times.
        let chance = 0.5f64.powf(count + 1.0);
        return if score < 0.5 {
            chance
        } else if score > 0.5 {
            1.0 - chance
        } else {
            0.5
        };
    }
    cumulative((score - 0.5) / (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published values have two decimals, and were computed from counts.
    fn near(value: f64, published: f64) {
        assert!((value - published).abs() < 0.006, "{value} {published}");
    }

    /// Values of fastchess's own tests (app/tests/elo_test.cpp): counts of
    /// games lost, drawn, won.
    #[test]
    fn published_values_of_single_games() {
        let games = Frequencies([96, 111, 136]);
        let elo = estimate(&games).unwrap();
        near(elo.elo, 40.70);
        near(elo.error(), 30.43);
        near(likelihood_of_superiority(&games) * 100.0, 99.60);
        near(
            likelihood_of_superiority(&Frequencies([89, 123, 76])) * 100.0,
            15.53,
        );
    }

    /// As above: counts of pairs with 0 to 2 points.
    #[test]
    fn published_values_of_pairs() {
        for (pairs, elo, error) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95),
        ] {
            let estimate = estimate(&Frequencies(pairs)).unwrap();
            near(estimate.elo, elo);
            near(estimate.error(), error);
        }
        let pairs = Frequencies([332, 433, 457 + 41, 333, 334]);
        near(likelihood_of_superiority(&pairs) * 100.0, 5.05);
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
