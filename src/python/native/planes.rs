//! Observations as planes of 0 and 1. The documentation of
//! [`Batch`](crate::batch::Batch) has the table.

use santorini::rules::{Bitboard, Card, Cards, Position, Side};

/// The number of planes for levels and workers.
const BOARD: usize = 7;

/// The number of planes with or without cards.
pub const fn planes(has_cards: bool) -> usize {
    if has_cards {
        BOARD + 2 * Card::ALL.len()
    } else {
        BOARD
    }
}

/// The first plane of the workers of the player to move, and the plane of the
/// opponent's.
pub const OWN_WORKERS: usize = 4;
pub const OTHER_WORKERS: usize = 6;

/// Sets the squares of a set in a plane of all 0.
pub fn mark(set: Bitboard, plane: &mut [u8]) {
    for square in set {
        plane[square.index()] = 1;
    }
}

/// Writes a position to planes of all 0.
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

/// Fills the card planes: the player to move, then the opponent.
pub fn mark_cards<const N: usize>(cards: Cards, planes: &mut [u8]) {
    for (side, card) in cards.into_iter().enumerate() {
        if let Some(card) = card {
            let plane = BOARD + side * Card::ALL.len() + card as usize;
            planes[plane * N * N..][..N * N].fill(1);
        }
    }
}
