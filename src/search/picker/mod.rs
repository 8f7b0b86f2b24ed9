//! The move picker: picks the turns of a position, best first. The table's turn
//! comes first, then killers, then the others by history and the levels they climb.
//!
//! In the base game the other turns are grouped by step (`by_step.rs`). With cards,
//! which allow turns of many kinds, all turns are in one list (`list.rs`).

mod by_step;
mod list;

use crate::rules::{Bitboard, Position, Side, Square, Turn, WinPaths};

use super::features::{CHUNK, MoveFeatures};
use super::history::History;
use super::params::Params;
use by_step::TurnsByStep;
use list::TurnList;

/// The bits of an ordering score, one of them for its sign.
const SCORE_BITS: u32 = 22;
/// The score of the table's turn; those of the killers follow below.
const TT_SCORE: i32 = (1 << (SCORE_BITS - 1)) - 1;
/// The table's turn and killers score at least this, other turns less.
pub const MIN_KILLER_SCORE: i32 = 1 << 19;

/// The table's turn and the killers, which are searched before all others.
pub type TtAndKillers = [Option<Turn>; 3];

/// What orders the other turns.
pub struct MoveOrdering<'a> {
    pub history: &'a History,
    pub params: &'a Params,
}

impl MoveOrdering<'_> {
    /// The part of a turn's score that depends on its step.
    #[inline(always)]
    fn step(&self, player: usize, features: &MoveFeatures, turn: Turn) -> i32 {
        let climb = features.level(turn.to()) as i32 - features.level(turn.from()) as i32;
        let by_features = self.history.step_features(features, turn);
        self.history.step(player, turn)
            + weighted(by_features, self.params.step_feature_weight)
            + self.params.climb_value * climb
    }

    /// The part that depends on what it builds, and on what else its card allows.
    fn builds(&self, player: usize, features: &MoveFeatures, turn: Turn) -> i32 {
        let by_features = self.history.build_features(features, turn);
        self.history.build(player, turn)
            + self.history.extra(player, turn)
            + weighted(by_features, self.params.build_feature_weight)
    }

    /// The part by features of builds on a chunk of squares, after a step from `from`
    /// to a square of this level.
    #[inline(always)]
    fn builds_features(
        &self,
        features: &MoveFeatures,
        from: Square,
        level: usize,
        start: usize,
    ) -> [i32; CHUNK] {
        let values = (self.history).builds_features(features, from, level, start);
        let mut scores = [0; CHUNK];
        for lane in 0..CHUNK {
            scores[lane] = weighted(values[lane].into(), self.params.build_feature_weight);
        }
        scores
    }
}

/// A value times a weight in sixteenths.
#[inline(always)]
fn weighted(value: i32, weight: i32) -> i32 {
    (value * weight) >> 4
}

/// The turns of a position that are left.
#[derive(Default)]
pub struct Picker {
    tt_and_killers: TtAndKillers,
    /// The index of the next one to try.
    next: usize,
    /// Whether the other turns have been generated.
    filled: bool,
    by_step: TurnsByStep,
    list: TurnList,
}

impl Picker {
    /// Starts with a new position; the table's turn and killers need not be legal.
    pub fn start(&mut self, tt_and_killers: TtAndKillers) {
        self.tt_and_killers = tt_and_killers;
        self.next = 0;
        self.filled = false;
    }

    /// Picks the best turn left of those that do not win at once and meet the
    /// opponent's threats, with its score: at least [`MIN_KILLER_SCORE`] for the
    /// table's turn and killers. In the base game these turns build on `builds`, with
    /// cards they change something about each of `wins`.
    ///
    /// In the base game the other turns are generated only if these do not cut off.
    /// Measured: they do at three nodes of ten.
    pub fn pick<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        wins: &WinPaths,
        ordering: &MoveOrdering,
    ) -> Option<(Turn, i32)> {
        if position.card(Side::Mover).is_some() {
            if !self.filled {
                self.list
                    .fill(position, wins, self.tt_and_killers, ordering);
                self.filled = true;
            }
            return self.list.pick();
        }
        if let Some(picked) = self.pick_tt_or_killer(position, builds) {
            return Some(picked);
        }
        if !self.filled {
            self.by_step
                .fill(position, builds, self.tt_and_killers, ordering);
            self.filled = true;
        }
        self.by_step.pick()
    }

    /// The next of the table's turn and killers that is legal in the base game, with
    /// its score.
    fn pick_tt_or_killer<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
    ) -> Option<(Turn, i32)> {
        while let Some(&turn) = self.tt_and_killers.get(self.next) {
            let index = self.next;
            self.next += 1;
            let is_new = !self.tt_and_killers[..index].contains(&turn);
            let turn = turn.filter(|&turn| is_new && position.has_quiet_step(turn, builds));
            if let Some(turn) = turn {
                return Some((turn, tt_or_killer_score(index)));
            }
        }
        None
    }
}

/// The score of the table's turn (index 0) or a killer.
const fn tt_or_killer_score(index: usize) -> i32 {
    TT_SCORE - index as i32
}

#[cfg(test)]
mod tests {
    use super::super::params::{HISTORY_MAX, TUNABLE};
    use super::*;
    use crate::rules::Geometry;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// All turns with their scores as they are picked.
    fn picked(mut pick: impl FnMut() -> Option<(Turn, i32)>) -> Vec<(Turn, i32)> {
        std::iter::from_fn(&mut pick).collect()
    }

    /// Plays a random game. In each position both pickers must pick all turns, the
    /// table's turn and killers first, then the best first, with the same scores.
    fn check_game<const N: usize>(start: &str, rng: &mut Xoshiro256PlusPlus) {
        let none = WinPaths::default();
        let mut position: Position<N> = start.parse().unwrap();
        let mut history = History::default();
        let (mut picker, mut list) = (Picker::default(), TurnList::default());
        let mut last = None;
        while position.has_turn() && !position.has_win() {
            let builds = Bitboard(rng.random::<u64>() | rng.random::<u64>()) & Geometry::<N>::BOARD;
            let mut turns = Vec::new();
            position.for_each_quiet(builds, |turn| turns.push(turn));
            let some = turns.sample(rng, 2).copied().collect::<Vec<_>>();
            // Some are legal, some come twice, some belong to the opponent.
            let tt_and_killers = [some.first().copied(), last, some.last().copied()];
            let ordering = MoveOrdering {
                history: &history,
                params: &Params::DEFAULT,
            };
            picker.start(tt_and_killers);
            list.fill(&position, &none, tt_and_killers, &ordering);
            let from_picker = picked(|| picker.pick(&position, builds, &none, &ordering));
            // The list leaves out no builds.
            let mut from_list = picked(|| list.pick());
            from_list.retain(|(turn, _)| turn.build().is_some_and(|build| builds.has(build)));
            for picked in [&from_picker, &from_list] {
                assert!(picked.is_sorted_by_key(|(_, score)| -score));
                assert_eq!(picked.first().map(|(turn, _)| *turn), tt_and_killers[0]);
                let tried = picked
                    .iter()
                    .filter(|(_, score)| *score >= MIN_KILLER_SCORE);
                assert_eq!(tried.count(), some.len());
            }
            let sorted = |mut picked: Vec<(Turn, i32)>| {
                picked.sort();
                picked
            };
            assert_eq!(sorted(from_picker.clone()), sorted(from_list));
            turns.sort();
            let all: Vec<Turn> = sorted(from_picker)
                .into_iter()
                .map(|(turn, _)| turn)
                .collect();
            assert_eq!(all, turns);
            let mut all = Vec::new();
            position.for_each_quiet(Geometry::<N>::BOARD, |turn| all.push(turn));
            let turn = *all.choose(rng).unwrap();
            history.update(&position, HISTORY_MAX / 2, turn, &all[..all.len() / 2]);
            position = position.play(turn);
            last = Some(turn);
        }
    }

    #[test]
    fn all_turns_are_handed_out_best_first() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..20 {
            check_game::<5>("00000/00000/00000/00000/00000 b3d3 c2c4 0", &mut rng);
            let six = "000000/000000/000000/000000/000000/000000 b3d3 c2e5 0";
            check_game::<6>(six, &mut rng);
        }
    }

    /// The score of a turn that has caused cutoffs only, with the greatest parameters.
    fn greatest_score(position: &str, turn: &str) -> i32 {
        let mut params = Params::DEFAULT;
        for tunable in TUNABLE {
            (tunable.set)(&mut params, tunable.max);
        }
        let position: Position<5> = position.parse().unwrap();
        let turn = Turn::parse::<5>(turn).unwrap();
        let mut history = History::default();
        for _ in 0..1000 {
            history.update(&position, params.history_bonus_max, turn, &[]);
        }
        let ordering = MoveOrdering {
            history: &history,
            params: &params,
        };
        let mut picker = Picker::default();
        picker.start([None; 3]);
        let none = WinPaths::default();
        let best = picker.pick(&position, Geometry::<5>::BOARD, &none, &ordering);
        let (best, score) = best.unwrap();
        assert_eq!(best, turn);
        score
    }

    #[test]
    fn scores_stay_below_those_of_killers() {
        let board = "00000/01000/00000/00000/00000 b3d3 c2c4 0";
        let plain = greatest_score(board, "b3-b2+b1");
        assert!((250_000..MIN_KILLER_SCORE).contains(&plain), "{plain}");
        let cards = format!("{board} Hephastus Pan");
        let twice = greatest_score(&cards, "b3-b2+b1+b1");
        assert!((400_000..MIN_KILLER_SCORE).contains(&twice), "{twice}");
    }
}
