//! Fits the weights of the heuristic by playing: agent against agent, as the
//! study did by hand. How the weights are moved is in `spsa.rs`.

use std::convert::Infallible;

use super::factory::Factory;
use super::matchup::Match;
use super::minimax::Method;
use super::spec::{AgentSpec, SearchSpec};
use super::spsa::Spsa;
use crate::eval::Weights;
use crate::jobs::Jobs;
use crate::seeds::derive_seed;
use crate::stats::PairCounts;

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

/// What is fitted: centre, mobility and distance, and the logarithm (base 2)
/// of the weight of a win. The weight of height stays: it is the unit of the
/// others, as only the proportions of the five matter.
type Point = [f64; 4];

/// How far each is moved up and down at the last step.
const REACH: Point = [6.0, 4.0, 8.0, 0.5];

/// The greatest size of a weight, and the greatest logarithm of that of a win.
const MOST: f64 = 1e4;
const MOST_WIN_LOG: f64 = 16.0;

/// Random turns that games begin with, so that they differ.
const OPENING: u32 = 4;

/// Fits weights step by step.
pub struct Tuner {
    tuning: Tuning,
    height: i32,
    search: Spsa<4>,
}

impl Tuner {
    /// Begins with some weights; that of a win is at least 1.
    pub fn new(tuning: Tuning, start: Weights) -> Self {
        let Weights {
            height,
            centre,
            mobility,
            distance,
            win,
        } = start;
        let [centre, mobility, distance] = [centre, mobility, distance].map(f64::from);
        let start = [centre, mobility, distance, f64::from(win.max(1)).log2()];
        let seed = derive_seed(tuning.seed, &[0]);
        Self {
            tuning,
            height,
            search: Spsa::new(start, REACH, tuning.steps, seed),
        }
    }

    /// The weights where the last step has led.
    pub fn current(&self) -> Weights {
        weights(self.height, self.search.current())
    }

    /// The weights fitted so far: the mean over the second half of the steps,
    /// or the current ones before.
    pub fn fitted(&self) -> Weights {
        weights(self.height, self.search.result())
    }

    /// Does one step; false if it was stopped.
    pub fn step(&mut self, jobs: &Jobs) -> bool {
        let Self { tuning, height, .. } = *self;
        let seed = derive_seed(tuning.seed, &[1, self.search.done().into()]);
        self.search.step(|points| {
            let both = points.map(|point| weights(height, point));
            let counts = tuning.compare(both, tuning.pairs, seed, jobs, &mut || {});
            // The points that the first has more than the second.
            let more = |score: f64| (2.0 * score - 1.0) * 2.0 * tuning.pairs as f64;
            (counts.count() == tuning.pairs)
                .then(|| counts.score())
                .flatten()
                .map(more)
        })
    }
}

/// The weights at a point. They stay within what an agent takes.
fn weights(height: i32, point: Point) -> Weights {
    let [centre, mobility, distance, win_log] = point;
    let [centre, mobility, distance] =
        [centre, mobility, distance].map(|value| value.clamp(-MOST, MOST).round() as i32);
    Weights {
        height,
        centre,
        mobility,
        distance,
        win: win_log.clamp(0.0, MOST_WIN_LOG).exp2().round() as i32,
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

    const TUNING: Tuning = Tuning {
        depth: 1,
        steps: 6,
        pairs: 4,
        seed: 1,
    };

    fn jobs(threads: usize, stop: &AtomicBool) -> Jobs<'_> {
        Jobs { threads, stop }
    }

    #[test]
    fn a_fit_is_the_same_for_any_number_of_threads() {
        let never = AtomicBool::new(false);
        let tuned = |threads| {
            let mut tuner = Tuner::new(TUNING, Weights::PAPER);
            let mut path = Vec::new();
            for _ in 0..TUNING.steps {
                assert!(tuner.step(&jobs(threads, &never)));
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
    fn climbing_beats_going_down_whoever_is_named_first() {
        let never = AtomicBool::new(false);
        let up = Weights::TUNED;
        let down = Weights {
            height: -up.height,
            ..up
        };
        for (weights, scores) in [([up, down], 0.8..=1.0), ([down, up], 0.0..=0.2)] {
            let mut seen = 0;
            let counts = TUNING.compare(weights, 30, 9, &jobs(2, &never), &mut || seen += 1);
            assert_eq!((counts.count(), seen), (30, 30));
            assert!(scores.contains(&counts.score().unwrap()), "{counts:?}");
        }
    }

    #[test]
    fn a_stop_ends_it_and_changes_nothing() {
        let stop = AtomicBool::new(true);
        let mut tuner = Tuner::new(TUNING, Weights::PAPER);
        assert!(!tuner.step(&jobs(1, &stop)));
        assert_eq!(
            (tuner.current(), tuner.fitted()),
            (Weights::PAPER, Weights::PAPER)
        );
    }

    #[test]
    fn weights_stay_within_bounds() {
        let far = weights(100, [1e9, -1e9, 0.4, 1e9]);
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
        assert_eq!(weights(1, [0.0, 0.0, 0.0, -9.0]).win, 1);
    }
}
