//! Observations as planes of 0 and 1, as networks want them: the table in the
//! documentation of [`Batch`](crate::batch::Batch).

use santorini::rules::{Bitboard, Card, Cards, Position, Side};

/// The planes of levels and workers.
const BOARD: usize = 7;

/// The number of planes, with cards or without.
pub const fn planes(has_cards: bool) -> usize {
    if has_cards {
        BOARD + 2 * Card::ALL.len()
    } else {
        BOARD
    }
}

/// Where the planes of the workers of the player to move begin, and that of the
/// other's.
pub const OWN_WORKERS: usize = 4;
pub const OTHER_WORKERS: usize = 6;

/// Marks the squares of a set in a plane of all 0.
pub fn mark(set: Bitboard, plane: &mut [u8]) {
    for square in set {
        plane[square.index()] = 1;
    }
}

/// Writes the planes of a position, which are all 0 before.
pub fn mark_planes<const N: usize>(position: &Position<N>, planes: &mut [u8]) {
    let mut each = planes.chunks_exact_mut(N * N);
    let mut next = || each.next().expect("there are seven planes");
    for level in 0..4 {
        mark(position.above(level), next());
    }
    for worker in position.workers(Side::Mover) {
        mark(Bitboard::of(worker), next());
    }
    mark(position.workers(Side::Other), next());
    mark_cards::<N>(
        [Side::Mover, Side::Other].map(|side| position.card(side)),
        planes,
    );
}

/// Fills the planes of the cards of the player to move and of the other.
pub fn mark_cards<const N: usize>(cards: Cards, planes: &mut [u8]) {
    for (side, card) in cards.into_iter().enumerate() {
        if let Some(card) = card {
            let plane = BOARD + side * Card::ALL.len() + card as usize;
            planes[plane * N * N..][..N * N].fill(1);
        }
    }
}
