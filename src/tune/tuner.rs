//! The order of the work: rounds of pairs of games, after each of which the
//! values move.

use std::convert::Infallible;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::file::Values;
use super::spsa::{Axis, Spsa};
use crate::arena::games::Games;
use crate::jobs::Jobs;
use crate::search::{EngineOptions, ParamSets, Params, Tunable};
use crate::seeds::derive_seed;

/// The pairs that are played, several at a time, before the values move. They
/// move by very little at a time, so that it does not matter much, only that
/// it is always the same: the values found do not depend on the threads.
pub const ROUND: u64 = 32;

/// What a seed is derived for, besides the openings of the games.
const TRIAL: u64 = 1;

/// Tunes some numbers of the search.
pub struct Tuner {
    games: Games<5>,
    player: EngineOptions,
    built_in: Params,
    tuned: Vec<&'static Tunable>,
    spsa: Spsa,
    pairs: u64,
}

impl Tuner {
    /// Begins with these values after so many pairs. Both players are set up
    /// as `player`; the numbers not among the values are those of `built_in`.
    pub fn new(
        games: Games<5>,
        player: EngineOptions,
        built_in: Params,
        values: &Values,
        pairs: u64,
    ) -> Self {
        let tuned: Vec<&Tunable> = values.iter().map(|&(tunable, _)| tunable).collect();
        let axes = tuned.iter().map(|tunable| Axis {
            step: tunable.step,
            least: tunable.least,
            greatest: tunable.greatest,
        });
        let values = values.iter().map(|&(_, value)| value).collect();
        Self {
            spsa: Spsa::new(axes.collect(), values),
            games,
            player,
            built_in,
            tuned,
            pairs,
        }
    }

    /// The pairs played so far.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The values found so far.
    pub fn values(&self) -> Values {
        let values = self.spsa.values().iter().copied();
        self.tuned.iter().copied().zip(values).collect()
    }

    /// Plays a round of pairs, but not more than `most` in all, and moves the
    /// values. `progress` is called after every pair. False if it was stopped:
    /// then everything is as it was before.
    pub fn round(&mut self, most: u64, jobs: &Jobs, progress: &mut dyn FnMut()) -> bool {
        let end = ((self.pairs / ROUND + 1) * ROUND).min(most);
        let play = |number| {
            let seed = derive_seed(self.games.seed, &[TRIAL, number]);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let trial = self.spsa.trial(number, &mut rng);
            let players = trial.points.each_ref().map(|point| self.player(point));
            let pair = self.games.pair(number, players, jobs.stop);
            (trial, pair.wins() as f64 - 1.0)
        };
        let mut results = Vec::new();
        let Ok(()) = jobs.run(self.pairs..end, play, |_, result| {
            results.push(result);
            progress();
            Ok::<(), Infallible>(())
        });
        // Games that were stopped have been cut short.
        if jobs.is_stopped() {
            return false;
        }
        for (trial, better) in &results {
            self.spsa.learn(trial, *better);
        }
        self.pairs = end;
        true
    }

    /// A player with the numbers of the search at a point.
    fn player(&self, point: &[i32]) -> EngineOptions {
        let mut params = self.built_in;
        for (tunable, &value) in self.tuned.iter().zip(point) {
            (tunable.set)(&mut params, value);
        }
        EngineOptions {
            params: ParamSets::same(params),
            ..self.player
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::openings::balanced::{RandomStart, Start};
    use crate::search::{Limits, MAX_EVAL, TUNABLE};
    use crate::tune::file::values_of;

    fn tuner() -> Tuner {
        let games = Games {
            start: Start::Random(RandomStart {
                cards: true,
                turns: 0,
                margin: MAX_EVAL,
            }),
            limits: Limits::nodes(100),
            seed: 5,
        };
        let player = EngineOptions {
            eval: EvalKind::Weighted(Weights::TUNED),
            ..EngineOptions::default()
        };
        let values = values_of(TUNABLE, &Params::DEFAULT);
        Tuner::new(games, player, Params::DEFAULT, &values, 0)
    }

    #[test]
    fn rounds_end_where_they_should_and_move_the_values() {
        let never = AtomicBool::new(false);
        let jobs = Jobs {
            threads: 2,
            stop: &never,
        };
        let mut tuner = tuner();
        let mut seen = 0;
        for pairs in [ROUND, ROUND + 3, ROUND + 3] {
            let before = tuner.values();
            let is_first = tuner.pairs() == 0;
            assert!(tuner.round(ROUND + 3, &jobs, &mut || seen += 1));
            assert_eq!((tuner.pairs(), seen), (pairs, pairs));
            assert!(!is_first || tuner.values() != before);
        }
    }

    #[test]
    fn a_stop_leaves_everything_as_it_was() {
        let stop = AtomicBool::new(false);
        let jobs = Jobs {
            threads: 1,
            stop: &stop,
        };
        let mut tuner = tuner();
        let mut set = || stop.store(true, Ordering::Relaxed);
        assert!(!tuner.round(100, &jobs, &mut set));
        assert_eq!(
            (tuner.pairs(), tuner.values()),
            (0, values_of(TUNABLE, &Params::DEFAULT))
        );
    }
}
