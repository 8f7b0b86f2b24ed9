//! Fits the weights of the heuristic by games of alpha-beta against itself, with
//! SPSA (`../../base/stats/spsa.rs`). The study fitted them by hand.

use std::sync::atomic::AtomicBool;

use super::agent::Rng;
use super::factory::Factory;
use super::games::{Match, random_openings};
use super::minimax::Method;
use super::spec::{AgentSpec, SearchSpec};
use crate::arena::tuner::{Objective, Round, Tuner};
use crate::arena::{MatchScore, Pair, play_pairs};
use crate::eval::Weights;
use crate::jobs::Jobs;
use crate::seeds::{derive_seed, seeded};
use crate::stats::PairCounts;
use crate::stats::spsa::{Axis, Gains, Spsa, Trial};

/// Settings of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The depth of alpha-beta.
    pub depth: u32,
    /// The number of steps.
    pub steps: u32,
    /// Pairs of games in each step.
    pub pairs: u64,
    /// The seed of trials and games.
    pub seed: u64,
}

/// How far each value is moved up and down at the last step: centre, mobility,
/// distance, and the base-2 logarithm of win. Height stays fixed as the unit,
/// since only the proportions of the five weights matter.
const REACH: [f64; 4] = [6.0, 4.0, 8.0, 0.5];

/// The maximum size of a weight, and the maximum logarithm of win.
const MOST: f64 = 1e4;
const MOST_WIN_LOG: f64 = 16.0;

/// Random turns at the start of each game, to make games differ.
const OPENING: u32 = 4;

/// Purposes for which seeds are derived.
const OPTIMISER: u64 = 0;
const STEP: u64 = 1;

/// Games between alpha-beta agents with different weights.
struct WeightGames {
    tuning: Tuning,
    height: i32,
    rng: Rng,
}

impl Objective for WeightGames {
    type Values = Weights;

    fn values(&self, values: &[f64]) -> Weights {
        weights(self.height, values)
    }

    fn trial(&mut self, spsa: &Spsa, number: u64) -> Trial {
        spsa.trial(number, &mut self.rng)
    }

    fn pair(&self, number: u64, points: &[Vec<f64>; 2], stop: &AtomicBool) -> Pair {
        let Tuning { pairs, seed, .. } = self.tuning;
        let both = points.each_ref().map(|point| self.values(point));
        let seed = derive_seed(seed, &[STEP, number / pairs]);
        pair_of(&self.tuning.games(both, seed), number % pairs, stop)
    }
}

/// Fits the weights step by step.
pub struct WeightTuner {
    tuner: Tuner<WeightGames>,
    steps: u64,
    /// The sum of the values of the second half of the steps, and their number.
    sum: Vec<f64>,
    summed: u64,
}

impl WeightTuner {
    /// Starts from these weights; a win counts at least 1.
    pub fn new(tuning: Tuning, start: Weights) -> Self {
        let tuned = [start.centre, start.mobility, start.distance];
        let mut values: Vec<f64> = tuned.map(f64::from).into();
        values.push(f64::from(start.win.max(1)).log2());
        let axes = REACH.map(|step| Axis {
            step,
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            whole: false,
        });
        let games = WeightGames {
            tuning,
            height: start.height,
            rng: seeded(derive_seed(tuning.seed, &[OPTIMISER])),
        };
        let round = Round {
            trials: 1,
            pairs: tuning.pairs,
        };
        let steps = tuning.steps.into();
        let spsa = Spsa::new(axes.into(), Gains::Within(steps), values);
        Self {
            tuner: Tuner::new(games, spsa, round, 0),
            steps,
            sum: vec![0.0; REACH.len()],
            summed: 0,
        }
    }

    /// The weights after the last step.
    pub fn current(&self) -> Weights {
        self.tuner.values()
    }

    /// The fitted weights: the mean over the second half of the steps, which
    /// averages out noise, or the current ones before that half.
    pub fn fitted(&self) -> Weights {
        if self.summed == 0 {
            return self.current();
        }
        let mean = self.sum.iter().map(|sum| sum / self.summed as f64);
        self.tuner.values_at(&mean.collect::<Vec<f64>>())
    }

    /// Makes one step. Returns false if it was stopped.
    pub fn step(&mut self, jobs: &Jobs) -> bool {
        if !self.tuner.round(self.steps, jobs, &mut || {}) {
            return false;
        }
        if 2 * self.tuner.trials() > self.steps {
            self.summed += 1;
            let values = self.sum.iter_mut().zip(self.tuner.point());
            values.for_each(|(sum, value)| *sum += value);
        }
        true
    }
}

/// The weights at a point, clamped to what an agent accepts.
fn weights(height: i32, point: &[f64]) -> Weights {
    let weight = |index: usize| point[index].clamp(-MOST, MOST).round() as i32;
    Weights {
        height,
        centre: weight(0),
        mobility: weight(1),
        distance: weight(2),
        win: point[3].clamp(0.0, MOST_WIN_LOG).exp2().round() as i32,
    }
}

impl Tuning {
    /// Alpha-beta with these weights.
    pub fn agent(&self, weights: Weights) -> AgentSpec {
        AgentSpec::Minimax(SearchSpec {
            method: Method::AlphaBeta,
            depth: self.depth,
            setup: 2,
            weights,
        })
    }

    /// Plays pairs of games between two sets of weights, each pair from a random
    /// opening with seats swapped. Counts the points of the first; calls `progress` after
    /// every pair. Once stopped, it counts only the pairs finished before.
    pub fn compare(
        &self,
        weights: [Weights; 2],
        pairs: u64,
        seed: u64,
        jobs: &Jobs,
        progress: &mut dyn FnMut(),
    ) -> PairCounts {
        let games = self.games(weights, seed);
        let pair = |number| pair_of(&games, number, jobs.stop);
        *play_pairs(MatchScore::default(), pairs, None, jobs, pair, |_| {
            progress()
        })
        .pairs()
    }

    /// The match of two sets of weights.
    fn games(&self, weights: [Weights; 2], seed: u64) -> Match {
        let factory = |weights| {
            Factory::new(&self.agent(weights), seed, &mut |_, _| {})
                .expect("alpha-beta reads no files")
        };
        Match {
            players: weights.map(factory),
            seed,
            swap: true,
            openings: random_openings(OPENING, seed),
        }
    }
}

fn pair_of(games: &Match, number: u64, stop: &AtomicBool) -> Pair {
    let pair = games.pair(number, stop);
    pair.expect("alpha-beta always answers")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TUNING: Tuning = Tuning {
        depth: 1,
        steps: 6,
        pairs: 4,
        seed: 1,
    };

    #[test]
    fn a_fit_does_not_depend_on_threads() {
        let tuned = |threads| {
            let mut tuner = WeightTuner::new(TUNING, Weights::PAPER);
            let mut path = Vec::new();
            for _ in 0..TUNING.steps {
                assert!(tuner.step(&Jobs::unstoppable(threads)));
                path.push(tuner.current());
            }
            (path, tuner.fitted())
        };
        let (path, fitted) = tuned(1);
        assert_eq!((path.clone(), fitted), tuned(3));
        assert_eq!(fitted.height, Weights::PAPER.height);
        assert!(path.iter().any(|weights| *weights != Weights::PAPER));
    }

    #[test]
    fn fitted_weights_are_the_mean_of_the_second_half() {
        let mut tuner = WeightTuner::new(TUNING, Weights::PAPER);
        let mut points = Vec::new();
        for _ in 0..TUNING.steps {
            assert!(tuner.step(&Jobs::unstoppable(1)));
            points.push(tuner.tuner.point().to_vec());
        }
        let mean: Vec<f64> = (0..REACH.len())
            .map(|i| points[3..].iter().map(|point| point[i]).sum::<f64>() / 3.0)
            .collect();
        let height = Weights::PAPER.height;
        assert_eq!(tuner.fitted(), weights(height, &mean));
        assert_eq!(tuner.current(), weights(height, &points[5]));
        assert_ne!(tuner.fitted(), tuner.current());
    }

    #[test]
    fn climbing_beats_descending_in_either_order() {
        let up = Weights::TUNED;
        let down = Weights {
            height: -up.height,
            ..up
        };
        for (weights, scores) in [([up, down], 0.8..=1.0), ([down, up], 0.0..=0.2)] {
            let mut seen = 0;
            let counts = TUNING.compare(weights, 30, 9, &Jobs::unstoppable(2), &mut || seen += 1);
            assert_eq!((counts.count(), seen), (30, 30));
            assert!(scores.contains(&counts.score().unwrap()), "{counts:?}");
        }
    }

    #[test]
    fn a_stopped_step_changes_nothing() {
        let stop = AtomicBool::new(true);
        let mut tuner = WeightTuner::new(TUNING, Weights::PAPER);
        assert!(!tuner.step(&Jobs {
            threads: 1,
            stop: &stop
        }));
        assert_eq!(
            (tuner.current(), tuner.fitted()),
            (Weights::PAPER, Weights::PAPER)
        );
    }

    #[test]
    fn weights_stay_within_bounds() {
        let far = weights(100, &[1e9, -1e9, 0.4, 1e9]);
        assert_eq!(
            far,
            Weights {
                height: 100,
                centre: 10_000,
                mobility: -10_000,
                distance: 0,
                win: 65_536,
            }
        );
        assert_eq!(weights(1, &[0.0, 0.0, 0.0, -9.0]).win, 1);
    }
}
