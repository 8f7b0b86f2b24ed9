//! Fits the weights of the heuristic by playing: agent against agent, as the
//! study did by hand.
//!
//! The method is SPSA (J. Spall, "Implementation of the simultaneous
//! perturbation algorithm", IEEE Transactions on Aerospace and Electronic
//! Systems 34, 1998): each step moves all weights a little up or down at
//! random, lets the two agents so made play each other, and then moves the
//! weights towards the one that won more. The mean of the second half of all
//! steps is the result, which takes out most of the chance in single steps.

use std::convert::Infallible;

use rand::{RngExt, SeedableRng};

use super::agent::{Rng, derive_seed};
use super::factory::Factory;
use super::matchup::Match;
use super::minimax::Method;
use super::parallel::Jobs;
use super::spec::{AgentSpec, SearchSpec};
use crate::eval::Weights;
use crate::tournament::stats::PairCounts;

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The depth of alpha-beta.
    pub depth: u32,
    pub steps: u32,
    /// Pairs of games in each step.
    pub pairs: u64,
    pub seed: u64,
}

/// The weights that are fitted: centre, mobility and distance. That of height
/// stays: only the proportions matter. That of a win is more than all else
/// together can be, which no fit needs to find.
type Point = [f64; 3];

/// How far each weight is moved up and down at the last step; it begins about
/// twice as far.
const REACH: Point = [6.0, 4.0, 8.0];

/// By which part of its reach a weight goes at the last step for one point
/// that one agent has more than the other.
const RATE: f64 = 0.02;

/// The exponents and the offset (a share of all steps) of Spall's gain
/// sequences.
const RATE_EXPONENT: f64 = 0.602;
const REACH_EXPONENT: f64 = 0.101;
const OFFSET: f64 = 0.1;

/// Random turns that games begin with, so that they differ.
const OPENING: u32 = 4;

/// The weight of a win.
pub const WIN: i32 = 10_000;

/// Fits weights step by step.
pub struct Tuner {
    tuning: Tuning,
    rng: Rng,
    step: u32,
    point: Point,
    /// The sum of the points of the second half of the steps, and how many.
    sum: Point,
    summed: u32,
}

impl Tuner {
    /// Begins with the study's weights.
    pub fn new(tuning: Tuning) -> Self {
        let Weights {
            centre,
            mobility,
            distance,
            ..
        } = Weights::PAPER;
        Self {
            tuning,
            rng: Rng::seed_from_u64(derive_seed(tuning.seed, &[0])),
            step: 0,
            point: [centre, mobility, distance].map(f64::from),
            sum: [0.0; 3],
            summed: 0,
        }
    }

    /// The weights where the last step has led.
    pub fn current(&self) -> Weights {
        weights(self.point)
    }

    /// The weights fitted so far: the mean over the second half of the steps,
    /// or the current ones before.
    pub fn fitted(&self) -> Weights {
        match self.summed {
            0 => self.current(),
            count => weights(self.sum.map(|sum| sum / f64::from(count))),
        }
    }

    /// Does one step; false if it was stopped.
    pub fn step(&mut self, jobs: &Jobs) -> bool {
        let Tuning { steps, pairs, .. } = self.tuning;
        let (step, all) = (f64::from(self.step), f64::from(steps));
        let offset = OFFSET * all;
        let reach_scale = (all / (step + 1.0)).powf(REACH_EXPONENT);
        let rate = RATE * ((offset + all) / (offset + step + 1.0)).powf(RATE_EXPONENT);
        let signs = [(); 3].map(|()| if self.rng.random() { 1.0 } else { -1.0 });
        let moved: Point = std::array::from_fn(|i| signs[i] * REACH[i] * reach_scale);
        let at = |sign: f64| weights(std::array::from_fn(|i| self.point[i] + sign * moved[i]));
        let seed = derive_seed(self.tuning.seed, &[1, self.step.into()]);
        let counts = self
            .tuning
            .compare([at(1.0), at(-1.0)], pairs, seed, jobs, &mut || {});
        let (Some(score), true) = (counts.score(), counts.count() == pairs) else {
            return false;
        };
        // The points that the first has more than the second.
        let more = (2.0 * score - 1.0) * 2.0 * pairs as f64;
        for (i, value) in self.point.iter_mut().enumerate() {
            *value += rate * more * REACH[i] / reach_scale * signs[i];
        }
        self.step += 1;
        if 2 * self.step > steps {
            self.summed += 1;
            (self.sum.iter_mut().zip(self.point)).for_each(|(sum, value)| *sum += value);
        }
        true
    }
}

/// The weights at a point. They stay within what an agent takes.
fn weights(point: Point) -> Weights {
    let [centre, mobility, distance] = point.map(|value| value.clamp(-1e4, 1e4).round() as i32);
    Weights {
        height: 100,
        centre,
        mobility,
        distance,
        win: WIN,
    }
}

impl Tuning {
    /// Alpha-beta with some weights.
    pub fn agent(&self, weights: Weights) -> AgentSpec {
        AgentSpec::Minimax(SearchSpec {
            method: Method::AlphaBeta,
            depth: self.depth,
            setup: 2,
            weights,
        })
    }

    /// Plays pairs of games between two sets of weights, each pair from one
    /// random opening with seats swapped, and counts the points of the first.
    /// `progress` is called after every pair.
    pub fn compare(
        &self,
        weights: [Weights; 2],
        pairs: u64,
        seed: u64,
        jobs: &Jobs,
        progress: &mut dyn FnMut(),
    ) -> PairCounts {
        let factory = |weights| {
            Factory::new(&self.agent(weights), seed, &mut |_, _| {})
                .expect("alpha-beta reads no files")
        };
        let games = Match {
            players: weights.map(factory),
            seed,
            swap: true,
            opening: Some(OPENING),
        };
        let points = |game: u64| f64::from(u8::from(games.play(game).winner() == 0));
        let mut counts = PairCounts::default();
        let Ok(()) = jobs.run(
            0..pairs,
            |pair| points(2 * pair) + points(2 * pair + 1),
            |_, points| {
                counts.add(points);
                progress();
                Ok::<(), Infallible>(())
            },
        );
        counts
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::tournament::stats::likelihood_of_superiority;

    const TUNING: Tuning = Tuning {
        depth: 1,
        steps: 40,
        pairs: 8,
        seed: 1,
    };

    fn tuned(threads: usize, start: Point) -> Weights {
        let stop = AtomicBool::new(false);
        let jobs = Jobs {
            threads,
            stop: &stop,
        };
        let mut tuner = Tuner::new(TUNING);
        tuner.point = start;
        for _ in 0..TUNING.steps {
            assert!(tuner.step(&jobs));
        }
        tuner.fitted()
    }

    #[test]
    fn weights_that_lose_are_left_and_the_same_every_time() {
        // Mobility counts far too much here, so that height goes unseen.
        let start = [10.0, 120.0, 70.0];
        let fitted = tuned(2, start);
        assert_eq!(fitted, tuned(1, start));
        assert_eq!((fitted.height, fitted.win), (100, WIN));
        let stop = AtomicBool::new(false);
        let jobs = Jobs {
            threads: 2,
            stop: &stop,
        };
        let pairs = TUNING.compare([fitted, weights(start)], 60, 9, &jobs, &mut || {});
        assert_eq!(pairs.count(), 60);
        assert!(
            likelihood_of_superiority(&pairs) > 0.99,
            "{fitted:?} {pairs:?}"
        );
    }

    #[test]
    fn a_stop_ends_it_and_changes_nothing() {
        let stop = AtomicBool::new(true);
        let jobs = Jobs {
            threads: 1,
            stop: &stop,
        };
        let mut tuner = Tuner::new(TUNING);
        assert!(!tuner.step(&jobs));
        let paper = Weights {
            win: WIN,
            ..Weights::PAPER
        };
        assert_eq!((tuner.current(), tuner.fitted()), (paper, paper));
    }
}
