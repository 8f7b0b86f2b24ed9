//! The distribution of the expected score, given results: its 95% interval, and the
//! likelihood of superiority.
//!
//! Each probability of a result has a Dirichlet posterior: its weights are the counts, plus
//! one half for the lowest and for the highest result. This is the Bayesian bootstrap of
//! D. Rubin (Annals of Statistics 9, 1981). For games that are won or lost it is the
//! posterior of H. Jeffreys, whose interval keeps its probability also for few games and
//! lopsided results (L. Brown, T. Cai and A. DasGupta, "Interval Estimation for a Binomial
//! Proportion", Statistical Science 16, 2001). A better result never lowers a quantile. The
//! quantiles are approximate: for won and lost games, the probability below them is within
//! 0.0008 of the exact one.
//!
//! Equal results do not show how large the share of other results is. If it were above q,
//! `count` equal results in a row would have a probability below 2.5% (C. Clopper and E.
//! Pearson, Biometrika 26, 1934). So an interval extends at least as far as a share q of
//! other results can move the mean. Brown, Cai and DasGupta modify the interval of Jeffreys
//! in the same way. For large samples this is the usual interval: 1.96 standard errors.

use super::frequencies::Frequencies;
use super::normal::{Z95, cumulative};
use super::sprt::tilt;

/// The weight of the lowest and of the highest result before any results.
const PRIOR: f64 = 0.5;

/// Signed roots below this are computed by their limit, since the correction divides by them.
const SMALL: f64 = 1e-3;

/// The 95% confidence interval of the expected score, from 0 to 1; `None` without results.
pub fn score_interval<const K: usize>(results: &Frequencies<K>) -> Option<[f64; 2]> {
    let score = results.score()?;
    let equal = 0.025f64.powf(1.0 / results.count() as f64);
    let weights = weights(results);
    Some([
        quantile(&weights, Z95).min(score * equal),
        quantile(&weights, -Z95).max(1.0 - (1.0 - score) * equal),
    ])
}

/// The 95% confidence interval of the probability of a win, for games without draws; `None`
/// without games.
pub fn win_interval(wins: u64, games: u64) -> Option<[f64; 2]> {
    score_interval(&Frequencies([games - wins, 0, wins]))
}

/// The likelihood of superiority (LOS): the probability, given only the results,
/// that the player is the stronger one. 0.5 without results.
///
/// As for the interval, `count` equal results in a row may be chance: the other player keeps
/// at least half the probability of such a row between equally strong players.
pub fn likelihood_of_superiority<const K: usize>(results: &Frequencies<K>) -> f64 {
    let Some(score) = results.score() else {
        return 0.5;
    };
    let chance = (0.5 / score.max(1.0 - score)).powf(results.count() as f64) / 2.0;
    let equal = if score < 0.5 { chance } else { 1.0 - chance };
    let posterior = cumulative(deviations_above(&weights(results), 0.5));
    // The one nearer to 0.5; 0.5 itself if they disagree about who is stronger.
    let [least, most] = [posterior.min(equal), posterior.max(equal)];
    0.5f64.clamp(least, most)
}

/// The weights of the posterior.
fn weights<const K: usize>(results: &Frequencies<K>) -> [f64; K] {
    let mut weights = results.0.map(|count| count as f64);
    weights[0] += PRIOR;
    weights[K - 1] += PRIOR;
    weights
}

/// The number of bisections of the scores: they leave a range of less than 1e-18.
const BISECTIONS: usize = 60;

/// The score that the expected score exceeds with the probability of a normal variable below
/// `z`.
fn quantile<const K: usize>(weights: &[f64; K], z: f64) -> f64 {
    let [mut from, mut to] = [0.0, 1.0];
    for _ in 0..BISECTIONS {
        let score = (from + to) / 2.0;
        if deviations_above(weights, score) > z {
            from = score;
        } else {
            to = score;
        }
    }
    (from + to) / 2.0
}

/// How far the expected score lies above `score`, 0 to 1, in standard deviations: a normal
/// variable is below this number with the probability that the expected score is above
/// `score`.
///
/// The expected score is a sum of gamma variables over their total. So this is the
/// saddlepoint approximation for a sum of gamma variables, in the form of O.
/// Barndorff-Nielsen (Biometrika 73, 1986): r + ln(q / r) / r, where r is the signed root of
/// the log-likelihood ratio of the sequential test.
fn deviations_above<const K: usize>(weights: &[f64; K], score: f64) -> f64 {
    let apart: [f64; K] = std::array::from_fn(|i| Frequencies::<K>::share(i) - score);
    let x = tilt(weights, &apart);
    let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
        let terms = weights.iter().zip(&apart);
        terms.map(|(weight, &apart)| weight * term(apart)).sum()
    };
    let ratio = 2.0 * sum(&|apart| (x * apart).ln_1p());
    let root = ratio.max(0.0).sqrt().copysign(x);
    if root.abs() < SMALL {
        let [square, cube] = [2, 3].map(|power| sum(&|apart| apart.powi(power)));
        return root - cube / (3.0 * square.powf(1.5));
    }
    let curvature = sum(&|apart| (apart / (1.0 + x * apart)).powi(2));
    root + (x * curvature.sqrt() / root).ln() / root
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::RngExt;

    use super::*;
    use crate::seeds::seeded;
    use crate::stats::{PairCounts, score_of_elo};

    fn interval<const K: usize>(counts: [u64; K]) -> [f64; 2] {
        score_interval(&Frequencies(counts)).unwrap()
    }

    fn los<const K: usize>(counts: [u64; K]) -> f64 {
        likelihood_of_superiority(&Frequencies(counts))
    }

    /// All counts of this many pairs.
    fn all_counts(pairs: u64) -> Vec<[u64; 5]> {
        let mut all = Vec::new();
        for a in 0..=pairs {
            for b in 0..=pairs - a {
                for c in 0..=pairs - a - b {
                    for d in 0..=pairs - a - b - c {
                        all.push([a, b, c, d, pairs - a - b - c - d]);
                    }
                }
            }
        }
        all
    }

    /// The posterior of won and lost games is a beta distribution. Integrates its density,
    /// with x = sin² to remove the poles.
    #[test]
    fn win_intervals_are_quantiles_of_the_beta_distribution() {
        for [won, lost] in [[1, 1], [1, 4], [19, 1], [20, 2], [60, 40], [380, 20]] {
            let density = |angle: f64| {
                let (sin, cos) = angle.sin_cos();
                sin.powi(2 * won) * cos.powi(2 * lost)
            };
            let steps = 20_000;
            let step = std::f64::consts::FRAC_PI_2 / f64::from(steps);
            let below = |score: f64| {
                let points = (0..steps).map(|i| (f64::from(i) + 0.5) * step);
                let below = points.filter(|angle| angle.sin().powi(2) < score);
                below.map(density).sum::<f64>()
            };
            let [low, high] = win_interval(won as u64, (won + lost) as u64).unwrap();
            let all = below(2.0);
            for (score, share) in [(low, 0.025), (high, 0.975)] {
                let found = below(score) / all;
                assert!((found - share).abs() < 8e-4, "{won}-{lost}: {found}");
            }
            let stronger = 1.0 - below(0.5) / all;
            let found = los([lost as u64, 0, won as u64]);
            assert!((found - stronger).abs() < 1e-3, "{won}-{lost}: {found}");
        }
    }

    #[test]
    fn equal_results_have_the_interval_of_clopper_and_pearson() {
        for (games, low) in [(4, 0.3976), (6, 0.5407), (10, 0.6915), (20, 0.8316)] {
            let won = win_interval(games, games).unwrap();
            assert!((won[0] - low).abs() < 1e-4 && won[1] == 1.0, "{won:?}");
            let lost = win_interval(0, games).unwrap();
            assert!((lost[1] - 1.0 + low).abs() < 1e-4 && lost[0] == 0.0);
            let split = interval([0, 0, games, 0, 0]);
            assert!(
                (split[0] - low / 2.0).abs() < 1e-4 && (split[0] + split[1] - 1.0).abs() < 1e-12
            );
            let rest = 0.5f64.powf(games as f64) / 2.0;
            assert_eq!(los([0, 0, games]), 1.0 - rest);
        }
        assert_eq!(los([0, 0, 4, 0, 0]), 0.5);
        assert_eq!((win_interval(0, 0), los([0; 3])), (None, 0.5));
    }

    #[test]
    fn a_better_result_never_lowers_a_bound() {
        for pairs in 1..=8 {
            let all = all_counts(pairs).into_iter();
            let all: HashMap<_, _> = all
                .map(|counts| (counts, (interval(counts), los(counts))))
                .collect();
            for (counts, ([low, high], stronger)) in &all {
                let score = Frequencies(*counts).score().unwrap();
                assert!(*low <= score && score <= *high, "{counts:?} {low} {high}");
                assert_eq!((*low == 0.0, *high == 1.0), (score == 0.0, score == 1.0));
                for from in (0..4).filter(|&from| counts[from] > 0) {
                    let mut better = *counts;
                    better[from] -= 1;
                    better[from + 1] += 1;
                    let ([least, most], more) = &all[&better];
                    let risen = least >= low && most >= high && more >= stronger;
                    assert!(
                        risen,
                        "{counts:?} {low} {high} {stronger}, {better:?} {least} {most} {more}"
                    );
                }
            }
        }
    }

    #[test]
    fn results_and_players_swap() {
        for counts in [[0, 0, 1, 0, 5], [3, 1, 0, 2, 9], [0, 0, 7, 1, 0]] {
            let [low, high] = interval(counts);
            let other = Frequencies(counts).reversed();
            let [least, most] = score_interval(&other).unwrap();
            assert!((low + most - 1.0).abs() < 1e-9 && (high + least - 1.0).abs() < 1e-9);
            assert!((los(counts) + likelihood_of_superiority(&other) - 1.0).abs() < 1e-9);
        }
    }

    /// Balanced samples keep the usual width: 1.96 standard errors on both sides.
    #[test]
    fn larger_samples_have_the_usual_interval() {
        for (pairs, most) in [
            ([2, 4, 8, 4, 2], 0.02),
            ([5, 10, 20, 10, 5], 0.02),
            ([10, 0, 20, 0, 10], 0.02),
            ([332, 433, 498, 333, 334], 0.001),
            ([7895, 8757, 5685, 568, 9999], 0.0002),
        ] {
            let results = Frequencies(pairs);
            let error = (results.variance().unwrap() / results.count() as f64).sqrt();
            let [low, high] = interval(pairs);
            let width = (high - low) / (2.0 * Z95 * error);
            assert!((width - 1.0).abs() < most, "{pairs:?}: {width}");
            let z = (results.score().unwrap() - 0.5) / error;
            assert!((los(pairs) - cumulative(z)).abs() < most, "{pairs:?}");
        }
        // The largest counts that the command takes.
        let [low, high] = interval([0, 1_000_000_000_000, 0, 1_000_000_000_000, 0]);
        assert!((high - low) * 1e6 / Z95 - 0.5f64.sqrt() / 2.0 < 1e-3 && low < 0.5);
    }

    /// The share of 4000 simulated matches whose interval contains the true score. 1.5
    /// standard deviations of chance are 0.5%.
    #[test]
    fn intervals_contain_the_true_score() {
        let mut random = seeded(1);
        for (pairs, score) in [(6, 0.5), (6, 0.8), (20, 0.8), (20, 0.95)] {
            let mut inside = 0;
            let mut known = HashMap::new();
            for _ in 0..4000 {
                let mut results = PairCounts::default();
                for _ in 0..pairs {
                    let won = [(); 2].map(|()| f64::from(u8::from(random.random_bool(score))));
                    results.add(won[0] + won[1]);
                }
                let [low, high] = *known
                    .entry(results.0)
                    .or_insert_with(|| interval(results.0));
                inside += u32::from((low..=high).contains(&score));
            }
            assert!(inside >= 3780, "{pairs} pairs at {score}: {inside} of 4000");
        }
    }

    #[test]
    fn one_lost_game_does_not_help() {
        let [[all, _], [but_one, _]] = [[0, 0, 20], [1, 0, 20]].map(interval);
        assert!(all > but_one && but_one > score_of_elo(200.0));
        assert!(los([1, 0, 9]) < los([0, 0, 10]));
    }
}
