//! The sequential probability ratio test: stops a match once its results decide between two
//! hypotheses about the Elo difference.
//!
//! The generalized log-likelihood ratio compares the most likely distributions of results
//! under each hypothesis, given the counts. See M. Van den Bergh, "The Generalized Maximum
//! Likelihood Ratio for the Expectation Value of a Distribution" and "Comments on
//! Normalized Elo" (cantate.be/Fishtest). Fishtest and fastchess compute the same.

use serde::{Deserialize, Serialize};

use super::elo::score_of_elo;
use super::frequencies::Frequencies;

/// The scale of the two Elo bounds of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// The usual Elo, a function of the mean score.
    Logistic,
    /// The mean score minus one half, in standard deviations of a game, times 800 / ln 10.
    /// It alone determines the length of a test.
    Normalized,
}

/// The parameters of a test of H1, "the first player is `elo1` stronger", against H0, "`elo0`
/// stronger".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtSetting {
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1, above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 under H0, below 0.5.
    pub alpha: f64,
    /// The probability of accepting H0 under H1, below 0.5.
    pub beta: f64,
    /// The scale on which both differences are measured.
    pub model: EloModel,
}

/// A test with valid parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt(SprtSetting);

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
}

/// Why the parameters of a test are invalid.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The Elo bounds are out of order or too large for the model.
    #[error(
        "the first Elo bound ({0}) must be below the second ({1}), both from -{most} to {most}",
        most = .2.most()
    )]
    Bounds(f64, f64, EloModel),
    /// An error probability is out of range: its name and value.
    #[error("{0} is {1}; use an error probability above 0 and below 0.5")]
    Probability(&'static str, f64),
}

/// The count assumed for a result that never occurred, as in fishtest, to avoid the
/// logarithm of zero.
const NEVER: f64 = 1e-3;

/// The maximum number of steps to the fixed point of [`Distribution::most_likely_with_t`].
const MOST_STEPS: usize = 100;

/// A step that changes no probability by this much is the last.
const CONVERGED: f64 = 1e-9;

/// The maximum number of steps in [`tilt`], which ends when a step changes x by no more than
/// [`ROUNDING`] of it.
const MOST_NEWTON_STEPS: usize = 200;
const ROUNDING: f64 = 1e-15;

impl EloModel {
    /// The maximum bound in Elo. In the logistic model it is a score of nearly 1. In the
    /// normalized one the fixed point of `most_likely_with_t` does not converge from 232
    /// on.
    const fn most(self) -> f64 {
        match self {
            Self::Logistic => 2000.0,
            Self::Normalized => 230.0,
        }
    }
}

impl SprtSetting {
    /// The test with these parameters.
    ///
    /// # Errors
    /// If the bounds are not in order or a probability is out of range.
    pub fn test(self) -> Result<Sprt, SprtError> {
        let Self {
            elo0, elo1, model, ..
        } = self;
        let range = -model.most()..=model.most();
        if elo0 >= elo1 || [elo0, elo1].iter().any(|elo| !range.contains(elo)) {
            return Err(SprtError::Bounds(elo0, elo1, model));
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability(name, value));
            }
        }
        Ok(Sprt(self))
    }
}

impl Sprt {
    /// The test is decided when the log-likelihood ratio leaves this range
    /// (A. Wald, 1945).
    pub fn bounds(&self) -> [f64; 2] {
        let SprtSetting { alpha, beta, .. } = self.0;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The generalized log-likelihood ratio of H1 to H0.
    pub fn log_likelihood_ratio<const K: usize>(&self, results: &Frequencies<K>) -> f64 {
        if results.count() == 0 {
            return 0.0;
        }
        let counts = results.0.map(|count| (count as f64).max(NEVER));
        let total: f64 = counts.iter().sum();
        let seen = Distribution(counts.map(|count| count / total));
        let [h0, h1] = [self.0.elo0, self.0.elo1].map(|elo| match self.0.model {
            EloModel::Logistic => seen.most_likely_with_mean(score_of_elo(elo)),
            EloModel::Normalized => {
                let per_game = elo * std::f64::consts::LN_10 / 800.0;
                seen.most_likely_with_t(per_game * Frequencies::<K>::GAMES.sqrt())
            }
        });
        let ratio = (0..K).map(|i| counts[i] * (h1.0[i] / h0.0[i]).ln());
        ratio.sum()
    }

    /// The decision of the test; `None` while it is undecided.
    pub fn decision<const K: usize>(&self, results: &Frequencies<K>) -> Option<Decision> {
        let ratio = self.log_likelihood_ratio(results);
        let [lower, upper] = self.bounds();
        if ratio >= upper {
            Some(Decision::AcceptH1)
        } else if ratio <= lower {
            Some(Decision::AcceptH0)
        } else {
            None
        }
    }
}

/// The probability of each result; result `i` brings the share `i / (K - 1)`
/// of the points.
#[derive(Clone, Copy)]
struct Distribution<const K: usize>([f64; K]);

impl<const K: usize> Distribution<K> {
    fn share(i: usize) -> f64 {
        Frequencies::<K>::share(i)
    }

    fn mean(&self) -> f64 {
        (0..K).map(|i| self.0[i] * Self::share(i)).sum()
    }

    fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares = (0..K).map(|i| self.0[i] * (Self::share(i) - mean).powi(2));
        squares.sum::<f64>().sqrt()
    }

    /// The most likely distribution with this mean, given the counts (proposition 1.1 of
    /// the first paper).
    fn most_likely_with_mean(&self, mean: f64) -> Self {
        self.tilted(&std::array::from_fn(|i| Self::share(i) - mean))
    }

    /// The most likely distribution with (mean - 1/2) / deviation = `t`, given the
    /// counts (section 4.1 of the second paper): a fixed
    /// point, approached from the uniform distribution.
    fn most_likely_with_t(&self, t: f64) -> Self {
        let mut best = Self([1.0 / K as f64; K]);
        for _ in 0..MOST_STEPS {
            let (mean, deviation) = (best.mean(), best.deviation());
            let next = self.tilted(&std::array::from_fn(|i| {
                let apart = (Self::share(i) - mean) / deviation;
                Self::share(i) - 0.5 - t * deviation * (1.0 + apart * apart) / 2.0
            }));
            let moved = (0..K).map(|i| (next.0[i] - best.0[i]).abs());
            let moved = moved.fold(0.0, f64::max);
            best = next;
            if moved < CONVERGED {
                break;
            }
        }
        best
    }

    /// The distribution p / (1 + x * v) under which `v` has mean zero, the most likely one
    /// with that property.
    fn tilted(&self, v: &[f64; K]) -> Self {
        let x = tilt(&self.0, v);
        Self(std::array::from_fn(|i| self.0[i] / (1.0 + x * v[i])))
    }
}

/// The x for which `v` has mean zero under the weights w / (1 + x * v). The least and the
/// greatest `v` must have positive weights. The mean falls as x rises between the poles.
/// Newton's method finds x, with a bisection where a step leaves the interval that holds it.
pub(super) fn tilt<const K: usize>(weights: &[f64; K], v: &[f64; K]) -> f64 {
    let highest = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = v.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut from, mut to) = (-1.0 / highest, -1.0 / lowest);
    let mut x = 0.0;
    for _ in 0..MOST_NEWTON_STEPS {
        let tilted = v.map(|v| v / (1.0 + x * v));
        let mean: f64 = (0..K).map(|i| weights[i] * tilted[i]).sum();
        let fall: f64 = (0..K).map(|i| weights[i] * tilted[i] * tilted[i]).sum();
        let newton = x + mean / fall;
        if (newton - x).abs() <= ROUNDING * x.abs() {
            break;
        }
        if mean > 0.0 {
            from = x;
        } else {
            to = x;
        }
        x = if from < newton && newton < to {
            newton
        } else {
            (from + to) / 2.0
        };
    }
    x
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::seeds::seeded;

    fn test(
        [elo0, elo1]: [f64; 2],
        [alpha, beta]: [f64; 2],
        model: EloModel,
    ) -> Result<Sprt, SprtError> {
        let setting = SprtSetting {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        };
        setting.test()
    }

    fn sprt(elo: [f64; 2], model: EloModel) -> Sprt {
        test(elo, [0.05; 2], model).unwrap()
    }

    /// The values are those of fastchess's own tests
    /// (app/tests/sprt_test.cpp), which it compares to within one percent.
    fn near(value: f64, published: f64) {
        assert!(
            (value / published - 1.0).abs() < 0.01,
            "{value} {published}"
        );
    }

    #[test]
    fn published_values_of_single_games() {
        let normalized = EloModel::Normalized;
        let logistic = EloModel::Logistic;
        for (elo, model, [won, lost, drawn], published) in [
            ([0.0, 2.0], normalized, [36433, 36027, 68692], 0.92),
            ([-1.75, 0.25], normalized, [10871, 10650, 20431], 2.30),
            ([0.0, 10.0], normalized, [4250, 0, 0], 120.56),
            ([0.5, 2.5], logistic, [21404, 21184, 40708], -1.57),
            ([0.0, 2.0], logistic, [57433, 57030, 106593], -2.59),
        ] {
            let games = Frequencies([lost, drawn, won]);
            near(sprt(elo, model).log_likelihood_ratio(&games), published);
        }
    }

    #[test]
    fn published_values_of_pairs() {
        let normalized = EloModel::Normalized;
        let logistic = EloModel::Logistic;
        for (elo, model, pairs, published) in [
            (
                [0.0, 2.0],
                normalized,
                [365, 16618, 36229, 16974, 390],
                2.25,
            ),
            (
                [-1.75, 0.25],
                normalized,
                [127, 4883, 10712, 5150, 104],
                3.01,
            ),
            ([0.0, 5.0], normalized, [0, 0, 0, 0, 5550], 111.82),
            ([0.5, 2.5], logistic, [223, 9863, 21279, 10037, 246], -3.07),
            ([0.0, 2.0], logistic, [871, 26175, 55983, 26678, 821], -4.98),
        ] {
            let sprt = sprt(elo, model);
            near(sprt.log_likelihood_ratio(&Frequencies(pairs)), published);
        }
    }

    #[test]
    fn the_ratio_decides_at_the_bounds_of_wald() {
        let sprt = sprt([0.0, 5.0], EloModel::Logistic);
        let [lower, upper] = sprt.bounds();
        assert!((upper - 2.944).abs() < 0.001 && (lower + upper).abs() < 1e-12);
        assert_eq!(sprt.decision(&Frequencies([0, 0, 20, 0, 0])), None);
        assert_eq!(sprt.decision(&Frequencies::<5>::default()), None);
        let better = Frequencies([100, 0, 20000, 0, 600]);
        assert_eq!(sprt.decision(&better), Some(Decision::AcceptH1));
        let worse = better.reversed();
        assert_eq!(sprt.decision(&worse), Some(Decision::AcceptH0));
        let sharper = test([0.0, 5.0], [0.01, 0.1], EloModel::Logistic).unwrap();
        let [lower, upper] = sharper.bounds();
        assert!((lower - (0.1f64 / 0.99).ln()).abs() < 1e-12);
        assert!((upper - (0.9f64 / 0.01).ln()).abs() < 1e-12);
    }

    #[test]
    fn fitted_distributions_meet_their_constraint() {
        let seen = Distribution([0.1, 0.2, 0.4, 0.25, 0.05]);
        for mean in [0.3, 0.5, 0.6] {
            let fitted = seen.most_likely_with_mean(mean);
            assert!((fitted.mean() - mean).abs() < 1e-12);
            assert!((fitted.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        for t in [-0.3, 0.0, 0.2] {
            let fitted = seen.most_likely_with_t(t);
            assert!(((fitted.mean() - 0.5) / fitted.deviation() - t).abs() < 1e-6);
        }
    }

    /// The number of 200 simulated matches in which the test accepts H1. The first player's
    /// pairs are won, split and lost with these probabilities.
    fn accepted(sprt: &Sprt, probabilities: [f64; 3], seed: u64) -> u32 {
        let mut random = seeded(seed);
        let mut accepted = 0;
        for _ in 0..200 {
            let mut pairs = Frequencies([0; 5]);
            accepted += loop {
                let draw: f64 = random.random();
                let [won, split, _] = probabilities;
                let points = if draw < won {
                    2.0
                } else if draw < won + split {
                    1.0
                } else {
                    0.0
                };
                pairs.add(points);
                match sprt.decision(&pairs) {
                    None => {}
                    Some(decision) => break u32::from(decision == Decision::AcceptH1),
                }
            };
        }
        accepted
    }

    #[test]
    fn error_rates_are_within_alpha_and_beta() {
        let sprt = test([0.0, 60.0], [0.05, 0.1], EloModel::Logistic).unwrap();
        // In half of the pairs the seat that the opening favours wins both games.
        let pairs = |score: f64| [score - 0.25, 0.5, 0.75 - score];
        let of_h0 = accepted(&sprt, pairs(0.5), 1);
        let of_h1 = accepted(&sprt, pairs(score_of_elo(60.0)), 2);
        // 10 and 180 of 200 are expected; the limits are 5 standard deviations away.
        assert!(of_h0 <= 25, "{of_h0}");
        assert!(of_h1 >= 159, "{of_h1}");
        assert!(of_h0 >= 1 && of_h1 < 200, "the test is far too careful");
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let model = EloModel::Logistic;
        for [elo0, elo1] in [[5.0, 0.0], [0.0, 8000.0]] {
            let refused = test([elo0, elo1], [0.05; 2], model);
            assert_eq!(refused, Err(SprtError::Bounds(elo0, elo1, model)));
        }
        let far = test([0.0, 240.0], [0.05; 2], EloModel::Normalized);
        assert!(far.unwrap_err().to_string().contains("from -230 to 230"));
        for wrong in [0.0, 0.5, -1.0, f64::NAN] {
            assert!(test([0.0, 5.0], [wrong, 0.05], model).is_err());
            assert!(test([0.0, 5.0], [0.05, wrong], model).is_err());
        }
        assert!(test([f64::NAN, 5.0], [0.05; 2], model).is_err());
    }
}
