//! What the network sees of a position.
//!
//! Every square is in one of 13 states: empty at level 0 to 4, or with a
//! worker of the player from whose side one looks, or of the opponent, at
//! level 0 to 3. Each state of each square is a feature, and so is each card
//! of each player: a position has as many features as squares, and two more
//! with cards.

use crate::rules::{Position, Side, Square};

/// The states of a square.
pub const STATES: usize = 13;

/// The features that stand for cards: eight for each player.
const CARD_FEATURES: usize = 16;

/// The output layers, chosen by the sum of all levels.
pub const BUCKETS: usize = 8;

/// The number of features of an `N`x`N` board.
pub const fn count<const N: usize>() -> usize {
    N * N * STATES + CARD_FEATURES
}

/// The index of a feature.
pub const fn index(square: Square, state: usize) -> usize {
    square.index() * STATES + state
}

/// The state of a square, seen from the side of `own`.
pub fn state<const N: usize>(position: &Position<N>, own: Side, square: Square) -> usize {
    let level = usize::from(position.level(square));
    let mover = position.workers(Side::Mover).has(square);
    let other = position.workers(Side::Other).has(square);
    match own {
        _ if !mover && !other => level,
        Side::Mover if mover => 5 + level,
        Side::Other if other => 5 + level,
        _ => 9 + level,
    }
}

/// The same state seen from the other player's side.
pub const fn opposite(state: usize) -> usize {
    match state {
        0..5 => state,
        5..9 => state + 4,
        _ => state - 4,
    }
}

/// The features of the players' cards, seen from the side of `own`.
pub fn cards<const N: usize>(position: &Position<N>, own: Side) -> impl Iterator<Item = usize> {
    let opponent = if own == Side::Mover {
        Side::Other
    } else {
        Side::Mover
    };
    let cards = [
        (position.card(own), 0),
        (position.card(opponent), CARD_FEATURES / 2),
    ];
    let first = N * N * STATES;
    cards
        .into_iter()
        .filter_map(move |(card, offset)| Some(first + offset + card? as usize))
}

/// The output layer of a position.
pub fn bucket<const N: usize>(position: &Position<N>) -> usize {
    let levels: u32 = (0..4).map(|level| position.above(level).count()).sum();
    // Most games on 25 squares end before 40 levels are built.
    (levels as usize * BUCKETS * 25 / (40 * N * N)).min(BUCKETS - 1)
}
