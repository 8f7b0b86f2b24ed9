//! What the network sees of a position.
//!
//! Every square is in one state: empty at level 0 to 4, or with a worker of
//! the player from whose side one looks, or of the opponent, at level 0 to 3.
//! A worker with a card is another state than one without, and another for
//! each card; an empty square of a game with cards is another state than one
//! of the base game. So the base game and the cards share nothing but the
//! form of the network, and learning one leaves the other as it is.
//!
//! Each state of each square is a feature: a position has as many features as
//! squares.

use crate::rules::{Card, Position, Side, Square};

/// An empty square is in one of these states, by its level.
const EMPTY: usize = 5;

/// A square with a worker is in one of these, by its level and the worker's
/// card (or none).
const WORKER: usize = 4 * (Card::ALL.len() + 1);

/// The states of a square: empty without cards and with cards, then with an
/// own worker, then with one of the opponent.
pub const STATES: usize = 2 * EMPTY + 2 * WORKER;

/// The steps in which the sum of all levels is counted.
const STAGES: usize = 8;

/// The output layers: one for each stage of a game without cards, then of one
/// with cards.
pub const BUCKETS: usize = 2 * STAGES;

/// The number of features of an `N`x`N` board.
pub const fn count<const N: usize>() -> usize {
    N * N * STATES
}

/// The index of a feature.
pub const fn index(square: Square, state: usize) -> usize {
    square.index() * STATES + state
}

/// The state of a square, seen from the side of `own`.
#[inline(always)]
pub fn state<const N: usize>(position: &Position<N>, own: Side, square: Square) -> usize {
    let level = usize::from(position.level(square));
    let owner = if position.workers(Side::Mover).has(square) {
        Side::Mover
    } else if position.workers(Side::Other).has(square) {
        Side::Other
    } else {
        let cards = usize::from(position.card(own).is_some());
        return cards * EMPTY + level;
    };
    let card = position.card(owner).map_or(0, |card| card as usize + 1);
    let side = usize::from(owner != own);
    2 * EMPTY + side * WORKER + 4 * card + level
}

/// The same state seen from the other player's side.
pub const fn opposite(state: usize) -> usize {
    const OWN: usize = 2 * EMPTY;
    const OTHERS: usize = OWN + WORKER;
    match state {
        0..OWN => state,
        OWN..OTHERS => state + WORKER,
        _ => state - WORKER,
    }
}

/// The state of the base game that is most like the given one: the same
/// without cards.
pub const fn without_card(state: usize) -> usize {
    const OWN: usize = 2 * EMPTY;
    if state < OWN {
        state % EMPTY
    } else {
        let worker = state - OWN;
        OWN + worker / WORKER * WORKER + worker % 4
    }
}

/// The output layer of a position.
pub fn bucket<const N: usize>(position: &Position<N>) -> usize {
    let levels: u32 = (0..4).map(|level| position.above(level).count()).sum();
    // Most games on 25 squares end before 40 levels are built.
    let stage = (levels as usize * STAGES * 25 / (40 * N * N)).min(STAGES - 1);
    let cards = usize::from(position.card(Side::Mover).is_some());
    cards * STAGES + stage
}

/// The output layer of the base game at the same stage.
pub const fn bucket_without_card(bucket: usize) -> usize {
    bucket % STAGES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(text: &str, own: Side) -> Vec<usize> {
        let position: Position<5> = text.parse().unwrap();
        let squares = (0..25).map(Square::new);
        squares
            .map(|square| state(&position, own, square))
            .collect()
    }

    #[test]
    fn the_other_side_sees_the_opposite_states() {
        for cards in ["", " Pan Apollo"] {
            let text = format!("01010/10000/01012/11140/11310 e2c5 a3b5 12{cards}");
            let mover = states(&text, Side::Mover);
            let other = states(&text, Side::Other);
            assert!(mover.iter().chain(&other).all(|&state| state < STATES));
            let opposites: Vec<usize> = mover.iter().map(|&state| opposite(state)).collect();
            assert_eq!(opposites, other);
        }
    }

    #[test]
    fn each_state_with_cards_has_its_own_index_and_one_without() {
        let plain = states("01010/10000/01012/11140/11310 e2c5 a3b5 12", Side::Mover);
        let carded = states(
            "01010/10000/01012/11140/11310 e2c5 a3b5 12 Pan Apollo",
            Side::Mover,
        );
        assert!(carded.iter().all(|state| !plain.contains(state)));
        let without: Vec<usize> = carded.iter().map(|&state| without_card(state)).collect();
        assert_eq!(without, plain);
    }
}
