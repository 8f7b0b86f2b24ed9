//! What an agent is: something that places workers and plays turns.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::rules::Placement;
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

#[cfg(test)]
mod tests {
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
}
