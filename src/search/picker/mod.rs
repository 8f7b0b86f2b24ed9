//! The turns of a position, handed out best first: the turn from the table,
//! then killers, then by what was learned before and by history.
//!
//! In the base game the other turns are kept by their steps (`fans.rs`), with
//! cards, which allow turns of many kinds, all turns one by one (`list.rs`).

mod fans;
mod list;

use crate::rules::{Bitboard, Position, Side, Turn};

use super::history::{History, player};
use super::policy::Policy;
use super::policy::cases::Step;
use fans::Fans;
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

/// What the other turns are ordered by.
pub struct Ordering<'a> {
    pub history: &'a History,
    pub policy: &'a Policy,
}

impl Ordering<'_> {
    /// The part of a turn's value that its step decides.
    #[inline(always)]
    fn step<const N: usize>(&self, position: &Position<N>, turn: Turn, step: &Step) -> i32 {
        self.history.step(player(position), turn) + self.policy.step(step)
    }
}

/// The turns of a position that are left.
#[derive(Default)]
pub struct Picker {
    early: Early,
    /// How many of the early turns have been looked at.
    looked_at: usize,
    /// Whether the other turns have been generated.
    filled: bool,
    fans: Fans,
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
            self.fans.fill(position, builds, self.early, ordering);
            self.filled = true;
        }
        self.fans.pick()
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
    use super::super::params::{HISTORY_MAX, Params};
    use super::super::policy::Learned;
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
        let policy = Policy::new(Learned::embedded(), Params::DEFAULT.policy_weight);
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
                policy: &policy,
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
            history.update(
                player(&position),
                HISTORY_MAX / 2,
                turn,
                &all[..all.len() / 2],
            );
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
}
