//! The tuning loop: rounds of trials. The values move after each round.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use crate::arena::Pair;
use crate::jobs::Jobs;
use crate::stats::spsa::{Spsa, Trial};

/// The values to tune, and the games that compare two points.
pub trait Objective: Sync {
    /// The type of the tuned values.
    type Values;

    /// Converts a point of the optimiser to values.
    fn values(&self, values: &[f64]) -> Self::Values;

    /// The trial with this number.
    fn trial(&mut self, spsa: &Spsa, number: u64) -> Trial;

    /// Plays the pair with this number, counted over all trials, between players with the
    /// values of two points. Once `stop` is set, the result is ignored.
    fn pair(&self, number: u64, points: &[Vec<f64>; 2], stop: &AtomicBool) -> Pair;
}

/// The size of a round: the games between two updates of the values.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Trials around the same values.
    pub trials: u64,
    /// Pairs of games in each trial.
    pub pairs: u64,
}

/// Tunes the values of an objective.
pub struct Tuner<O> {
    objective: O,
    spsa: Spsa,
    round: Round,
    /// The number of trials done.
    trials: u64,
}

impl<O: Objective> Tuner<O> {
    /// Starts or resumes, with the state of the optimiser after `trials` trials.
    pub fn new(objective: O, spsa: Spsa, round: Round, trials: u64) -> Self {
        Self {
            objective,
            spsa,
            round,
            trials,
        }
    }

    /// The number of trials done.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// The values found so far.
    pub fn values(&self) -> O::Values {
        self.values_at(self.spsa.values())
    }

    /// The values found so far, as a point of the optimiser.
    pub fn point(&self) -> &[f64] {
        self.spsa.values()
    }

    /// The values of a point.
    pub fn values_at(&self, point: &[f64]) -> O::Values {
        self.objective.values(point)
    }

    /// Plays a round, up to `most` trials in all, and updates the values. `progress` is
    /// called after each pair. Returns false, without an update, if it was stopped.
    pub fn round(&mut self, most: u64, jobs: &Jobs, progress: &mut dyn FnMut()) -> bool {
        let Round { trials, pairs } = self.round;
        let first = self.trials;
        let end = ((first / trials + 1) * trials).min(most);
        let trials: Vec<Trial> = (first..end)
            .map(|number| self.objective.trial(&self.spsa, number))
            .collect();
        let trial_of = |pair: u64| (pair / pairs - first) as usize;
        let play = |pair| {
            let points = &trials[trial_of(pair)].points;
            self.objective.pair(pair, points, jobs.stop)
        };
        // Points above an even score, by trial.
        let mut better = vec![0.0; trials.len()];
        let Ok(()) = jobs.run(first * pairs..end * pairs, play, |number, pair| {
            better[trial_of(number)] += pair.wins() as f64 - 1.0;
            progress();
            Ok::<(), Infallible>(())
        });
        // Games played while stopping are cut short.
        if jobs.is_stopped() {
            return false;
        }
        for (trial, better) in trials.iter().zip(better) {
            self.spsa.learn(trial, better);
        }
        self.trials = end;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::seeds::seeded;
    use crate::stats::spsa::{Axis, Gains};

    /// The player with the greater value wins both games.
    #[derive(Default)]
    struct Greater {
        played: AtomicU64,
    }

    impl Objective for Greater {
        type Values = f64;

        fn values(&self, values: &[f64]) -> f64 {
            values[0]
        }

        fn trial(&mut self, spsa: &Spsa, number: u64) -> Trial {
            spsa.trial(number, &mut seeded(number))
        }

        fn pair(&self, _: u64, [first, second]: &[Vec<f64>; 2], _: &AtomicBool) -> Pair {
            self.played.fetch_add(1, Ordering::Relaxed);
            Pair::play(|[player, _]| (first[0] > second[0]) == (player == 0))
        }
    }

    fn tuner(round: Round) -> Tuner<Greater> {
        let axis = Axis {
            step: 1.0,
            min: -1e9,
            max: 1e9,
            whole: false,
        };
        let spsa = Spsa::new(vec![axis], Gains::OpenEnded, vec![0.0]);
        Tuner::new(Greater::default(), spsa, round, 0)
    }

    const ROUND: Round = Round {
        trials: 4,
        pairs: 3,
    };

    #[test]
    fn rounds_have_their_length_and_move_the_values() {
        let moved = [1, 3].map(|threads| {
            let jobs = Jobs::unstoppable(threads);
            let mut tuner = tuner(ROUND);
            let mut seen = 0;
            let mut before = tuner.values();
            for (trials, pairs) in [(4, 12), (8, 24), (10, 30)] {
                assert!(tuner.round(10, &jobs, &mut || seen += 1));
                assert_eq!((tuner.trials(), seen), (trials, pairs));
                assert_eq!(tuner.objective.played.load(Ordering::Relaxed), pairs);
                assert!(tuner.values() > before);
                before = tuner.values();
            }
            before
        });
        assert_eq!(moved[0], moved[1]);
        // Each pair of a trial moves the value by about 0.02.
        assert!((moved[0] - 10.0 * 3.0 * 0.02).abs() < 0.01, "{moved:?}");
    }

    #[test]
    fn a_stop_changes_nothing() {
        let stop = AtomicBool::new(false);
        let jobs = Jobs {
            threads: 1,
            stop: &stop,
        };
        let mut tuner = tuner(ROUND);
        let mut set = || stop.store(true, Ordering::Relaxed);
        assert!(!tuner.round(100, &jobs, &mut set));
        assert_eq!((tuner.trials(), tuner.values()), (0, 0.0));
    }
}
