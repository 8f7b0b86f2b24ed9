//! Judges whether a candidate is an even opening: by a deep search, and by trial games from
//! it if wanted. With cards, a candidate that is not even is followed by further boards of
//! the same game (`card_candidates.rs`).

use std::collections::HashMap;

use super::book::Opening;
use super::book_options::BookOptions;
use super::candidate::{candidate, is_quiet};
use super::card_candidates::CardCandidates;
use super::fixed_nodes::FixedNodeEngine;
use crate::arena::WinShare;
use crate::jobs::Jobs;
use crate::rules::{Cards, Position};
use crate::search::{Limits, is_proved};
use crate::seeds::{derive_seed, seeded};

/// The transposition table of an engine in MiB.
const HASH_MIB: usize = 16;
/// A shallow search, with the nodes divided by this, first rejects candidates beyond
/// [`SHALLOW_MARGIN`] margins.
const SHALLOW_PART: u64 = 10;
const SHALLOW_MARGIN: f64 = 2.0;

/// With cards, the first candidates aim at these scores for the player to move, in turn:
/// even boards alone would not show what a score is worth.
const FIRST_SCORES: [i32; 4] = [-150, 50, -50, 150];

/// How much failed trials change the worth of a board, in hundredths of a level.
const TRIAL_WORTH: i32 = 100;
/// Makes the random numbers of trials differ from the numbers for candidates.
const TRIAL_SEED: u64 = 1;

/// A candidate searched deeply and tried in games.
#[derive(Clone, Copy)]
pub(super) struct Judged {
    pub opening: Opening,
    /// The distance from one half of the expected win share, or of the share won in failed
    /// trials if that is farther.
    pub distance: f64,
    pub is_even: bool,
    /// The worth of the board for the player to move: its score, plus or minus one level if
    /// trials failed.
    worth: i32,
}

/// Judges candidates.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub options: &'a BookOptions,
    pub jobs: &'a Jobs<'a>,
    pub share: WinShare,
    /// The first candidates that are openings, by number.
    pub searched: &'a HashMap<u64, Opening>,
}

/// One of the first candidates, and whether the mover won the game from it. `None` if it is
/// not an opening.
pub(super) fn first_candidate(
    options: &BookOptions,
    jobs: &Jobs,
    number: u64,
) -> Option<(Opening, bool)> {
    let mut engine = FixedNodeEngine::new(options.eval, HASH_MIB, jobs.stop);
    let seed = derive_seed(options.seed, &[number]);
    let found = match options.cards_of(number) {
        [None, None] => candidate(seed, options.variety, &mut engine),
        cards => {
            let wanted = FIRST_SCORES[options.before(number) as usize % FIRST_SCORES.len()];
            let mut candidates =
                CardCandidates::new(seed, cards, options.variety, wanted, &mut engine);
            let level = candidates.next(&mut engine);
            Some(level.unwrap_or_else(|| candidates.board())).filter(is_quiet)
        }
    };
    let position = found?;
    let won = engine.mover_wins(&position, || options.game_nodes);
    let score = engine.score(&position, &Limits::nodes(options.nodes));
    (!is_proved(score)).then_some(((position, score), won))
}

impl Judge<'_> {
    /// Judges a candidate; `None` if it is not an opening.
    pub(super) fn judged(&self, number: u64) -> Option<Judged> {
        let mut engine = FixedNodeEngine::new(self.options.eval, HASH_MIB, self.jobs.stop);
        match self.options.cards_of(number) {
            _ if number < self.options.games => self
                .searched
                .get(&number)
                .map(|&opening| self.judge(opening, number, &mut engine)),
            [None, None] => self.without_cards(number, &mut engine),
            cards => self.with_cards(number, cards, &mut engine),
        }
    }

    /// Judges a given board; `None` if it is not an opening.
    pub(super) fn judged_board(&self, position: Position<5>) -> Option<Judged> {
        if !is_quiet(&position) {
            return None;
        }
        let mut engine = FixedNodeEngine::new(self.options.eval, HASH_MIB, self.jobs.stop);
        let opening = self.search(position, &mut engine)?;
        Some(self.judge(opening, position.symmetric_key(), &mut engine))
    }

    /// The candidate without cards, if it is about even.
    fn without_cards(&self, number: u64, engine: &mut FixedNodeEngine) -> Option<Judged> {
        let seed = derive_seed(self.options.seed, &[number]);
        let position = candidate(seed, self.options.variety, engine)?;
        let opening = self.search(position, engine)?;
        Some(self.judge(opening, number, engine))
    }

    /// The first even board of the candidate with cards, or its closest to even.
    fn with_cards(
        &self,
        number: u64,
        cards: Cards,
        engine: &mut FixedNodeEngine,
    ) -> Option<Judged> {
        let seed = derive_seed(self.options.seed, &[number]);
        let even = self.share.even_score();
        let mut candidates = CardCandidates::new(seed, cards, self.options.variety, even, engine);
        let mut nearest: Option<Judged> = None;
        while let Some(board) = candidates.next(engine) {
            let Some(opening) = self.search(board, engine) else {
                continue;
            };
            let judged = self.judge(opening, number, engine);
            if judged.is_even {
                return Some(judged);
            }
            candidates.learn(judged.worth);
            if nearest.is_none_or(|nearest| judged.distance < nearest.distance) {
                nearest = Some(judged);
            }
        }
        nearest
    }

    /// Searches a board deeply if a shallow search finds it about even.
    fn search(&self, position: Position<5>, engine: &mut FixedNodeEngine) -> Option<Opening> {
        let Self { options, .. } = self;
        let shallow = engine.score(&position, &Limits::nodes(options.nodes / SHALLOW_PART));
        if self.distance(shallow) > SHALLOW_MARGIN * options.margin {
            return None;
        }
        let score = engine.score(&position, &Limits::nodes(options.nodes));
        Some((position, score))
    }

    /// Judges a searched candidate. `trials` is the seed of its trials.
    fn judge(&self, opening: Opening, trials: u64, engine: &mut FixedNodeEngine) -> Judged {
        let (position, score) = opening;
        let distance = self.distance(score);
        let is_near = distance <= self.options.margin;
        let failed = match is_near {
            true => self.failed_trials(&position, trials, engine),
            false => None,
        };
        Judged {
            opening,
            distance: failed.map_or(distance, |won| distance.max((won - 0.5).abs())),
            is_even: is_near && failed.is_none(),
            worth: match failed {
                None => score,
                Some(won) if won > 0.5 => score + TRIAL_WORTH,
                Some(_) => score - TRIAL_WORTH,
            },
        }
    }

    /// The distance from one half of the expected win share at a score.
    fn distance(&self, score: i32) -> f64 {
        (self.share.of(score) - 0.5).abs()
    }

    /// The share of trials won by the player to move once one seat leads by too many;
    /// `None` if that never happens.
    fn failed_trials(
        &self,
        position: &Position<5>,
        trials: u64,
        engine: &mut FixedNodeEngine,
    ) -> Option<f64> {
        let seed = derive_seed(self.options.seed, &[trials, TRIAL_SEED]);
        let mut rng = seeded(seed);
        let mut won: u32 = 0;
        (1..=self.options.trials).find_map(|trial| {
            let nodes = self.options.trial_nodes(trial);
            won += u32::from(engine.mover_wins_trial(position, nodes, &mut rng));
            leads_too_far(won, trial - won, self.options.trials)
                .then(|| f64::from(won) / f64::from(trial))
        })
    }
}

/// Whether one seat leads by more games than an even board explains: by more than the
/// square root of the planned trials, which is the standard deviation of the lead.
fn leads_too_far(won: u32, lost: u32, trials: u32) -> bool {
    won.abs_diff(lost).pow(2) > trials
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::openings::Variety;

    #[test]
    fn more_trials_allow_a_larger_lead() {
        for (trials, most) in [(1, 1), (2, 1), (4, 2), (6, 2), (9, 3), (16, 4), (1000, 31)] {
            assert!(!leads_too_far(most, 0, trials) && !leads_too_far(5, 5 + most, trials));
            assert!(leads_too_far(most + 1, 0, trials) && leads_too_far(5, 6 + most, trials));
        }
    }

    #[test]
    fn failed_trials_increase_the_distance_from_even() {
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
        // By score all are even.
        let share = WinShare {
            to_move: 0.0,
            level: 0.001,
        };
        let judged = |trials| -> Vec<Judged> {
            let judge = Judge {
                options: &options(trials),
                jobs: &Jobs::unstoppable(1),
                share,
                searched: &HashMap::new(),
            };
            (0..30).filter_map(|number| judge.judged(number)).collect()
        };
        let by_score = judged(0);
        assert!(by_score.iter().all(|it| it.is_even && it.distance < 0.1));
        let played = judged(4);
        assert_eq!(played.len(), by_score.len());
        let (even, failed): (Vec<_>, Vec<_>) = played.into_iter().partition(|it| it.is_even);
        assert!(!even.is_empty() && !failed.is_empty());
        assert!(even.iter().all(|it| it.distance < 0.1));
        // With four trials a lead of three is reached in the third or never.
        assert!(failed.iter().all(|it| it.distance == 0.5));
    }
}
