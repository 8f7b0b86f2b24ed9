//! The turns of a position, handed out best first: the turn from the table,
//! then killers, then by history and by the levels that they climb.
//!
//! In the base game the other turns are kept by their steps (`by_step.rs`), with
//! cards, which allow turns of many kinds, all turns one by one (`list.rs`).

mod by_step;
mod list;

use crate::rules::{Bitboard, Position, Side, Square, Turn};

use super::features::{Features, PART};
use super::history::History;
use super::params::Params;
use by_step::ByStep;
use list::List;

/// The bits of a value, one of them for its sign.
const VALUE_BITS: u32 = 22;
/// The value of the turn that comes first; those of killers follow it.
const FIRST: i32 = (1 << (VALUE_BITS - 1)) - 1;
/// More than the value of any turn that is neither first nor a killer.
pub const TRIED_VALUE: i32 = 1 << 19;

/// The turns that come before all others: the one from the table and the
/// killers.
pub type Early = [Option<Turn>; 3];

/// What the other turns are ordered by: history and climbs.
pub struct Ordering<'a> {
    pub history: &'a History,
    pub params: &'a Params,
}

impl Ordering<'_> {
    /// The part of a turn's value that its step decides.
    #[inline(always)]
    fn step(&self, player: usize, features: &Features, step: Turn) -> i32 {
        let (from, to) = (step.from(), step.to());
        let climb = features.level(to) as i32 - features.level(from) as i32;
        let by_features = self.history.step_features(features, from, to);
        self.history.step(player, from, to)
            + weighed(by_features, self.params.step_feature_weight)
            + self.params.climb_value * climb
    }

    /// The part that its build decides.
    #[inline(always)]
    fn build(&self, player: usize, features: &Features, turn: Turn, build: Square) -> i32 {
        let (from, to) = (turn.from(), turn.to());
        let by_features = self.history.build_features(features, from, to, build);
        self.history.build(player, to, build)
            + weighed(by_features, self.params.build_feature_weight)
    }

    /// What the features add to builds on the [`PART`] squares from `start` on,
    /// after a step from `from` onto `level`.
    #[inline(always)]
    fn builds(&self, features: &Features, from: Square, level: usize, start: usize) -> [i32; PART] {
        let values = (self.history).builds_features(features, from, level, start);
        let mut weighed_values = [0; PART];
        for lane in 0..PART {
            weighed_values[lane] = weighed(values[lane].into(), self.params.build_feature_weight);
        }
        weighed_values
    }
}

/// A value with its weight, in sixteenths.
#[inline(always)]
fn weighed(value: i32, weight: i32) -> i32 {
    (value * weight) >> 4
}

/// The turns of a position that are left.
#[derive(Default)]
pub struct Picker {
    early: Early,
    /// How many of the early turns have been looked at.
    looked_at: usize,
    /// Whether the other turns have been generated.
    filled: bool,
    by_step: ByStep,
    list: List,
}

impl Picker {
    /// Begins with the turns of a position, those that may be early among
    /// them.
    pub fn start(&mut self, early: Early) {
        self.early = early;
        self.looked_at = 0;
        self.filled = false;
    }

    /// Takes out the best turn left of those that do not win at once and build
    /// on `builds`. With it comes its value, which for early turns is
    /// [`TRIED_VALUE`] at least.
    ///
    /// In the base game the other turns are generated only after the early
    /// ones: where one of these cuts off, never. Measured: it does at three
    /// nodes of ten.
    pub fn pick<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        ordering: &Ordering,
    ) -> Option<(Turn, i32)> {
        if position.card(Side::Mover).is_some() {
            if !self.filled {
                self.list.fill(position, builds, self.early, ordering);
                self.filled = true;
            }
            return self.list.pick();
        }
        if let Some(early) = self.pick_early(position, builds) {
            return Some(early);
        }
        if !self.filled {
            self.by_step.fill(position, builds, self.early, ordering);
            self.filled = true;
        }
        self.by_step.pick()
    }

    /// The next early turn that the base game allows, and its value.
    fn pick_early<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
    ) -> Option<(Turn, i32)> {
        while let Some(&turn) = self.early.get(self.looked_at) {
            let place = self.looked_at;
            self.looked_at += 1;
            let is_new = !self.early[..place].contains(&turn);
            let turn = turn.filter(|&turn| is_new && position.has_quiet_step(turn, builds));
            if let Some(turn) = turn {
                return Some((turn, early_value(place)));
            }
        }
        None
    }
}

/// The value of an early turn.
const fn early_value(place: usize) -> i32 {
    FIRST - place as i32
}

#[cfg(test)]
mod tests {
    use super::super::params::{HISTORY_MAX, Params, TUNABLE};
    use super::*;
    use crate::rules::Geometry;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// All turns with their values as they are picked.
    fn picked(mut pick: impl FnMut() -> Option<(Turn, i32)>) -> Vec<(Turn, i32)> {
        std::iter::from_fn(&mut pick).collect()
    }

    /// Plays a random game; in each position both ways to keep turns must hand
    /// out all of them, the early and the best first, with the same values.
    fn check_game<const N: usize>(start: &str, rng: &mut Xoshiro256PlusPlus) {
        let mut position: Position<N> = start.parse().unwrap();
        let mut history = History::default();
        let (mut picker, mut list) = (Picker::default(), List::default());
        let mut last = None;
        while position.has_turn() && !position.has_win() {
            let builds = Bitboard(rng.random::<u64>() | rng.random::<u64>()) & Geometry::<N>::BOARD;
            let mut turns = Vec::new();
            position.for_each_quiet(builds, |turn| turns.push(turn));
            let some = turns.sample(rng, 2).copied().collect::<Vec<_>>();
            // Some of these are legal, some come twice, some are of the
            // opponent.
            let early = [some.first().copied(), last, some.last().copied()];
            let ordering = Ordering {
                history: &history,
                params: &Params::DEFAULT,
            };
            picker.start(early);
            list.fill(&position, builds, early, &ordering);
            let from_picker = picked(|| picker.pick(&position, builds, &ordering));
            let from_list = picked(|| list.pick());
            for picked in [&from_picker, &from_list] {
                assert!(picked.is_sorted_by_key(|(_, value)| -value));
                assert_eq!(picked.first().map(|(turn, _)| *turn), early[0]);
                let tried = picked.iter().filter(|(_, value)| *value >= TRIED_VALUE);
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

    #[test]
    fn turns_never_pass_those_that_are_tried_first() {
        let mut params = Params::DEFAULT;
        for tunable in TUNABLE {
            (tunable.set)(&mut params, tunable.greatest);
        }
        let board = "00000/01000/00000/00000/00000 b3d3 c2c4 0";
        let position: Position<5> = board.parse().unwrap();
        let climb = Turn::parse::<5>("b3-b2+b1").unwrap();
        let mut history = History::default();
        for _ in 0..1000 {
            history.update(&position, params.history_bonus_max, climb, &[]);
        }
        let ordering = Ordering {
            history: &history,
            params: &params,
        };
        let mut picker = Picker::default();
        picker.start([None; 3]);
        let (best, value) = picker
            .pick(&position, Geometry::<5>::BOARD, &ordering)
            .unwrap();
        assert!(
            best == climb && (250_000..TRIED_VALUE).contains(&value),
            "{value}"
        );
    }
}
