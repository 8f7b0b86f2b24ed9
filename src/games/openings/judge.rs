//! Whether a candidate is an even opening: by a deep search, and by games from it where
//! trials are wanted. With cards a candidate that is not even goes on to the next board
//! that may be (`levelling.rs`).

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analyst::Analyst;
use super::candidate::{candidate, is_quiet};
use super::even::BookOptions;
use super::levelling::Levelling;
use crate::arena::WinShare;
use crate::jobs::Jobs;
use crate::rules::{Cards, Position};
use crate::search::{Limits, is_proved};
use crate::seeds::derive_seed;

/// The transposition table of an engine in MiB.
const HASH_MIB: usize = 16;
/// Before the deep search a shallow one, with the nodes divided by this, sorts
/// out candidates beyond [`SHALLOW_MARGIN`] margins.
const SHALLOW_PART: u64 = 10;
const SHALLOW_MARGIN: f64 = 2.0;

/// With cards the first candidates in turn are to have these scores for the player to move,
/// since boards that are all level do not tell what a score is worth.
const FIRST_SCORES: [i32; 4] = [-150, 50, -50, 150];

/// The worth of these trials, in hundredths of a level.
const TRIAL_WORTH: i32 = 100;
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
    /// What the board is worth to the player to move: its score, one level more or less
    /// for trials that were won or lost.
    worth: i32,
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
    let found = match options.cards_of(number) {
        [None, None] => candidate(seed, options.variety, &mut analyst),
        cards => {
            let wanted = FIRST_SCORES[options.before(number) as usize % FIRST_SCORES.len()];
            let mut levelling = Levelling::new(seed, cards, options.variety, wanted, &mut analyst);
            let level = levelling.next(&mut analyst);
            Some(level.unwrap_or_else(|| levelling.board())).filter(is_quiet)
        }
    };
    let found = found.and_then(|position| {
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
        let judged = match self.options.cards_of(number) {
            _ if number < self.options.games => self
                .searched
                .get(&number)
                .map(|&candidate| self.judge(candidate, number, &mut analyst)),
            [None, None] => self.good_turns(number, &mut analyst),
            cards => self.levelled(number, cards, &mut analyst),
        };
        (!analyst.is_stopped()).then_some(judged)
    }

    /// A given board that is perhaps even; `Some(None)` and `None` as in [`first_candidate`].
    pub fn judged_board(&self, position: Position<5>) -> Option<Option<Judged>> {
        let mut analyst = Analyst::new(self.options.eval, HASH_MIB, self.jobs.stop);
        let judged = match is_quiet(&position) {
            true => self.search(position, &mut analyst),
            false => None,
        };
        let trials = position.symmetric_key();
        let judged = judged.map(|searched| self.judge(searched, trials, &mut analyst));
        (!analyst.is_stopped()).then_some(judged)
    }

    /// A placement and good turns after it, about even.
    fn good_turns(&self, number: u64, analyst: &mut Analyst) -> Option<Judged> {
        let seed = derive_seed(self.options.seed, &[number]);
        let position = candidate(seed, self.options.variety, analyst)?;
        let searched = self.search(position, analyst)?;
        Some(self.judge(searched, number, analyst))
    }

    /// The first even board of those that come nearer and nearer to it, or the nearest.
    fn levelled(&self, number: u64, cards: Cards, analyst: &mut Analyst) -> Option<Judged> {
        let seed = derive_seed(self.options.seed, &[number]);
        let even = self.share.even_score();
        let mut levelling = Levelling::new(seed, cards, self.options.variety, even, analyst);
        let mut nearest: Option<Judged> = None;
        while let Some(board) = levelling.next(analyst) {
            let Some(searched) = self.search(board, analyst) else {
                continue;
            };
            let judged = self.judge(searched, number, analyst);
            if judged.is_even {
                return Some(judged);
            }
            levelling.learn(judged.worth);
            if nearest.is_none_or(|nearest| judged.distance < nearest.distance) {
                nearest = Some(judged);
            }
        }
        nearest
    }

    /// The score of a deep search, of a board that a shallow one finds about even.
    fn search(&self, position: Position<5>, analyst: &mut Analyst) -> Option<Searched> {
        let Self { options, .. } = self;
        let shallow = analyst.score(&position, &Limits::nodes(options.nodes / SHALLOW_PART));
        if self.distance(shallow) > SHALLOW_MARGIN * options.margin {
            return None;
        }
        let score = analyst.score(&position, &Limits::nodes(options.nodes));
        Some(Searched { position, score })
    }

    /// `trials` tells the random numbers of its trials from those of others.
    fn judge(&self, candidate: Searched, trials: u64, analyst: &mut Analyst) -> Judged {
        let Searched { position, score } = candidate;
        let distance = self.distance(score);
        let is_near = distance <= self.options.margin;
        let failed = match is_near {
            true => self.failed_trials(&position, trials, analyst),
            false => None,
        };
        Judged {
            candidate,
            distance: failed.map_or(distance, |won| distance.max((won - 0.5).abs())),
            is_even: is_near && failed.is_none(),
            worth: match failed {
                None => score,
                Some(won) if won > 0.5 => score + TRIAL_WORTH,
                Some(_) => score - TRIAL_WORTH,
            },
        }
    }

    /// How far the expected win share of a score is from one half.
    fn distance(&self, score: i32) -> f64 {
        (self.share.of(score) - 0.5).abs()
    }

    /// The share of the trials that the player to move wins when one seat leads by too
    /// many; `None` if none ever does. So that they differ, every turn has other nodes: from
    /// half of those of the trial to half as many again.
    fn failed_trials(
        &self,
        position: &Position<5>,
        trials: u64,
        analyst: &mut Analyst,
    ) -> Option<f64> {
        let seed = derive_seed(self.options.seed, &[trials, TRIAL_SEED]);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut won: u32 = 0;
        (1..=self.options.trials).find_map(|trial| {
            let nodes = self.options.trial_nodes(trial);
            let turn_nodes = || rng.random_range(nodes / 2..=nodes * 3 / 2).max(1);
            won += u32::from(analyst.mover_wins(position, turn_nodes));
            leads_too_far(won, trial - won, self.options.trials)
                .then(|| f64::from(won) / f64::from(trial))
        })
    }
}

/// Whether one seat leads by more games than an even board explains: by more than the
/// square root of the trials that are to be played, the standard deviation of the lead.
fn leads_too_far(won: u32, lost: u32, trials: u32) -> bool {
    won.abs_diff(lost).pow(2) > trials
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::openings::Variety;

    #[test]
    fn the_more_trials_the_more_one_seat_may_lead() {
        for (trials, most) in [(1, 1), (2, 1), (4, 2), (6, 2), (9, 3), (16, 4), (1000, 31)] {
            assert!(!leads_too_far(most, 0, trials) && !leads_too_far(5, 5 + most, trials));
            assert!(leads_too_far(most + 1, 0, trials) && leads_too_far(5, 6 + most, trials));
        }
    }

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
