//! The turns of a position, handed out best first: the turn from the table,
//! then killers, then by history and by the levels that they climb.
//!
//! In the base game the turns are kept by their steps (`fans.rs`), with cards,
//! which allow turns of many kinds, one by one (`list.rs`).

mod fans;
mod list;

use crate::rules::{Bitboard, Position, Side, Turn};

use super::cases::Step;
use super::history::{History, player};
use super::params::{KILLER_VALUE, Params};
use fans::Fans;
use list::List;

/// More than the value of any turn that is neither first nor a killer.
pub const TRIED_VALUE: i32 = KILLER_VALUE / 2;
/// The bits of a value, one of them for its sign.
const VALUE_BITS: u32 = 22;
/// The value of the turn that comes first: no other is as great.
const FIRST: i32 = (1 << (VALUE_BITS - 1)) - 1;

/// What turns are ordered by: `first` comes first, then the killers, then
/// the rest by history and climbs.
pub struct Ordering<'a> {
    pub first: Option<Turn>,
    pub killers: [Option<Turn>; 2],
    pub history: &'a History,
    pub params: &'a Params,
}

impl Ordering<'_> {
    /// The part of a turn's value that its step decides.
    #[inline(always)]
    fn step<const N: usize>(&self, position: &Position<N>, turn: Turn, step: &Step) -> i32 {
        let history = self.history.step(player(position), turn, step, self.params);
        history + self.params.climb_value * step.climb
    }
}

/// The turns of a position that are left.
#[derive(Default)]
pub struct Picker {
    fans: Fans,
    list: List,
}

impl Picker {
    /// Takes all turns that do not win at once and build on `builds`.
    pub fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        ordering: &Ordering,
    ) {
        if position.card(Side::Mover).is_none() {
            self.list.clear();
            self.fans.fill(position, builds, ordering);
        } else {
            self.fans.clear();
            self.list.fill(position, builds, ordering);
        }
    }

    /// Takes out the best turn left. With it comes its value, which for the
    /// first turn and for killers is [`TRIED_VALUE`] at least.
    pub fn pick(&mut self) -> Option<(Turn, i32)> {
        self.fans.pick().or_else(|| self.list.pick())
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::HISTORY_MAX;
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
    /// out all of them, the best first, with the same values.
    fn check_game<const N: usize>(start: &str, rng: &mut Xoshiro256PlusPlus) {
        let mut position: Position<N> = start.parse().unwrap();
        let mut history = History::default();
        let (mut fans, mut list) = (Fans::default(), List::default());
        while position.has_turn() && !position.has_win() {
            let builds = Bitboard(rng.random::<u64>() | rng.random::<u64>()) & Geometry::<N>::BOARD;
            let mut turns = Vec::new();
            position.for_each_quiet(builds, |turn| turns.push(turn));
            let mut some = turns.sample(rng, 3).copied();
            let ordering = Ordering {
                first: some.next(),
                killers: [some.next(), some.next()],
                history: &history,
                params: &Params::DEFAULT,
            };
            fans.fill(&position, builds, &ordering);
            list.fill(&position, builds, &ordering);
            let from_fans = picked(|| fans.pick());
            let from_list = picked(|| list.pick());
            for picked in [&from_fans, &from_list] {
                assert!(picked.is_sorted_by_key(|(_, value)| -value));
                assert_eq!(picked.first().map(|(turn, _)| *turn), ordering.first);
            }
            let sorted = |mut picked: Vec<(Turn, i32)>| {
                picked.sort();
                picked
            };
            assert_eq!(sorted(from_fans.clone()), sorted(from_list));
            turns.sort();
            let all: Vec<Turn> = sorted(from_fans)
                .into_iter()
                .map(|(turn, _)| turn)
                .collect();
            assert_eq!(all, turns);
            let mut all = Vec::new();
            position.for_each_quiet(Geometry::<N>::BOARD, |turn| all.push(turn));
            let turn = *all.choose(rng).unwrap();
            history.update(&position, HISTORY_MAX / 2, turn, &all[..all.len() / 2]);
            position = position.play(turn);
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
