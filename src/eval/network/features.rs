//! What the network sees of a position: the level of every square's tower,
//! and of each worker whose it is, where it stands and on what level.
//!
//! Each such fact is a feature, the index of a row of weights. Towers are the
//! same from both players' sides; a worker is seen as one's own or as one of
//! the opponent.
//!
//! A worker with a card is another feature than one without, and another for
//! each card; so is a tower of a game with cards. So the base game and the
//! cards share nothing but the form of the network, and learning one leaves
//! the other as it is.

use crate::rules::{Card, Geometry, Position, Side, Square};

/// A tower has one of these, by its level.
const TOWER: usize = 5;

/// A worker has one of these, by its level and its card (or none).
const WORKER: usize = 4 * (Card::ALL.len() + 1);

/// Where the features of workers begin among those of a square.
const WORKERS: usize = 2 * TOWER;

/// The features of a square: its tower without cards and with cards, then an
/// own worker, then one of the opponent.
pub const EACH: usize = WORKERS + 2 * WORKER;

/// Which of the features of its square a feature is: a number below [`EACH`].
pub const fn kind(feature: usize) -> usize {
    feature % EACH
}

/// The steps in which the sum of all levels is counted.
const STAGES: usize = 8;

/// The output layers: one for each stage of a game without cards, then of one
/// with cards.
pub const BUCKETS: usize = 2 * STAGES;

/// The number of features of an `N`x`N` board.
pub const fn count<const N: usize>() -> usize {
    N * N * EACH
}

/// The feature of a tower; `cards` says whether the game has cards.
#[inline(always)]
pub const fn tower(square: Square, level: u8, cards: bool) -> usize {
    square.index() * EACH + cards as usize * TOWER + level as usize
}

/// The feature of a worker that is the own of the player from whose side one
/// looks, or of the opponent.
#[inline(always)]
pub const fn worker(square: Square, level: u8, own: bool, card: Option<Card>) -> usize {
    let card = match card {
        Some(card) => card as usize + 1,
        None => 0,
    };
    let side = if own { 0 } else { WORKER };
    square.index() * EACH + WORKERS + side + 4 * card + level as usize
}

/// Calls `visit` with each feature, seen from the side of `own`.
pub fn for_each<const N: usize>(position: &Position<N>, own: Side, mut visit: impl FnMut(usize)) {
    for square in Geometry::<N>::BOARD {
        let cards = position.card(own).is_some();
        visit(tower(square, position.level(square), cards));
    }
    for owner in [Side::Mover, Side::Other] {
        for square in position.workers(owner) {
            let level = position.level(square);
            visit(worker(square, level, owner == own, position.card(owner)));
        }
    }
}

/// The feature of the base game that is most like the given one: the same
/// without cards.
pub const fn without_card(feature: usize) -> usize {
    let (square, state) = (feature / EACH, kind(feature));
    let plain = if state < WORKERS {
        state % TOWER
    } else {
        let worker = state - WORKERS;
        WORKERS + worker / WORKER * WORKER + worker % 4
    };
    square * EACH + plain
}

/// The sum of all levels.
pub fn levels<const N: usize>(position: &Position<N>) -> u32 {
    (0..4).map(|level| position.above(level).count()).sum()
}

/// The output layer of a position with the given sum of levels.
#[inline(always)]
pub fn bucket<const N: usize>(position: &Position<N>, levels: u32) -> usize {
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

    fn seen(text: &str, own: Side) -> Vec<usize> {
        let position: Position<5> = text.parse().unwrap();
        let mut features = Vec::new();
        for_each(&position, own, |feature| features.push(feature));
        features.sort_unstable();
        features
    }

    const TEXT: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
    const PLAYERS_SWAPPED: &str = "01010/10000/01012/11140/11310 a3b5 e2c5 12";

    #[test]
    fn the_other_side_sees_own_and_others_swapped() {
        for (cards, swapped) in [("", ""), (" Pan Apollo", " Apollo Pan")] {
            let other = seen(&format!("{TEXT}{cards}"), Side::Other);
            let expected = seen(&format!("{PLAYERS_SWAPPED}{swapped}"), Side::Mover);
            assert_eq!(other, expected);
            assert_eq!(other.len(), 25 + 4);
            assert!(other.iter().all(|&feature| feature < count::<5>()));
        }
    }

    #[test]
    fn each_feature_with_cards_differs_from_those_without() {
        let plain = seen(TEXT, Side::Mover);
        let carded = seen(&format!("{TEXT} Pan Apollo"), Side::Mover);
        assert!(carded.iter().all(|feature| !plain.contains(feature)));
        let mut without: Vec<usize> = carded.into_iter().map(without_card).collect();
        without.sort_unstable();
        assert_eq!(without, plain);
    }
}
