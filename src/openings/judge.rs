//! Whether a candidate is an even opening: by a deep search, and by games from it where
//! trials are wanted.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analyst::Analyst;
use super::candidate::candidate;
use super::even::BookOptions;
use super::share::WinShare;
use crate::jobs::Jobs;
use crate::rules::Position;
use crate::search::{Limits, is_proved};
use crate::seeds::derive_seed;

/// The transposition table of an engine in MiB.
const HASH_MIB: usize = 16;
/// Before the deep search a shallow one, with the nodes divided by this, sorts
/// out candidates beyond [`SHALLOW_MARGIN`] margins.
const SHALLOW_PART: u64 = 10;
const SHALLOW_MARGIN: f64 = 2.0;

/// By this many trials no seat of an even opening may lead.
const TRIAL_LEAD: i32 = 3;
/// The random numbers of the trials are apart from those of the candidate.
const TRIAL_SEED: u64 = 1;

/// A candidate searched deeply.
#[derive(Clone, Copy)]
pub struct Searched {
    pub position: Position<5>,
    pub score: i32,
}

/// A candidate searched deeply and played out.
#[derive(Clone, Copy)]
pub struct Judged {
    pub candidate: Searched,
    /// How far the expected win share is from one half, or that of the trials where one
    /// seat leads by too many, whichever is farther.
    pub distance: f64,
    pub is_even: bool,
}

/// What all candidates are judged by.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    pub options: &'a BookOptions,
    pub jobs: &'a Jobs<'a>,
    pub share: WinShare,
    /// Those of the first candidates that are openings, by their numbers.
    pub searched: &'a HashMap<u64, Searched>,
}

/// One of the first candidates, which are played out, and whether its mover wins;
/// `Some(None)` if it is no opening, `None` once stopped.
pub fn first_candidate(
    options: &BookOptions,
    jobs: &Jobs,
    number: u64,
) -> Option<Option<(Searched, bool)>> {
    let mut analyst = Analyst::new(options.eval, HASH_MIB, jobs.stop);
    let seed = derive_seed(options.seed, &[number]);
    let cards = options.cards_of(number);
    let found = candidate(seed, cards, options.variety, &mut analyst).and_then(|position| {
        let won = analyst.mover_wins(&position, || options.game_nodes);
        let score = analyst.score(&position, &Limits::nodes(options.nodes));
        (!is_proved(score)).then_some((Searched { position, score }, won))
    });
    (!analyst.is_stopped()).then_some(found)
}

impl Judge<'_> {
    /// A candidate that is perhaps even; `Some(None)` and `None` as in [`first_candidate`].
    pub fn judged(&self, number: u64) -> Option<Option<Judged>> {
        let mut analyst = Analyst::new(self.options.eval, HASH_MIB, self.jobs.stop);
        let found = match number < self.options.games {
            true => self.searched.get(&number).copied(),
            false => self.later_candidate(number, &mut analyst),
        };
        let judged = found.map(|candidate| self.judge(number, candidate, &mut analyst));
        (!analyst.is_stopped()).then_some(judged)
    }

    fn judge(&self, number: u64, candidate: Searched, analyst: &mut Analyst) -> Judged {
        let distance = self.distance(candidate.score);
        let trials = match distance <= self.options.margin {
            true => self.failed_trials(number, &candidate.position, analyst),
            false => None,
        };
        Judged {
            candidate,
            distance: trials.map_or(distance, |trials| distance.max(trials)),
            is_even: distance <= self.options.margin && trials.is_none(),
        }
    }

    /// A candidate after the first, which a shallow search finds about even.
    fn later_candidate(&self, number: u64, analyst: &mut Analyst) -> Option<Searched> {
        let options = self.options;
        let seed = derive_seed(options.seed, &[number]);
        let position = candidate(seed, options.cards_of(number), options.variety, analyst)?;
        let shallow = analyst.score(&position, &Limits::nodes(options.nodes / SHALLOW_PART));
        if self.distance(shallow) > SHALLOW_MARGIN * options.margin {
            return None;
        }
        let score = analyst.score(&position, &Limits::nodes(options.nodes));
        Some(Searched { position, score })
    }

    /// How far the expected win share of a score is from one half.
    fn distance(&self, score: i32) -> f64 {
        (self.share.of(score) - 0.5).abs()
    }

    /// How far the share of the trials is from one half when one seat leads by too many;
    /// `None` if none ever does. So that they differ, every turn has other nodes: from half
    /// of those of the trial to half as many again.
    fn failed_trials(
        &self,
        number: u64,
        position: &Position<5>,
        analyst: &mut Analyst,
    ) -> Option<f64> {
        let seed = derive_seed(self.options.seed, &[number, TRIAL_SEED]);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut lead: i32 = 0;
        (1..=self.options.trials).find_map(|trial| {
            let nodes = self.options.trial_nodes(trial);
            let turn_nodes = || rng.random_range(nodes / 2..=nodes * 3 / 2).max(1);
            lead += if analyst.mover_wins(position, turn_nodes) {
                1
            } else {
                -1
            };
            let fails = lead.abs() >= TRIAL_LEAD;
            fails.then(|| f64::from(TRIAL_LEAD) / f64::from(2 * trial))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::openings::Variety;

    #[test]
    fn failed_trials_are_farther_from_even_than_the_score() {
        let variety = Variety {
            turns: 2,
            slack: 30,
            nodes: 1000,
        };
        let options = |trials| BookOptions {
            eval: EvalKind::Weighted(Weights::TUNED),
            cards: false,
            openings: 1,
            candidates: 1,
            nodes: 1000,
            margin: 0.5,
            variety,
            games: 0,
            trials,
            game_nodes: 100,
            seed: 3,
        };
        // By their scores all are even.
        let share = WinShare {
            to_move: 0.0,
            level: 0.001,
        };
        let stop = AtomicBool::new(false);
        let judged = |trials| -> Vec<Judged> {
            let judge = Judge {
                options: &options(trials),
                jobs: &Jobs {
                    threads: 1,
                    stop: &stop,
                },
                share,
                searched: &HashMap::new(),
            };
            (0..30).filter_map(|number| judge.judged(number)?).collect()
        };
        let by_score = judged(0);
        assert!(by_score.iter().all(|it| it.is_even && it.distance < 0.1));
        let played = judged(4);
        assert_eq!(played.len(), by_score.len());
        let (even, failed): (Vec<_>, Vec<_>) = played.into_iter().partition(|it| it.is_even);
        assert!(!even.is_empty() && !failed.is_empty());
        assert!(even.iter().all(|it| it.distance < 0.1));
        // Of four trials a lead of three comes with the third or never.
        assert!(failed.iter().all(|it| it.distance == 0.5));
    }
}
