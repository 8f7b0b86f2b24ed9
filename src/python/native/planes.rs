//! Observations as planes of 0 and 1. The documentation of
//! [`Batch`](crate::batch::Batch) has the table.

use numpy::Element;
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

/// The first plane of the viewer's workers, and the plane of the other player's.
const OWN_WORKERS: usize = 4;
const OTHER_WORKERS: usize = 6;

/// A value of a plane.
pub trait Value: Element + Copy + From<u8> {}

impl Value for u8 {}

impl Value for f32 {}

/// Marks the squares of a set in a plane of all 0.
fn mark<T: Value>(set: Bitboard, plane: &mut [T]) {
    for square in set {
        plane[square.index()] = T::from(1);
    }
}

/// The side that sees the planes: that of `player`, by default the player to move.
pub fn viewer(player: Option<u8>, mover: u8) -> Side {
    match player {
        Some(player) if player != mover => Side::Other,
        _ => Side::Mover,
    }
}

/// Writes the view of one side of a position to planes of all 0.
pub fn mark_planes<const N: usize, T: Value>(
    position: &Position<N>,
    viewer: Side,
    planes: &mut [T],
) {
    for (level, plane) in (0..OWN_WORKERS).zip(planes.chunks_exact_mut(N * N)) {
        mark(position.above(level), plane);
    }
    let sides = match viewer {
        Side::Mover => [Side::Mover, Side::Other],
        Side::Other => [Side::Other, Side::Mover],
    };
    let workers = sides.map(|side| position.workers(side));
    mark_workers::<N, T>(workers, planes);
    mark_cards::<N, T>(sides.map(|side| position.card(side)), planes);
}

/// Writes the workers of the viewer and of the other player.
pub fn mark_workers<const N: usize, T: Value>([own, other]: [Bitboard; 2], planes: &mut [T]) {
    for (worker, square) in own.enumerate() {
        mark(
            Bitboard::of(square),
            &mut planes[(OWN_WORKERS + worker) * N * N..],
        );
    }
    mark(other, &mut planes[OTHER_WORKERS * N * N..]);
}

/// Fills the planes of the cards of the viewer and of the other player.
pub fn mark_cards<const N: usize, T: Value>(cards: Cards, planes: &mut [T]) {
    for (side, card) in cards.into_iter().enumerate() {
        if let Some(card) = card {
            let plane = BOARD + side * Card::ALL.len() + card as usize;
            planes[plane * N * N..][..N * N].fill(T::from(1));
        }
    }
}
