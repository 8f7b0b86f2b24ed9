//! Many pairs of games, and what they come to.

use serde::Serialize;

use super::games::{Games, Pair};
use crate::jobs::Jobs;
use crate::search::EngineOptions;
use crate::stats::{Duel, GameCounts, PairCounts, SprtSetting};

/// What the games of a match have come to so far.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Score {
    games: GameCounts,
    pairs: PairCounts,
    /// The games won by who moved first.
    first_mover: u64,
}

/// The outcome of a match, as its JSON shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The share of the games that was won by who moved first.
    pub first_mover_score: Option<f64>,
    #[serde(flatten)]
    pub duel: Duel,
}

impl Score {
    fn add(&mut self, pair: Pair) {
        for won in [pair.moving_first, pair.moving_second] {
            self.games.add(f64::from(u8::from(won)));
        }
        self.pairs.add(pair.wins() as f64);
        self.first_mover += u64::from(pair.moving_first) + u64::from(!pair.moving_second);
    }

    /// The pairs played.
    pub fn pairs(&self) -> u64 {
        self.pairs.count()
    }

    /// What is known by them about players with these names.
    pub fn outcome(&self, names: [String; 2], sprt: Option<SprtSetting>) -> Outcome {
        let games = self.games.count();
        Outcome {
            first_mover_score: (games > 0).then(|| self.first_mover as f64 / games as f64),
            duel: Duel::of(names, &self.games, &self.pairs, sprt),
        }
    }
}

/// Plays pairs until there are `most`, the test is decided, or the jobs are
/// stopped. `report` is called with the score after each pair. At fixed nodes
/// the score does not depend on the threads.
pub fn play<const N: usize>(
    games: &Games<N>,
    players: [EngineOptions; 2],
    most: u64,
    sprt: Option<SprtSetting>,
    jobs: &Jobs,
    mut report: impl FnMut(&Score),
) -> Score {
    let test = sprt.and_then(|setting| setting.test().ok());
    let mut score = Score::default();
    let play = |number| {
        let pair = games.pair(number, players, jobs.stop);
        // A game that was stopped has been cut short.
        (!jobs.is_stopped()).then_some(pair)
    };
    // What ends it before the last pair is no failure.
    let _ = jobs.run(0..most, play, |_, pair| {
        score.add(pair.ok_or(Ended)?);
        report(&score);
        match test.and_then(|test| test.decision(&score.pairs)) {
            Some(_) => Err(Ended),
            None => Ok(()),
        }
    });
    score
}

/// No more pairs are wanted.
struct Ended;

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::openings::balanced::{RandomStart, Start};
    use crate::search::{Limits, MAX_EVAL, ParamSets, Params};
    use crate::stats::EloModel;

    fn games() -> Games<5> {
        Games {
            start: Start::Random(RandomStart {
                cards: false,
                turns: 2,
                margin: MAX_EVAL,
            }),
            limits: Limits::nodes(300),
            seed: 1,
        }
    }

    fn players() -> [EngineOptions; 2] {
        let strong = EngineOptions {
            hash_mib: 1,
            eval: EvalKind::Weighted(Weights::TUNED),
            ..EngineOptions::default()
        };
        // It thinks of nothing but mobility.
        let mut weights = Weights::TUNED;
        weights.height = 0;
        let weak = EngineOptions {
            eval: EvalKind::Weighted(weights),
            params: ParamSets::same(Params::DEFAULT),
            ..strong
        };
        [strong, weak]
    }

    fn run(threads: usize, most: u64, sprt: Option<SprtSetting>, stop: bool) -> Score {
        let stop = AtomicBool::new(stop);
        let jobs = Jobs {
            threads,
            stop: &stop,
        };
        let mut seen = 0;
        let score = play(&games(), players(), most, sprt, &jobs, |score| {
            seen += 1;
            assert_eq!(score.pairs(), seen);
        });
        assert_eq!(score.pairs(), seen);
        score
    }

    #[test]
    fn the_score_is_that_of_the_pairs_for_any_threads() {
        let score = run(1, 30, None, false);
        assert_eq!(run(3, 30, None, false), score);
        let stop = AtomicBool::new(false);
        let pairs: Vec<Pair> = (0..30)
            .map(|number| games().pair(number, players(), &stop))
            .collect();
        let wins: u64 = pairs.iter().map(|pair| pair.wins()).sum();
        let outcome = score.outcome(["a".into(), "b".into()], None);
        assert_eq!(outcome.duel.games, [60 - wins, 0, wins]);
        assert_eq!(outcome.duel.pairs.iter().sum::<u64>(), 30);
        let by_first = pairs
            .iter()
            .map(|pair| u64::from(pair.moving_first) + u64::from(!pair.moving_second));
        let share = by_first.sum::<u64>() as f64 / 60.0;
        assert_eq!(outcome.first_mover_score, Some(share));
        assert!(outcome.duel.elo > Some(100.0), "{:?}", outcome.duel);
    }

    #[test]
    fn a_decided_test_and_a_stop_end_it() {
        let setting = SprtSetting {
            elo0: 0.0,
            elo1: 100.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
        };
        let score = run(2, 1000, Some(setting), false);
        let outcome = score.outcome(["a".into(), "b".into()], Some(setting));
        assert_eq!(outcome.duel.sprt.unwrap().decision, Some("H1"));
        assert!(score.pairs() < 200, "{score:?}");
        assert_eq!(run(2, 1000, None, true).pairs(), 0);
    }
}
