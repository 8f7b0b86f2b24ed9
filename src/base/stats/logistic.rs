//! Logistic regression of a win or loss on features.

use super::matrix::invert;

/// A fitted model: the log-odds of a win are the sum of the features, each times its
/// coefficient.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit<const K: usize> {
    /// The fitted coefficient of each feature.
    pub coefficients: [f64; K],
    /// The standard error of each coefficient.
    pub errors: [f64; K],
    /// The mean of -ln(predicted probability of the result); a coin flip gives ln 2.
    pub loss: f64,
}

/// The maximum number of steps: Newton's method converges within a few or not at all.
const MAX_STEPS: usize = 50;

/// A larger coefficient means that there is no maximum.
const MOST_COEFFICIENT: f64 = 1e3;

/// A step that changes no coefficient by this much is the last.
const CONVERGED: f64 = 1e-9;

/// Smaller pivots of the curvature count as 0: the features depend on each other.
const LEAST_PIVOT: f64 = 1e-9;

/// The maximum-likelihood coefficients; `None` if there is no maximum, for example if the
/// features separate all results or one of them is always 0.
pub fn fit<const K: usize>(samples: &[([f64; K], bool)]) -> Option<Fit<K>> {
    let mut coefficients = [0.0; K];
    for _ in 0..MAX_STEPS {
        let state = State::at(&coefficients, samples);
        let mut inverse = state.curvature;
        if !invert(&mut inverse, LEAST_PIVOT) {
            return None;
        }
        let step: [f64; K] =
            std::array::from_fn(|i| (0..K).map(|j| inverse[i][j] * state.gradient[j]).sum());
        for (coefficient, step) in coefficients.iter_mut().zip(step) {
            *coefficient += step;
        }
        let is_bounded = coefficients.iter().all(|it| it.abs() < MOST_COEFFICIENT);
        if !is_bounded {
            return None;
        }
        if step.iter().all(|step| step.abs() < CONVERGED) {
            return Some(Fit {
                coefficients,
                errors: std::array::from_fn(|i| inverse[i][i].sqrt()),
                loss: state.loss / samples.len() as f64,
            });
        }
    }
    None
}

/// The log-likelihood with its derivatives at some coefficients.
struct State<const K: usize> {
    gradient: [f64; K],
    /// The negative second derivatives.
    curvature: [[f64; K]; K],
    loss: f64,
}

impl<const K: usize> State<K> {
    fn at(coefficients: &[f64; K], samples: &[([f64; K], bool)]) -> Self {
        let mut state = Self {
            gradient: [0.0; K],
            curvature: [[0.0; K]; K],
            loss: 0.0,
        };
        for (features, won) in samples {
            let odds: f64 = features.iter().zip(coefficients).map(|(f, c)| f * c).sum();
            let probability = 1.0 / (1.0 + (-odds).exp());
            let error = f64::from(u8::from(*won)) - probability;
            let weight = probability * (1.0 - probability);
            for i in 0..K {
                state.gradient[i] += error * features[i];
                for j in 0..K {
                    state.curvature[i][j] += weight * features[i] * features[j];
                }
            }
            let given = if *won { probability } else { 1.0 - probability };
            state.loss -= given.max(f64::MIN_POSITIVE).ln();
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::seeds::seeded;

    /// The hours of study of 20 students and whether they passed: the worked
    /// example of the article "Logistic regression" in Wikipedia, whose
    /// coefficients are -4.0777 and 1.5046.
    #[test]
    fn published_coefficients() {
        let hours = [
            0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 1.75, 2.00, 2.25, 2.50, 2.75, 3.00, 3.25, 3.50,
            4.00, 4.25, 4.50, 4.75, 5.00, 5.50,
        ];
        let passed = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1];
        let samples: Vec<([f64; 2], bool)> = hours
            .iter()
            .zip(passed)
            .map(|(&hours, passed)| ([1.0, hours], passed == 1))
            .collect();
        let fit = fit(&samples).unwrap();
        assert!((fit.coefficients[0] + 4.0777).abs() < 1e-4);
        assert!((fit.coefficients[1] - 1.5046).abs() < 1e-4);
        assert!((fit.errors[0] - 1.7610).abs() < 1e-3);
        assert!((fit.errors[1] - 0.6287).abs() < 1e-3);
        assert!((fit.loss * 20.0 - 8.02988).abs() < 1e-4);
    }

    #[test]
    fn known_coefficients_are_recovered() {
        let mut rng = seeded(1);
        let truth = [0.8, -0.5, 0.0];
        let samples: Vec<([f64; 3], bool)> = (0..20_000)
            .map(|_| {
                let features = [(); 3].map(|()| f64::from(rng.random_range(-3..=3)));
                let odds: f64 = features.iter().zip(truth).map(|(f, c)| f * c).sum();
                (features, rng.random_bool(1.0 / (1.0 + (-odds).exp())))
            })
            .collect();
        let fit = fit(&samples).unwrap();
        for (i, truth) in truth.into_iter().enumerate() {
            assert!(
                (fit.coefficients[i] - truth).abs() < 4.0 * fit.errors[i],
                "{fit:?}"
            );
        }
    }

    #[test]
    fn samples_without_a_maximum_give_none() {
        assert_eq!(fit::<1>(&[([1.0], true), ([-1.0], false)]), None);
        assert_eq!(fit::<2>(&[([1.0, 0.0], true), ([1.0, 0.0], false)]), None);
        assert_eq!(fit::<1>(&[]), None);
    }
}
