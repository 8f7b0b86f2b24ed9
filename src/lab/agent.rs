//! What an agent is: something that places workers and plays turns.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::protocol::exchange::Placement;
use crate::rules::{Bitboard, Geometry, Position, Turn};

/// The laboratory plays the base game on 5x5 spaces, as the study does.
pub type Board = Position<5>;

/// The random numbers of everything in the laboratory.
pub type Rng = Xoshiro256PlusPlus;

/// A player of the laboratory.
///
/// An agent is made for one game with a seed of its own, and nothing but its
/// seed and what it is asked decides what it answers (except where it plays
/// by the clock).
pub trait Agent {
    /// Places both workers on the empty board; `first` is where the opponent's
    /// stand if she placed hers already.
    fn place(&mut self, first: Option<Placement>) -> Placement;

    /// Chooses a turn; `board` has one.
    fn turn(&mut self, board: &Board) -> Turn;
}

/// Every way to place two workers on the spaces that `first` leaves free: 300
/// for the first player, 253 for the second.
pub fn placements(first: Option<Placement>) -> Vec<Placement> {
    let taken: Bitboard = first.into_iter().flatten().collect();
    let free = Geometry::<5>::BOARD.without(taken);
    let pairs = free.flat_map(|a| (free & !Bitboard::below(a)).skip(1).map(move |b| [a, b]));
    pairs.collect()
}

/// The board when both players have placed their workers.
pub fn start(first: Placement, second: Placement) -> Board {
    Board::start([first, second], [None, None]).expect("agents place their workers on free spaces")
}

/// A seed for one use out of a seed for all: every list of numbers that names
/// a use gives seeds that have nothing to do with those of another.
pub fn derive_seed(seed: u64, uses: &[u64]) -> u64 {
    let all = std::iter::once(&seed).chain(uses);
    all.fold(0, |mixed: u64, &number| {
        // The mixing function of SplitMix64 (S. Vigna, public domain).
        let mut z = (mixed ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_300_and_253_placements() {
        let firsts = placements(None);
        assert_eq!(firsts.len(), 300);
        let seconds = placements(Some(firsts[17]));
        assert_eq!(seconds.len(), 253);
        for second in seconds {
            start(firsts[17], second);
        }
    }

    #[test]
    fn derived_seeds_differ() {
        let seeds: HashSet<u64> = (0..1000)
            .map(|i| derive_seed(1, &[i / 10, i % 10]))
            .collect();
        assert_eq!(seeds.len(), 1000);
        assert_ne!(derive_seed(1, &[2]), derive_seed(2, &[1]));
    }
}
