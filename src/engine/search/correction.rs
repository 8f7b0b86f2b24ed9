//! Correction history: learns how far off the evaluation was, according to searches, and
//! corrects it in positions with the same levels, the same workers or the same last turn.
//! Chess engines use pawns instead of levels and pieces instead of workers: Caissa was the
//! first, in 2023.

use crate::rules::{Position, Side, Turn};

use super::history::ByPlayer;
use super::params::CorrectionWeights;

/// The number of values of a player, a power of two.
const SIZE: usize = 1 << SIZE_BITS;
const SIZE_BITS: u32 = 14;
/// The bound of a value.
const MAX: i32 = 1024;
/// The maximum change of a value by one search.
const MAX_BONUS: i32 = MAX / 4;
/// A value times a weight is divided by this.
const SCALE: i32 = 512;

/// The corrections of one thread.
#[derive(Default)]
pub(super) struct Corrections {
    by_levels: Values,   // [player][hash of the levels]
    by_workers: Values,  // [player][hash of all workers]
    by_turn: Values,     // [player][hash of the player's workers and the opponent's last turn]
    by_own_turn: Values, // [player][hash of the player's workers and the player's last turn]
}

impl Corrections {
    /// Reads the values into the caches.
    pub(super) fn warm(&self) {
        self.by_levels.warm();
        self.by_workers.warm();
        self.by_turn.warm();
        self.by_own_turn.warm();
    }

    /// What to add to the evaluation of a position, in hundredths of a level. `last` are the
    /// opponent's and the player's last turn.
    pub(super) fn of<const N: usize>(
        &self,
        position: &Position<N>,
        last: [Option<Turn>; 2],
        weights: CorrectionWeights,
    ) -> i32 {
        let player = position.player();
        let levels = self.by_levels.get(player, position.levels_key());
        let workers = self.by_workers.get(player, position.workers_key());
        let [turn, own_turn] = last.map(|turn| turn_key(position, turn));
        let turn = self.by_turn.get(player, turn);
        let own_turn = self.by_own_turn.get(player, own_turn);
        let sum = levels * weights.levels
            + workers * weights.workers
            + turn * weights.turn
            + own_turn * weights.own_turn;
        sum / SCALE
    }

    /// Learns the error of an evaluation: the score of a search of this depth minus it.
    pub(super) fn learn<const N: usize>(
        &mut self,
        position: &Position<N>,
        last: [Option<Turn>; 2],
        error: i32,
        depth: i32,
    ) {
        let player = position.player();
        let bonus = (error * depth / 8).clamp(-MAX_BONUS, MAX_BONUS);
        (self.by_levels).add(player, position.levels_key(), bonus);
        (self.by_workers).add(player, position.workers_key(), bonus);
        let [turn, own_turn] = last.map(|turn| turn_key(position, turn));
        self.by_turn.add(player, turn, bonus);
        self.by_own_turn.add(player, own_turn, bonus);
    }
}

/// A hash of the mover's workers and an earlier turn.
fn turn_key<const N: usize>(position: &Position<N>, turn: Option<Turn>) -> u64 {
    let turn = turn.map_or(0, Turn::bits);
    // Fibonacci hashing: the highest bits of the product depend on all.
    (position.workers(Side::Mover).0 ^ u64::from(turn) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Values by player and hash.
type Values = ByPlayer<[i16; SIZE]>;

impl Values {
    fn get(&self, player: usize, hash: u64) -> i32 {
        self.0[player][place(hash)].into()
    }

    /// Adds a bonus, less the nearer the value is to its bound.
    fn add(&mut self, player: usize, hash: u64, bonus: i32) {
        let value = &mut self.0[player][place(hash)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MAX) as i16;
    }
}

/// The index of a hash.
fn place(hash: u64) -> usize {
    (hash >> (u64::BITS - SIZE_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights of levels, workers, turn and own turn.
    const fn weights([levels, workers, turn, own_turn]: [i32; 4]) -> CorrectionWeights {
        CorrectionWeights {
            levels,
            workers,
            turn,
            own_turn,
        }
    }

    const LEVELS: CorrectionWeights = weights([32, 0, 0, 0]);
    const WORKERS: CorrectionWeights = weights([0, 32, 0, 0]);
    const TURN: CorrectionWeights = weights([0, 0, 32, 0]);
    const OWN_TURN: CorrectionWeights = weights([0, 0, 0, 32]);
    const ALL: CorrectionWeights = weights([32, 32, 32, 32]);

    fn position(text: &str) -> Position<5> {
        text.parse().unwrap()
    }

    #[test]
    fn what_searches_find_corrects_positions_of_the_same_player() {
        let searched = position("01000/00200/00000/00010/00000 b3d3 c2c4 6 Pan Atlas");
        let turn = |text| Turn::parse::<5>(text).ok();
        let [opponents, own] = ["c1-c2+c1", "b2-b3+b2"].map(turn);
        let [other_opponents, other_own] = ["c1-c2+d1", "b2-b3+c2"].map(turn);
        let last = [opponents, own];
        let mut corrections = Corrections::default();
        assert_eq!(corrections.of(&searched, last, ALL), 0);
        corrections.learn(&searched, last, -40, 4);
        let once = corrections.of(&searched, last, ALL);
        assert!((-12..0).contains(&once), "{once}");
        for _ in 0..100 {
            corrections.learn(&searched, last, -900, 6);
        }
        let most = corrections.of(&searched, last, LEVELS);
        assert!((-64..-60).contains(&most), "{most}");
        let kinds = [LEVELS, WORKERS, TURN, OWN_TURN];
        for (text, last, expected) in [
            (
                "01000/00200/00000/00010/00000 b3d3 c2c4 6 Pan Atlas",
                last,
                [most; 4],
            ),
            (
                "01000/00200/00000/00010/00000 a1e5 c2c4 8 Pan Atlas",
                last,
                [most, 0, 0, 0],
            ),
            (
                "01000/00200/00000/00011/00000 b3d3 c2c4 8 Pan Atlas",
                [other_opponents, other_own],
                [0, most, 0, 0],
            ),
            (
                "01000/00200/00000/00011/00000 b3d3 c1c4 8 Pan Atlas",
                [opponents, other_own],
                [0, 0, most, 0],
            ),
            (
                "01000/00200/00000/00011/00000 b3d3 c1c4 8 Pan Atlas",
                [other_opponents, own],
                [0, 0, 0, most],
            ),
            (
                "01000/00200/00000/00010/00000 c2c4 b3d3 8 Pan Atlas",
                last,
                [most, 0, 0, 0],
            ),
            (
                "01000/00200/00000/00010/00000 b3d3 c2c4 7 Atlas Pan",
                last,
                [0; 4],
            ),
        ] {
            let found = kinds.map(|kind| corrections.of(&position(text), last, kind));
            assert_eq!(found, expected, "{text}");
        }
        corrections.learn(&searched, last, 900, 6);
        assert!(corrections.of(&searched, last, LEVELS) > most);
    }
}
