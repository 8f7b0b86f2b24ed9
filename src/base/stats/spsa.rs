//! The optimiser: simultaneous perturbation stochastic approximation (SPSA).
//!
//! Each trial moves all values at once, each by its step up or down at random, and compares
//! that point with the opposite one. All values then move a little towards the better
//! point. (J. Spall, "Multivariate stochastic approximation using a simultaneous
//! perturbation gradient approximation", IEEE Transactions on Automatic Control 37, 1992;
//! the gain sequences as in his "Implementation of the simultaneous perturbation
//! algorithm", IEEE Transactions on Aerospace and Electronic Systems 34, 1998.)
//!
//! The gains depend only on the trial number, so the values and that number are the whole
//! state: tuning can stop and resume after any trial. Trials around the same values can run
//! in parallel. The values then move after all of them, so their number is part of the result.

use rand::RngExt;

use crate::seeds::SeededRng;

/// The step and bounds of one value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axis {
    /// How far trials move the value, before their gain is applied.
    pub step: f64,
    /// The smallest value tried.
    pub min: f64,
    /// The largest value tried.
    pub max: f64,
    /// Whether only whole numbers are tried. Points are rounded up or down at random,
    /// keeping the mean, so that steps below 1 have an effect too.
    pub whole: bool,
}

impl Axis {
    fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }
}

/// How the gains fall from trial to trial: the share of a step by which values
/// move, and the distance of a trial's points from the values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Gains {
    /// For any number of trials. The first one tries full steps, later ones smaller steps.
    OpenEnded,
    /// For this number of trials. The last one tries full steps, earlier ones larger steps.
    Within(u64),
}

/// Spall's exponents.
const RATE_EXPONENT: f64 = 0.602;
const REACH_EXPONENT: f64 = 0.101;

/// The share of its step by which a value moves for each point above an even score: in the
/// first trial of [`Gains::OpenEnded`], and in the last one of [`Gains::Within`].
const FIRST_RATE: f64 = 0.02;
const LAST_RATE: f64 = 0.04;

/// Spall's stability constant: after this many trials the rate has fallen by a third. For
/// [`Gains::Within`] it is a share of all trials.
const OFFSET: f64 = 2000.0;
const OFFSET_PART: f64 = 0.1;

impl Gains {
    /// The gains of a trial: for the move of the values, and for the step tried.
    fn of(self, number: u64) -> (f64, f64) {
        let number = number as f64;
        match self {
            Self::OpenEnded => {
                let time = 1.0 + number / OFFSET;
                let rate = FIRST_RATE * time.powf(-RATE_EXPONENT);
                (rate, time.powf(-REACH_EXPONENT))
            }
            Self::Within(trials) => {
                let all = trials as f64;
                let offset = OFFSET_PART * all;
                let time = (offset + all) / (offset + number + 1.0);
                let rate = LAST_RATE * time.powf(RATE_EXPONENT);
                (rate, (all / (number + 1.0)).powf(REACH_EXPONENT))
            }
        }
    }
}

/// Two points to compare.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    number: u64,
    /// For each value, 1 if the first point moves it up, -1 if down.
    signs: Vec<f64>,
    /// The values of both points, in the order of the axes.
    pub points: [Vec<f64>; 2],
}

/// The state of the optimiser.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    axes: Vec<Axis>,
    gains: Gains,
    values: Vec<f64>,
}

impl Spsa {
    /// Starts or resumes with these values, one for each axis.
    pub fn new(axes: Vec<Axis>, gains: Gains, values: Vec<f64>) -> Self {
        assert_eq!(axes.len(), values.len());
        Self {
            axes,
            gains,
            values,
        }
    }

    /// The values found so far, one for each axis.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The trial with this number, from 0, around the current values.
    pub fn trial(&self, number: u64, rng: &mut SeededRng) -> Trial {
        let (_, reach) = self.gains.of(number);
        let signs: Vec<f64> = (self.axes.iter())
            .map(|_| if rng.random() { 1.0 } else { -1.0 })
            .collect();
        let points = [1.0, -1.0].map(|direction| {
            let all = self.axes.iter().zip(&self.values).zip(&signs);
            let moved = all.map(|((axis, value), sign)| {
                let value = axis.clamp(value + direction * sign * reach * axis.step);
                if axis.whole {
                    stochastic_round(value, rng)
                } else {
                    value
                }
            });
            moved.collect()
        });
        Trial {
            number,
            signs,
            points,
        }
    }

    /// Moves the values after a trial; `better` is the first point's score above an even
    /// score, in points.
    pub fn learn(&mut self, trial: &Trial, better: f64) {
        let (rate, reach) = self.gains.of(trial.number);
        for ((value, axis), sign) in self.values.iter_mut().zip(&self.axes).zip(&trial.signs) {
            *value = axis.clamp(*value + rate * better * sign * axis.step / reach);
        }
    }
}

/// Rounds up or down at random, so that the mean is the value.
fn stochastic_round(value: f64, rng: &mut SeededRng) -> f64 {
    let below = value.floor();
    below + f64::from(u8::from(rng.random_bool(value - below)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::seeded;

    const AXES: [Axis; 3] = [
        Axis {
            step: 12.0,
            min: 0.0,
            max: 300.0,
            whole: true,
        },
        Axis {
            step: 1.5,
            min: 1.0,
            max: 12.0,
            whole: true,
        },
        Axis {
            step: 500.0,
            min: -4000.0,
            max: 8000.0,
            whole: true,
        },
    ];

    /// The distance of each value from the best one, in steps.
    fn distances(values: &[f64], best: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| (values[i] - best[i]) / AXES[i].step)
    }

    /// Simulates a pair of games: the point nearer to the best one wins more often.
    fn games(trial: &Trial, best: [f64; 3], rng: &mut SeededRng) -> f64 {
        let [first, second] = trial.points.each_ref().map(|point| {
            -0.1 * distances(point, best)
                .map(|part| part * part)
                .iter()
                .sum::<f64>()
        });
        let wins = 1.0 / (1.0 + (second - first).exp());
        let won = [(); 2].map(|()| f64::from(u8::from(rng.random_bool(wins))));
        won[0] + won[1] - 1.0
    }

    fn found(best: [f64; 3], gains: Gains, trials: u64, seed: u64) -> Spsa {
        let mut rng = seeded(seed);
        let mut search = Spsa::new(AXES.to_vec(), gains, vec![100.0, 9.0, 0.0]);
        for number in 0..trials {
            let trial = search.trial(number, &mut rng);
            let better = games(&trial, best, &mut rng);
            search.learn(&trial, better);
        }
        search
    }

    #[test]
    fn the_best_values_are_found_despite_noise() {
        let best = [60.0, 5.0, 2500.0];
        for gains in [Gains::OpenEnded, Gains::Within(20_000)] {
            for seed in 0..5 {
                let search = found(best, gains, 20_000, seed);
                let distances = distances(search.values(), best);
                assert!(distances.iter().all(|part| part.abs() < 0.7), "{search:?}");
            }
        }
    }

    #[test]
    fn values_stay_within_their_bounds() {
        // The best values are out of bounds.
        let search = found([900.0, -20.0, 2500.0], Gains::OpenEnded, 8000, 1);
        assert!(search.values()[0] > 280.0 && search.values()[0] <= 300.0);
        assert!(search.values()[1] < 2.0 && search.values()[1] >= 1.0);
        let mut rng = seeded(1);
        for number in 0..200 {
            for point in search.trial(number, &mut rng).points {
                let within = |(axis, value): (&Axis, &f64)| {
                    (axis.min..=axis.max).contains(value) && value.fract() == 0.0
                };
                assert!(AXES.iter().zip(&point).all(within), "{point:?}");
            }
        }
    }

    #[test]
    fn trials_move_towards_the_better_point() {
        let start = Spsa::new(AXES.to_vec(), Gains::OpenEnded, vec![100.5, 6.0, 0.0]);
        let mut rng = seeded(3);
        let trial = start.trial(0, &mut rng);
        let learned = |better| {
            let mut search = start.clone();
            search.learn(&trial, better);
            search
        };
        assert_eq!(learned(0.0), start);
        for (i, axis) in AXES.iter().enumerate() {
            let to_first = (trial.points[0][i] - trial.points[1][i]).signum();
            let moved = learned(1.0).values[i] - start.values[i];
            assert!((moved - to_first * FIRST_RATE * axis.step).abs() < 1e-9);
            let back = learned(-0.5).values[i] - start.values[i];
            assert!((back + moved / 2.0).abs() < 1e-9);
        }
    }

    #[test]
    fn rounding_keeps_the_mean() {
        let mut rng = seeded(1);
        let sum: f64 = (0..10_000).map(|_| stochastic_round(-3.3, &mut rng)).sum();
        assert!((sum / 10_000.0 + 3.3).abs() < 0.02, "{sum}");
        assert_eq!(stochastic_round(7.0, &mut rng), 7.0);
    }

    #[test]
    fn gains_fall_and_end_at_full_steps_for_a_fixed_length() {
        for gains in [Gains::OpenEnded, Gains::Within(100)] {
            let all: Vec<(f64, f64)> = (0..100).map(|number| gains.of(number)).collect();
            assert!(all.is_sorted_by(|a, b| a.0 > b.0 && a.1 > b.1));
        }
        assert_eq!(Gains::OpenEnded.of(0), (FIRST_RATE, 1.0));
        assert_eq!(Gains::Within(100).of(99), (LAST_RATE, 1.0));
    }

    #[test]
    fn fractional_values_are_not_rounded() {
        let axis = Axis {
            step: 0.5,
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            whole: false,
        };
        let search = Spsa::new(vec![axis], Gains::OpenEnded, vec![3.25]);
        let mut rng = seeded(1);
        let mut points = search.trial(0, &mut rng).points.concat();
        points.sort_by(f64::total_cmp);
        assert_eq!(points, [2.75, 3.75]);
    }
}
