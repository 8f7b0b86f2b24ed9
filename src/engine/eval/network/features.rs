//! The input features of a network (the level of every tower; the owner, square and level of
//! every worker) and the buckets that choose its output layer.
//!
//! Towers look the same from both perspectives; a worker is the player's own or the
//! opponent's.
//!
//! A feature is the index of a row of weights. A network for games with cards has several rows
//! for each feature: the cards decide which one is used. The base game has its own networks,
//! so training on cards does not change it.

use crate::rules::{Card, Cards, Geometry, Position, Side, Square};

/// A tower has one feature for each level.
const TOWER: usize = 5;

/// The levels of a worker.
const LEVELS: usize = 4;

/// The features of a square: its tower, an own worker, an opponent's worker.
const OWN_WORKER: usize = TOWER;
const OTHER_WORKER: usize = OWN_WORKER + LEVELS;
const PER_SQUARE: usize = OTHER_WORKER + LEVELS;

/// The stages of a game, by the sum of all levels.
const STAGES: usize = 8;

/// The combinations of both players' initiatives.
const INITIATIVES: usize = 9;

/// The number of features of an `N`x`N` board.
pub const fn count<const N: usize>() -> usize {
    N * N * PER_SQUARE
}

/// The feature of a tower.
#[inline(always)]
pub const fn tower(square: Square, level: u8) -> usize {
    square.index() * PER_SQUARE + level as usize
}

/// The feature of a worker. `own`: whether it belongs to the player whose perspective it is.
#[inline(always)]
pub const fn worker(square: Square, level: u8, own: bool) -> usize {
    let worker = if own { OWN_WORKER } else { OTHER_WORKER };
    square.index() * PER_SQUARE + worker + level as usize
}

/// Calls `visit` with each feature, from the perspective of one player.
pub fn for_each<const N: usize>(
    position: &Position<N>,
    perspective: Side,
    mut visit: impl FnMut(usize),
) {
    for square in Geometry::<N>::BOARD {
        visit(tower(square, position.level(square)));
    }
    for owner in [Side::Mover, Side::Other] {
        for square in position.workers(owner) {
            visit(worker(square, position.level(square), owner == perspective));
        }
    }
}

/// The rows of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureSet {
    /// For the base game: a row for each feature.
    Base,
    /// For games with cards: a row for each pair of feature and card. For a worker it is its
    /// owner's card, for a tower the opponent's.
    Cards,
    /// For games of one pair of cards, trained separately: a row for each feature and
    /// perspective.
    Pair,
}

impl FeatureSet {
    /// The rows for the game of a position.
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        Self::for_games(position.has_cards())
    }

    /// The rows for games with or without cards.
    pub const fn for_games(with_cards: bool) -> Self {
        match with_cards {
            true => Self::Cards,
            false => Self::Base,
        }
    }

    /// The number of rows for each feature.
    const fn rows_per_feature(self) -> usize {
        match self {
            Self::Base => 1,
            Self::Cards => Card::ALL.len(),
            Self::Pair => 2,
        }
    }

    /// The number of rows of a network for `N`x`N` boards.
    pub const fn rows<const N: usize>(self) -> usize {
        count::<N>() * self.rows_per_feature()
    }

    /// The row of a feature. The cards are that of the player whose perspective it is, then
    /// the opponent's.
    pub const fn row(self, feature: usize, cards: Cards) -> usize {
        let [own, others] = cards;
        let is_own_worker = matches!(feature % PER_SQUARE, OWN_WORKER..OTHER_WORKER);
        let card = if is_own_worker { own } else { others };
        let row = match (self, card) {
            (Self::Cards, Some(card)) => card as usize,
            (Self::Pair, _) => self.game(cards),
            _ => 0,
        };
        feature * self.rows_per_feature() + row
    }

    /// The number of games with different weights: with cards one for each ordered pair.
    pub const fn games(self) -> usize {
        match self {
            Self::Base => 1,
            Self::Cards => Card::ALL.len() * Card::ALL.len(),
            Self::Pair => 2,
        }
    }

    /// The index of a game with these cards.
    pub const fn game(self, cards: Cards) -> usize {
        match (self, cards) {
            (Self::Cards, [Some(own), Some(others)]) => {
                own as usize * Card::ALL.len() + others as usize
            }
            (Self::Pair, [Some(own), Some(others)]) => (own as usize > others as usize) as usize,
            _ => 0,
        }
    }

    /// The number of output buckets: one for each stage, in the base game also for each
    /// combination of initiatives.
    pub const fn buckets(self) -> usize {
        match self {
            Self::Base => STAGES * INITIATIVES,
            Self::Cards | Self::Pair => STAGES,
        }
    }

    /// The output bucket of a position with this sum of levels.
    #[inline(always)]
    pub fn bucket<const N: usize>(self, position: &Position<N>, level_sum: u32) -> usize {
        let stage = stage::<N>(level_sum);
        match self {
            Self::Base => {
                let mover = position.initiative(Side::Mover) as usize;
                let other = position.initiative(Side::Other) as usize;
                stage * INITIATIVES + 3 * mover + other
            }
            Self::Cards | Self::Pair => stage,
        }
    }

    /// The stage that a bucket belongs to.
    pub const fn stage_of(self, bucket: usize) -> usize {
        bucket * STAGES / self.buckets()
    }

    /// The first bucket of a stage: in the base game without any initiative.
    pub const fn first_bucket(self, stage: usize) -> usize {
        stage * self.buckets() / STAGES
    }

    /// The number of output layers: one for each bucket and game.
    pub const fn output_layers(self) -> usize {
        self.buckets() * self.games()
    }

    /// The output layer of a bucket in a game with these cards, the mover's first.
    pub const fn output_layer(self, bucket: usize, cards: Cards) -> usize {
        bucket * self.games() + self.game(cards)
    }

    /// The bucket of an output layer.
    pub const fn bucket_of(self, layer: usize) -> usize {
        layer / self.games()
    }

    /// The feature that a row belongs to.
    pub const fn feature_of(self, row: usize) -> usize {
        row / self.rows_per_feature()
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
/// A level-up removes one tower feature and adds another. Both rows are combined in one, so a
/// build costs one addition.
#[inline(always)]
pub const fn level_up(square: Square, from: u8, to: u8) -> usize {
    let (from, to) = (from as usize, to as usize);
    square.index() * LEVEL_UPS + to * (to - 1) / 2 + from
}

/// The sum of all levels.
pub fn level_sum<const N: usize>(position: &Position<N>) -> u32 {
    (0..4).map(|level| position.above(level).count()).sum()
}

/// The stage of a game with this sum of levels.
#[inline(always)]
const fn stage<const N: usize>(level_sum: u32) -> usize {
    // Most games on 25 squares end before 40 levels are built.
    let stage = level_sum as usize * STAGES * 25 / (40 * N * N);
    if stage < STAGES { stage } else { STAGES - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
    const PLAYERS_SWAPPED: &str = "01010/10000/01012/11140/11310 a3b5 e2c5 12";

    fn seen(text: &str, perspective: Side) -> Vec<usize> {
        let position: Position<5> = text.parse().unwrap();
        let mut seen = Vec::new();
        for_each(&position, perspective, |feature| seen.push(feature));
        seen.sort_unstable();
        seen
    }

    #[test]
    fn perspectives_swap_own_and_other_workers() {
        let other = seen(TEXT, Side::Other);
        assert_eq!(other, seen(PLAYERS_SWAPPED, Side::Mover));
        assert_ne!(other, seen(TEXT, Side::Mover));
        assert_eq!(other.len(), 25 + 4);
        assert!(other.iter().all(|&it| it < count::<5>()));
    }

    #[test]
    fn buckets_depend_on_stage_and_initiative() {
        let bucket = |features: FeatureSet, text: &str| {
            let position: Position<5> = text.parse().unwrap();
            features.bucket(&position, level_sum(&position))
        };
        let [nobody, mover, other, later] = [
            "11000/22000/00000/00022/00011 a3b5 e3d1 12",
            "11000/23000/00000/00022/00011 a1b5 e3d1 13",
            "11000/23000/00000/00022/00011 e3d1 a1b5 13",
            "11044/22044/00000/00022/00011 a3b3 e3d3 28",
        ]
        .map(|text| {
            (
                bucket(FeatureSet::Base, text),
                bucket(FeatureSet::Pair, text),
            )
        });
        assert_eq!(nobody, (2 * 9, 2));
        assert_eq!(mover, (2 * 9 + 3 * 2, 2));
        assert_eq!(other, (2 * 9 + 2, 2));
        assert_eq!(later, (5 * 9, 5));
        for features in [FeatureSet::Base, FeatureSet::Cards, FeatureSet::Pair] {
            for bucket in 0..features.buckets() {
                let stage = features.stage_of(bucket);
                let first = features.first_bucket(stage);
                assert!(first <= bucket && features.stage_of(first) == stage);
            }
            assert_eq!(features.stage_of(features.buckets() - 1), STAGES - 1);
        }
    }

    #[test]
    fn rows_belong_to_a_feature_and_a_card() {
        let square = Square::new(7);
        let cards = |own, others| [Some(own), Some(others)];
        let row = |feature, cards| FeatureSet::Cards.row(feature, cards);
        let (base, other) = (
            cards(Card::Pan, Card::Apollo),
            cards(Card::Pan, Card::Atlas),
        );
        let swapped = cards(Card::Apollo, Card::Pan);
        assert_eq!(
            row(worker(square, 1, true), base),
            row(worker(square, 1, true), other)
        );
        assert_ne!(
            row(worker(square, 1, false), base),
            row(worker(square, 1, false), other)
        );
        assert_ne!(row(tower(square, 1), base), row(tower(square, 1), other));
        let mut rows = Vec::new();
        for feature in 0..count::<5>() {
            assert_eq!(FeatureSet::Base.row(feature, [None; 2]), feature);
            for cards in [base, swapped] {
                let row = row(feature, cards);
                assert_eq!(FeatureSet::Cards.feature_of(row), feature);
                assert!(row < FeatureSet::Cards.rows::<5>());
                rows.push(row);
                let of_pair = FeatureSet::Pair.row(feature, cards);
                assert_eq!(of_pair, 2 * feature + usize::from(cards == base));
            }
        }
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), 2 * count::<5>());
    }
}
