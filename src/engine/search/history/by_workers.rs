//! A history of steps by the squares of all workers.

use crate::rules::{Position, Side, Turn};

use super::tables::{ByPlayer, DIRECTIONS, add, direction};

/// The rows of a player, by a hash of all workers.
const ROWS: usize = 1 << ROW_BITS;
const ROW_BITS: u32 = 11;

/// Values of the directions of the mover's first worker, then of its second. (The long steps
/// of some cards share the values of others.)
pub(crate) type StepsByWorkers = ByPlayer<[[i16; 2 * DIRECTIONS]; ROWS]>; // [player][hash][step]

impl StepsByWorkers {
    /// The value of a step in a position.
    #[inline(always)]
    pub(crate) fn get<const N: usize>(&self, position: &Position<N>, step: Turn) -> i32 {
        self.0[position.player()][row(position)][index(position, step)].into()
    }

    /// Adds a bonus to a step.
    pub(crate) fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        step: Turn,
        bonus: i32,
    ) {
        let row = &mut self.0[position.player()][row(position)];
        add(&mut row[index(position, step)], bonus);
    }
}

#[inline(always)]
fn row<const N: usize>(position: &Position<N>) -> usize {
    (position.workers_key() >> (u64::BITS - ROW_BITS)) as usize
}

#[inline(always)]
fn index<const N: usize>(position: &Position<N>, step: Turn) -> usize {
    let is_second = position.workers(Side::Mover).first() != Some(step.from());
    usize::from(is_second) * DIRECTIONS + direction(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_counts_for_the_same_squares_of_all_workers() {
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let position = |text: &str| text.parse::<Position<5>>().unwrap();
        let here = position("00000/00000/00000/00000/00000 b3d3 a5e1 0");
        let (best, other) = (turn("b3-b4+c3"), turn("d3-d4+c3"));
        let mut history = StepsByWorkers::default();
        history.update(&here, best, 100);
        history.update(&here, other, -100);
        let higher = "01000/00000/00000/00000/00020 b3d3 a5e1 2";
        let elsewhere = "00000/00000/00000/00000/00000 b3d3 a5e2 0";
        let opponents = "00000/00000/00000/00000/00000 a5e1 b3d3 1";
        for (text, value) in [(higher, 100), (elsewhere, 0), (opponents, 0)] {
            let there = position(text);
            assert_eq!(history.get(&there, best), value, "{text}");
            assert_eq!(history.get(&there, other), -value, "{text}");
            assert_eq!(history.get(&there, turn("b3-c4+c3")), 0);
        }
    }
}
