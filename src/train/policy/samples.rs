//! Training samples of the policy: leaves of searches, with a short search of every
//! turn.
//!
//! The searches are those of self-play games, which start like those of `datagen`.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::leaves::search_with_leaves;
use super::super::opening::opening;
use crate::eval::EvalKind;
use crate::jobs::Jobs;
use crate::rules::{Position, Side, Turn};
use crate::search::policy::PolicyWeights;
use crate::search::policy::features::{
    BUILD_FEATURES, MOBILITY_FEATURES, MoveFeatures, STEP_FEATURES, build_feature, step_feature,
};
use crate::search::{Engine, EngineOptions, Limits, is_proved};

/// The options of the samples.
#[derive(Clone, Copy, Debug)]
pub struct PolicySampleOptions {
    pub eval: EvalKind,
    /// The number of samples wanted.
    pub samples: u64,
    /// The nodes of the searches whose leaves are taken.
    pub nodes: u64,
    /// The depth of the search after each turn.
    pub depth: u32,
    pub seed: u64,
}

/// A sample: the turns of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicySample {
    /// The indices of each turn's three weights.
    pub turns: Vec<[u16; 3]>,
    /// The probability of each turn to be the best.
    pub targets: Vec<f32>,
}

/// A turn that is worse by this many hundredths of a level is e times less likely
/// to be the best.
const TEMPERATURE: f32 = 40.0;

/// The leaves taken of each search.
const LEAVES_A_SEARCH: usize = 2;

/// The most random turns at the start of a game.
const RANDOM_TURNS: u32 = 10;

/// The samples of one block.
const BLOCK: u64 = 100;

/// The transposition tables in MiB: plenty for a few thousand nodes.
const HASH_MIB: usize = 1;

/// Makes the samples; `None` if the jobs were stopped. `report` is called with the
/// number of samples of each block.
pub fn samples(
    options: &PolicySampleOptions,
    jobs: &Jobs,
    mut report: impl FnMut(u64),
) -> Option<Vec<PolicySample>> {
    let mut samples = Vec::new();
    let blocks = options.samples.div_ceil(BLOCK);
    let block = |number| Sampler::new(options, number, jobs.stop).block();
    let done = jobs.run(0..blocks, block, |_, block| {
        report(block.len() as u64);
        samples.extend(block);
        Ok::<(), ()>(())
    });
    samples.truncate(options.samples as usize);
    (done.is_ok() && samples.len() as u64 == options.samples).then_some(samples)
}

/// Makes the samples of one block, with its own random numbers.
struct Sampler<'a> {
    options: &'a PolicySampleOptions,
    /// Plays the games.
    player: Engine<5>,
    /// Searches the position after each turn of a sample.
    analyst: Engine<5>,
    rng: Xoshiro256PlusPlus,
    stop: &'a AtomicBool,
    samples: Vec<PolicySample>,
}

impl<'a> Sampler<'a> {
    fn new(options: &'a PolicySampleOptions, block: u64, stop: &'a AtomicBool) -> Self {
        let engine = || {
            Engine::new(EngineOptions {
                hash_mib: HASH_MIB,
                threads: 1,
                eval: options.eval,
                // So that the samples do not depend on an earlier policy.
                policy: PolicyWeights::zero(),
                ..EngineOptions::default()
            })
        };
        let seed = options.seed ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self {
            options,
            player: engine(),
            analyst: engine(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            stop,
            samples: Vec::new(),
        }
    }

    fn block(mut self) -> Vec<PolicySample> {
        use std::sync::atomic::Ordering::Relaxed;
        while (self.samples.len() as u64) < BLOCK && !self.stop.load(Relaxed) {
            self.game();
        }
        self.samples.truncate(BLOCK as usize);
        self.samples
    }

    /// Plays a game and samples its searches.
    fn game(&mut self) {
        self.player.clear();
        let limits = Limits::nodes(self.options.nodes);
        let mut position = opening(RANDOM_TURNS, false, &mut self.rng);
        loop {
            let (report, seen) = search_with_leaves(
                &mut self.player,
                self.options.eval,
                &position,
                &limits,
                LEAVES_A_SEARCH,
                &mut self.rng,
                self.stop,
            );
            let Some(turn) = report.turn().filter(|_| !is_proved(report.score())) else {
                break;
            };
            for position in seen {
                let sample = self.sample(&position);
                self.samples.extend(sample);
            }
            position = position.play(turn);
        }
    }

    /// The sample of a position, if neither player can win at once and there is a
    /// choice.
    fn sample(&mut self, position: &Position<5>) -> Option<PolicySample> {
        if position.has_win() || position.winning_squares(Side::Other).any() {
            return None;
        }
        let mut turns = Vec::new();
        position.for_each_quiet(position.safe_builds().squares, |turn| turns.push(turn));
        if turns.len() < 2 {
            return None;
        }
        self.analyst.clear();
        let scores: Vec<i32> = turns
            .iter()
            .map(|&turn| self.score(&position.play(turn)))
            .collect();
        let features = MoveFeatures::of(position);
        Some(PolicySample {
            turns: turns
                .iter()
                .map(|&it| indices(position, &features, it))
                .collect(),
            targets: targets(&scores),
        })
    }

    /// The score of the turn that leads to a position.
    fn score(&mut self, after: &Position<5>) -> i32 {
        let limits = Limits::depth(self.options.depth);
        let report = self.analyst.search(after, &limits, self.stop, &mut |_| {});
        -report.score()
    }
}

/// The indices of a turn's weights.
fn indices(position: &Position<5>, features: &MoveFeatures, turn: Turn) -> [u16; 3] {
    let step = features.step(position, turn);
    let build = turn.build().expect("a turn that does not win builds");
    let indices = [
        step_feature(step.row, step.column),
        STEP_FEATURES + step.mobility,
        STEP_FEATURES
            + MOBILITY_FEATURES
            + build_feature(step.builds, features.build(&step, build)),
    ];
    indices.map(|index| index as u16)
}

const _: () = assert!(STEP_FEATURES + MOBILITY_FEATURES + BUILD_FEATURES <= 1 << 16);

/// The probability of each turn to be the best: a softmax of the scores.
fn targets(scores: &[i32]) -> Vec<f32> {
    let best = scores.iter().copied().max().unwrap_or(0);
    let weights: Vec<f32> = scores
        .iter()
        .map(|&score| ((score - best) as f32 / TEMPERATURE).exp())
        .collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_probabilities_that_fall_with_the_score() {
        let targets = targets(&[0, -40, 12, -30_000]);
        assert!((targets.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(targets[2] > targets[0] && targets[1] > targets[3]);
        assert!((targets[0] / targets[1] - 1f32.exp()).abs() < 1e-5);
        assert_eq!(targets[3], 0.0);
    }

    #[test]
    fn samples_do_not_depend_on_the_threads() {
        let options = PolicySampleOptions {
            eval: EvalKind::default(),
            samples: 120,
            nodes: 200,
            depth: 1,
            seed: 5,
        };
        let stop = AtomicBool::new(false);
        let made = [1, 2].map(|threads| {
            let jobs = Jobs {
                threads,
                stop: &stop,
            };
            samples(&options, &jobs, |_| {}).unwrap()
        });
        assert_eq!(made[0], made[1]);
        assert_eq!(made[0].len(), 120);
        assert!(
            made[0]
                .iter()
                .all(|sample| sample.turns.len() == sample.targets.len())
        );
    }
}
