//! Perft: counting the leaves of the game tree, the standard test of a turn
//! generator's correctness and speed.

use super::position::Position;

impl<const N: usize> Position<N> {
    /// The number of ways to play exactly `depth` turns from here.
    ///
    /// Turns that lead to the same board are one. A game that is won earlier
    /// has no further turns, so a winning turn counts at its own depth only.
    /// The last turn is counted, not played.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_turns(),
            _ => {
                let mut leaves = 0;
                self.for_each_quiet(super::Geometry::<N>::BOARD, |turn| {
                    leaves += self.play(turn).perft(depth - 1);
                });
                leaves
            }
        }
    }
}
