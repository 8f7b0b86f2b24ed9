//! The input features of a network: the level of every tower, and the owner,
//! square and level of every worker.
//!
//! A feature is the index of a row of weights. Towers look the same from both
//! perspectives; a worker is an own one or one of the opponent.
//!
//! Networks for games with cards also see each worker's card. The base game has
//! networks of its own, so training on cards does not change it.

use crate::rules::{Card, Geometry, Position, Side, Square};

/// A tower has one feature for each level.
const TOWER: usize = 5;

/// The levels a worker can stand on.
const LEVELS: usize = 4;

/// The number of output layers. The sum of all levels chooses the one in use.
pub const OUTPUT_BUCKETS: usize = 8;

/// Which features a network has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureSet {
    /// For the base game: no cards.
    Base,
    /// For games in which both players have a card.
    Cards,
}

impl FeatureSet {
    /// The features that suit a position.
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        match position.card(Side::Mover) {
            None => Self::Base,
            Some(_) => Self::Cards,
        }
    }

    /// The number of features of one player's workers on a square.
    const fn features_per_worker(self) -> usize {
        match self {
            Self::Base => LEVELS,
            Self::Cards => LEVELS * Card::ALL.len(),
        }
    }

    /// The number of features of a square: its tower, an own worker, a worker of
    /// the opponent.
    const fn per_square(self) -> usize {
        TOWER + 2 * self.features_per_worker()
    }

    /// The number of features of an `N`x`N` board.
    pub const fn count<const N: usize>(self) -> usize {
        N * N * self.per_square()
    }

    /// The feature of a tower.
    #[inline(always)]
    pub const fn tower(self, square: Square, level: u8) -> usize {
        square.index() * self.per_square() + level as usize
    }

    /// The feature of a worker; `own` says whether it belongs to the player
    /// whose perspective it is.
    #[inline(always)]
    pub const fn worker(self, square: Square, level: u8, own: bool, card: Option<Card>) -> usize {
        let card = match (self, card) {
            (Self::Cards, Some(card)) => card as usize,
            _ => 0,
        };
        let side = if own { 0 } else { self.features_per_worker() };
        square.index() * self.per_square() + TOWER + side + LEVELS * card + level as usize
    }

    /// Calls `visit` with each feature, from the perspective of one player.
    pub fn for_each<const N: usize>(
        self,
        position: &Position<N>,
        perspective: Side,
        mut visit: impl FnMut(usize),
    ) {
        for square in Geometry::<N>::BOARD {
            visit(self.tower(square, position.level(square)));
        }
        for owner in [Side::Mover, Side::Other] {
            for square in position.workers(owner) {
                let (level, card) = (position.level(square), position.card(owner));
                visit(self.worker(square, level, owner == perspective, card));
            }
        }
    }

    /// The feature of [`Self::Base`] that corresponds to a feature.
    pub const fn without_cards(self, feature: usize) -> usize {
        let (square, state) = (feature / self.per_square(), feature % self.per_square());
        let plain = if state < TOWER {
            state
        } else {
            let worker = state - TOWER;
            TOWER + worker / self.features_per_worker() * LEVELS + worker % LEVELS
        };
        square * Self::Base.per_square() + plain
    }
}

/// The level-ups of a square: from each level to each higher one.
const LEVEL_UPS: usize = TOWER * (TOWER - 1) / 2;

/// The number of level-ups on an `N`x`N` board.
pub const fn level_ups<const N: usize>() -> usize {
    N * N * LEVEL_UPS
}

/// The index of a tower's level-up.
///
/// A level-up removes one tower feature and adds another; both rows are combined
/// in one, so that a build costs one addition.
#[inline(always)]
pub const fn level_up(square: Square, from: u8, to: u8) -> usize {
    let (from, to) = (from as usize, to as usize);
    square.index() * LEVEL_UPS + to * (to - 1) / 2 + from
}

/// The sum of all levels.
pub fn level_sum<const N: usize>(position: &Position<N>) -> u32 {
    (0..4).map(|level| position.above(level).count()).sum()
}

/// The output bucket for a sum of levels.
#[inline(always)]
pub const fn output_bucket<const N: usize>(level_sum: u32) -> usize {
    // Most games on 25 squares end before 40 levels are built.
    let bucket = level_sum as usize * OUTPUT_BUCKETS * 25 / (40 * N * N);
    if bucket < OUTPUT_BUCKETS {
        bucket
    } else {
        OUTPUT_BUCKETS - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(features: FeatureSet, text: &str, own: Side) -> Vec<usize> {
        let position: Position<5> = text.parse().unwrap();
        let mut seen = Vec::new();
        features.for_each(&position, own, |feature| seen.push(feature));
        seen.sort_unstable();
        seen
    }

    const TEXT: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
    const PLAYERS_SWAPPED: &str = "01010/10000/01012/11140/11310 a3b5 e2c5 12";

    #[test]
    fn the_other_side_sees_own_and_others_swapped() {
        for (features, cards, swapped) in [
            (FeatureSet::Base, "", ""),
            (FeatureSet::Cards, " Pan Apollo", " Apollo Pan"),
        ] {
            let other = seen(features, &format!("{TEXT}{cards}"), Side::Other);
            let expected = format!("{PLAYERS_SWAPPED}{swapped}");
            assert_eq!(other, seen(features, &expected, Side::Mover));
            assert_eq!(other.len(), 25 + 4);
            assert!(other.iter().all(|&it| it < features.count::<5>()));
        }
    }

    #[test]
    fn cards_are_seen_by_a_network_of_cards_alone() {
        let carded = format!("{TEXT} Pan Apollo");
        let plain = seen(FeatureSet::Base, TEXT, Side::Mover);
        assert_eq!(seen(FeatureSet::Base, &carded, Side::Mover), plain);
        let with_cards = seen(FeatureSet::Cards, &carded, Side::Mover);
        let other_cards = format!("{TEXT} Pan Atlas");
        assert_ne!(
            seen(FeatureSet::Cards, &other_cards, Side::Mover),
            with_cards
        );
        let without = with_cards.into_iter();
        let mut without: Vec<usize> = without
            .map(|it| FeatureSet::Cards.without_cards(it))
            .collect();
        without.sort_unstable();
        assert_eq!(without, plain);
    }
}
