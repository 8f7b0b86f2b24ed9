//! The weights of a network, and the value of a position computed from scratch.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::cache;
use crate::rules::{Cards, Geometry, Position, Side};

use super::features::{self, FeatureSet};
use super::kernel::output_sums;
use super::pairs;
use super::rows::Rows;

/// Quantisation of the hidden layer: the integer that stands for 1.
pub const QA: i32 = 255;

/// Quantisation of the output weights: the integer that stands for 1.
pub const QB: i32 = 64;

/// An output of 1 (odds of e to 1 to win) in hundredths of a level.
pub const SCALE: i32 = 200;

/// A network for an `N`x`N` board.
///
/// The hidden layer has no bias: every square has a tower feature, whose row can hold it.
#[derive(Clone, Debug)]
pub struct Network<const N: usize> {
    pub(super) weights: NetworkWeights,
    /// The weights derived from these for the games played so far: by pair of cards, or one set
    /// for the base game.
    games: Vec<OnceLock<OwnWeights>>,
}

impl<const N: usize> PartialEq for Network<N> {
    /// Compares the trained weights, not those derived from them.
    fn eq(&self, other: &Self) -> bool {
        self.weights == other.weights
    }
}

impl<const N: usize> Eq for Network<N> {}

/// The trained weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkWeights {
    /// The kind of game, which decides the number of rows.
    pub features: FeatureSet,
    /// What each feature adds to the hidden units, times [`QA`].
    pub rows: Rows,
    /// With cards: what each ordered pair adds to its `rows`, feature by feature. Empty if no
    /// pair adds anything.
    pub changes: Cow<'static, [i8]>,
    /// For each output layer the weights of the mover's hidden units, then of the other's, times
    /// [`QB`].
    pub output: Rows,
    /// The bias of each output layer, times `QA * QB`.
    pub output_bias: Vec<i32>,
}

/// The weights for games with the same cards, from one player's perspective.
#[derive(Clone, Copy)]
pub(super) struct GameWeights<'a> {
    /// What each feature adds to the hidden units.
    pub rows: &'a Rows,
    /// For each level-up, the added row minus the removed one.
    pub level_ups: &'a Rows,
}

/// Weights derived for one pair of cards, computed on first use.
#[derive(Clone, Debug)]
struct OwnWeights {
    /// None in the base game, which uses the network's rows.
    rows: Option<Rows>,
    level_ups: Rows,
}

impl<const N: usize> Network<N> {
    /// The network with these weights.
    ///
    /// # Panics
    /// If the sizes do not fit the features, the board and the hidden units, or if there are
    /// changes by pairs in a network that is not for all games with cards.
    pub fn new(weights: NetworkWeights) -> Self {
        let features = weights.features;
        assert_eq!(weights.rows.count(), features.rows::<N>());
        assert_eq!(weights.output.count(), 2 * features.output_layers());
        assert_eq!(weights.output_bias.len(), features.output_layers());
        let changes = weights.changes.len();
        let expected = pairs::changes::<N>(weights.rows.width());
        assert!(changes == 0 || (features == FeatureSet::Cards && changes == expected));
        let games = vec![OnceLock::new(); features.games()];
        Self { weights, games }
    }

    /// The weights.
    pub const fn weights(&self) -> &NetworkWeights {
        &self.weights
    }

    /// The rows of the network.
    pub const fn features(&self) -> FeatureSet {
        self.weights.features
    }

    /// The number of hidden units for each player.
    pub const fn hidden_units(&self) -> usize {
        self.weights.rows.width()
    }

    /// The weights for games with these cards, from the perspectives of the first card's player
    /// and of the other.
    pub(super) fn for_game(&self, [a, b]: Cards) -> [GameWeights<'_>; 2] {
        [[a, b], [b, a]].map(|cards| {
            let game = &self.games[self.features().game(cards)];
            let own = game.get_or_init(|| OwnWeights::new::<N>(&self.weights, cards));
            GameWeights {
                rows: own.rows.as_ref().unwrap_or(&self.weights.rows),
                level_ups: &own.level_ups,
            }
        })
    }

    /// The additional bytes for games with these cards; 0 once a game was played with them.
    pub(super) fn needs(&self, cards: Cards) -> usize {
        let features = self.features();
        let is_new = |&cards: &Cards| self.games[features.game(cards)].get().is_none();
        let new = seats(cards).filter(is_new).count();
        let rows = match features {
            FeatureSet::Base => 0,
            FeatureSet::Cards | FeatureSet::Pair => features::count::<N>(),
        };
        new * (rows + features::level_ups::<N>()) * self.hidden_units() * size_of::<i16>()
    }

    /// Reads the weights for games with these cards into the caches.
    pub(super) fn warm(&self, cards: Cards) {
        let features = self.features();
        for cards in seats(cards) {
            let [weights, _] = self.for_game(cards);
            cache::warm(weights.rows.all());
            cache::warm(weights.level_ups.all());
            for bucket in 0..features.buckets() {
                let layer = features.output_layer(bucket, cards);
                let output = self.weights.output.pair(layer);
                output.into_iter().for_each(cache::warm);
            }
        }
    }

    /// The value of a position for its mover, computed from scratch with portable code. The
    /// evaluator must agree with it.
    pub fn evaluate(&self, position: &Position<N>) -> i32 {
        let weights = self.for_game(position.cards());
        let mut accumulators = Rows::zeros(2, self.hidden_units());
        let sides = [Side::Mover, Side::Other].into_iter().zip(weights);
        for ((side, weights), accumulator) in sides.zip(accumulators.pair_mut(0)) {
            weights.fill_accumulator(position, side, accumulator);
        }
        let layer = self.output_layer(position, features::level_sum(position));
        self.value(
            layer,
            output_sums(accumulators.pair(0), self.output(layer, true)),
        )
    }

    /// The output layer for a position with this sum of levels.
    #[inline(always)]
    pub(super) fn output_layer(&self, position: &Position<N>, level_sum: u32) -> usize {
        let features = self.features();
        features.output_layer(features.bucket(position, level_sum), position.cards())
    }

    /// The output weights for the accumulators of the root's mover and of the other player.
    /// `root_to_move`: whether the former is to move.
    #[inline(always)]
    pub(super) fn output(&self, layer: usize, root_to_move: bool) -> [&[i16]; 2] {
        let [mover, other] = self.weights.output.pair(layer);
        if root_to_move {
            [mover, other]
        } else {
            [other, mover]
        }
    }

    /// The value for the mover from the [`output_sums`].
    #[inline(always)]
    pub(super) fn value(&self, layer: usize, sums: [i32; 2]) -> i32 {
        let (qa, qb) = (i64::from(QA), i64::from(QB));
        let sum = sums.map(i64::from).iter().sum::<i64>();
        let value = sum / qa + i64::from(self.weights.output_bias[layer]);
        (value * i64::from(SCALE) / (qa * qb)) as i32
    }
}

/// The cards from the perspectives of both players, once in the base game.
fn seats([a, b]: Cards) -> impl Iterator<Item = Cards> {
    let count = if a == b { 1 } else { 2 };
    [[a, b], [b, a]].into_iter().take(count)
}

impl OwnWeights {
    fn new<const N: usize>(weights: &NetworkWeights, cards: Cards) -> Self {
        let own_rows = match weights.features {
            FeatureSet::Base => None,
            FeatureSet::Cards | FeatureSet::Pair => Some(rows_with::<N>(weights, cards)),
        };
        let rows = own_rows.as_ref().unwrap_or(&weights.rows);
        let mut level_ups = Rows::zeros(features::level_ups::<N>(), rows.width());
        for square in Geometry::<N>::BOARD {
            for (from, to) in (1..5).flat_map(|to| (0..to).map(move |from| (from, to))) {
                let row = |level| rows.row(features::tower(square, level));
                let (removed, added) = (row(from), row(to));
                let level_up = level_ups.row_mut(features::level_up(square, from, to));
                for ((level_up, removed), added) in level_up.iter_mut().zip(removed).zip(added) {
                    *level_up = added.wrapping_sub(*removed);
                }
            }
        }
        Self {
            rows: own_rows,
            level_ups,
        }
    }
}

/// The rows for games with these cards.
fn rows_with<const N: usize>(weights: &NetworkWeights, cards: Cards) -> Rows {
    let features = weights.features;
    let rows = (0..features::count::<N>()).map(|feature| features.row(feature, cards));
    let mut rows = weights.rows.chosen(rows);
    for (weight, &change) in rows
        .all_mut()
        .iter_mut()
        .zip(weights.changes_of::<N>(cards))
    {
        *weight = weight.wrapping_add(i16::from(change));
    }
    rows
}

impl GameWeights<'_> {
    /// Computes the accumulator of a position from the perspective of `side`.
    pub(super) fn fill_accumulator<const N: usize>(
        &self,
        position: &Position<N>,
        side: Side,
        accumulator: &mut [i16],
    ) {
        accumulator.fill(0);
        features::for_each(position, side, |feature| {
            for (value, weight) in accumulator.iter_mut().zip(self.rows.row(feature)) {
                *value = value.wrapping_add(*weight);
            }
        });
    }
}
