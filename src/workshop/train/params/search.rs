//! The games that compare two sets of search parameters.

use std::sync::atomic::AtomicBool;

use super::file::Values;
use crate::arena::tuner::{Objective, Round, Tuner};
use crate::arena::{Pair, engine_pair};
use crate::openings::balanced::Start;
use crate::search::{EngineOptions, Limits, ParamSets, Params, Tunable};
use crate::seeds::{derive_seed, seeded};
use crate::stats::spsa::{Axis, Gains, Spsa, Trial};

/// The number of trials, of one pair of games each, before the values are updated. It is
/// fixed so that the result does not depend on the number of threads. Updates are small, so
/// the exact number matters little.
const ROUND: Round = Round {
    trials: 32,
    pairs: 1,
};

/// Separates the seeds of trials from the seeds of openings.
const TRIAL: u64 = 1;

/// Matches between searches with different parameters.
pub struct ParamGames {
    /// The openings of the games.
    pub start: Start<5>,
    /// The limits of each turn.
    pub limits: Limits,
    /// The seed of openings and games.
    pub seed: u64,
    /// The options of both players, apart from the parameters.
    pub player: EngineOptions,
    /// The values of parameters that are not tuned.
    pub built_in: Params,
    /// The parameters that differ between the players.
    pub tuned: Vec<&'static Tunable>,
}

impl ParamGames {
    /// A tuner that starts from these values, reached after this many pairs.
    pub fn tuner(self, values: Vec<f64>, pairs: u64) -> Tuner<Self> {
        let axes = self.tuned.iter().map(|tunable| Axis {
            step: tunable.step,
            min: tunable.min.into(),
            max: tunable.max.into(),
            whole: true,
        });
        let spsa = Spsa::new(axes.collect(), Gains::OpenEnded, values);
        Tuner::new(self, spsa, ROUND, pairs / ROUND.pairs)
    }

    /// The player with the parameters of a point.
    fn player(&self, point: &[f64]) -> EngineOptions {
        let mut params = self.built_in;
        for (tunable, &value) in self.tuned.iter().zip(point) {
            (tunable.set)(&mut params, value as i32);
        }
        EngineOptions {
            params: ParamSets::same(params),
            ..self.player
        }
    }
}

impl Objective for ParamGames {
    type Values = Values;

    fn values(&self, values: &[f64]) -> Values {
        self.tuned
            .iter()
            .copied()
            .zip(values.iter().copied())
            .collect()
    }

    /// Each trial has its own seed, so tuning can resume at any trial.
    fn trial(&mut self, spsa: &Spsa, number: u64) -> Trial {
        let seed = derive_seed(self.seed, &[TRIAL, number]);
        spsa.trial(number, &mut seeded(seed))
    }

    fn pair(&self, number: u64, points: &[Vec<f64>; 2], stop: &AtomicBool) -> Pair {
        let opening = self.start.board(self.seed, number, stop);
        let players = points.each_ref().map(|point| self.player(point));
        engine_pair(opening, players, &self.limits, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::jobs::Jobs;
    use crate::openings::balanced::RandomStart;
    use crate::search::{MAX_EVAL, TUNABLE};
    use crate::train::params::file::values_of;

    fn games() -> ParamGames {
        ParamGames {
            start: Start::Random(RandomStart {
                cards: true,
                turns: 0,
                margin: MAX_EVAL,
            }),
            limits: Limits::nodes(300),
            seed: 5,
            player: EngineOptions {
                eval: EvalKind::Weighted(Weights::TUNED),
                ..EngineOptions::default()
            },
            built_in: Params::DEFAULT,
            tuned: TUNABLE.iter().collect(),
        }
    }

    fn built_in() -> Vec<f64> {
        let values = values_of(TUNABLE, &Params::DEFAULT);
        values.into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn a_round_moves_the_parameters() {
        let jobs = Jobs::unstoppable(2);
        let mut tuner = games().tuner(built_in(), 0);
        let before = tuner.values();
        assert_eq!(before, values_of(TUNABLE, &Params::DEFAULT));
        assert!(tuner.round(1000, &jobs, &mut || {}));
        assert_eq!(tuner.trials(), ROUND.trials);
        assert!(tuner.values() != before);
    }

    #[test]
    fn players_use_the_parameters_of_their_points() {
        let games = games();
        for point in [built_in(), TUNABLE.iter().map(|it| it.min.into()).collect()] {
            let ParamSets { base, cards } = games.player(&point).params;
            assert_eq!(base, cards);
            let values = values_of(TUNABLE, &base);
            assert!(values.iter().map(|(_, value)| value).eq(&point));
        }
    }
}
