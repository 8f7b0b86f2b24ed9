//! The tables of the histories. Values stay within [`HISTORY_MAX`].

use bytemuck::{NoUninit, Zeroable};

use crate::cache;
use crate::rules::{SQUARE_SLOTS, Square, Turn};

use super::super::lookup::look_up;
use super::super::move_features::{CHUNK, CLASSES, FeatureIndex, LEVELS, RANKS};
use super::super::params::HISTORY_MAX;

/// The directions of a step.
pub(super) const DIRECTIONS: usize = 8;

/// The direction of a single step: the highest bits of a product. The factor keeps all
/// directions apart on boards of 5x5 and of 6x6 squares.
#[inline(always)]
pub(super) fn direction(step: Turn) -> usize {
    let difference = step.to().index().wrapping_sub(step.from().index()) as u8;
    usize::from(difference.wrapping_mul(90) >> 5)
}

/// Adds a bonus with history gravity: the nearer a value is to its bound, the less it
/// moves, so it never passes the bound.
pub(super) fn add(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// The first chunk of a row of squares.
#[inline(always)]
fn chunk(row: &[i16]) -> &[i16; CHUNK] {
    row.first_chunk().expect("a row has room for whole chunks")
}

/// A table for each player, indexed by [`Position::player`](crate::rules::Position::player).
pub(crate) struct ByPlayer<T>(pub(crate) [Box<T>; 2]);

impl<T: Zeroable> Default for ByPlayer<T> {
    fn default() -> Self {
        Self([bytemuck::zeroed_box(), bytemuck::zeroed_box()])
    }
}

impl<T: NoUninit> ByPlayer<T> {
    /// Reads the values into the caches.
    pub(crate) fn warm(&self) {
        for values in &self.0 {
            cache::warm(std::slice::from_ref(&**values));
        }
    }
}

/// Values by player and two squares.
pub(crate) type BySquares = ByPlayer<[[i16; SQUARE_SLOTS]; SQUARE_SLOTS]>;

impl BySquares {
    #[inline(always)]
    pub(crate) fn get(&self, player: usize, first: Square, second: Square) -> i32 {
        self.0[player][first.index()][second.index()].into()
    }

    /// The values of a first square and a chunk of second squares from `start` on.
    #[inline(always)]
    pub(crate) fn chunk(&self, player: usize, first: Square, start: usize) -> &[i16; CHUNK] {
        chunk(&self.0[player][first.index()][start..])
    }

    pub(crate) fn update(&mut self, player: usize, first: Square, second: Square, bonus: i32) {
        add(&mut self.0[player][first.index()][second.index()], bonus);
    }
}

/// The squares of the largest board: a table by three squares has no room to spare.
const SQUARES: usize = 6 * 6;

/// Values of steps by player, the end of the opponent's last step, start and end.
pub(crate) type Responses = ByPlayer<[[[i16; SQUARES]; SQUARES]; SQUARES]>;

impl Responses {
    #[inline(always)]
    pub(crate) fn get(&self, player: usize, last: Turn, step: Turn) -> i32 {
        let [last, from, to] = [last.to(), step.from(), step.to()].map(Square::index);
        self.0[player][last][from][to].into()
    }

    pub(crate) fn update(&mut self, player: usize, last: Turn, step: Turn, bonus: i32) {
        let [last, from, to] = [last.to(), step.from(), step.to()].map(Square::index);
        add(&mut self.0[player][last][from][to], bonus);
    }
}

/// Values of whole turns by player, start and direction of the step, square of the build.
pub(crate) type WholeTurns = ByPlayer<[[[i16; SQUARE_SLOTS]; DIRECTIONS]; SQUARES]>;

impl WholeTurns {
    /// The values of a step with a level built on each square of a chunk.
    #[inline(always)]
    pub(crate) fn chunk(&self, player: usize, step: Turn, start: usize) -> &[i16; CHUNK] {
        chunk(&self.0[player][step.from().index()][direction(step)][start..])
    }

    pub(crate) fn update(&mut self, player: usize, step: Turn, build: Square, bonus: i32) {
        let values = &mut self.0[player][step.from().index()][direction(step)];
        add(&mut values[build.index()], bonus);
    }
}

/// Values by [`FeatureIndex`], for both players.
pub(crate) struct ByFeatures(Box<[[[i16; CLASSES]; RANKS]; LEVELS]>);

impl Default for ByFeatures {
    fn default() -> Self {
        Self(bytemuck::zeroed_box())
    }
}

impl ByFeatures {
    #[inline(always)]
    pub(crate) fn get(&self, [level, rank, class]: FeatureIndex) -> i32 {
        self.0[level][rank][class].into()
    }

    /// The values of builds on a chunk of squares of these classes by a worker on this
    /// level. The player's other worker has this rank and is next to the squares `near`.
    #[inline(always)]
    pub(crate) fn chunk(
        &self,
        level: usize,
        rank: usize,
        near: u32,
        classes: &[u16; CHUNK],
    ) -> [i16; CHUNK] {
        let rows = &self.0[level];
        look_up([&rows[0], &rows[rank]], classes, near)
    }

    pub(crate) fn update(&mut self, [level, rank, class]: FeatureIndex, bonus: i32) {
        add(&mut self.0[level][rank][class], bonus);
    }

    pub(crate) fn warm(&self) {
        cache::warm(self.0.as_flattened().as_flattened());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Geometry;

    #[test]
    fn all_directions_from_a_square_differ() {
        fn check<const N: usize>() {
            for from in Geometry::<N>::BOARD {
                let steps = Geometry::<N>::NEIGHBOURS[from.index()];
                let directions = steps
                    .into_iter()
                    .map(|to| direction(Turn::winning(from, to)));
                let distinct: std::collections::HashSet<usize> = directions.collect();
                assert_eq!(distinct.len() as u32, steps.count());
            }
        }
        check::<5>();
        check::<6>();
    }
}
