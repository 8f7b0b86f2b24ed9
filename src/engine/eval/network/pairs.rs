//! The weights of a pair of cards: they can be extracted from a network, trained
//! separately, and put back.
//!
//! All games share the rows of a network. A pair of cards changes them for its own games, each
//! weight by a byte. That happens before the game, so it costs the search nothing.

use std::borrow::Cow;

use super::features::{self, FeatureSet};
use super::rows::Rows;
use super::weights::{Network, NetworkWeights};
use crate::rules::{Card, Cards};

/// The number of ordered pairs of different cards.
const PAIRS: usize = Card::ALL.len() * (Card::ALL.len() - 1);

/// The number of changes in a network for `N`x`N` boards.
pub(super) const fn changes<const N: usize>(hidden_units: usize) -> usize {
    PAIRS * features::count::<N>() * hidden_units
}

/// The index of an ordered pair of different cards.
const fn index(own: Card, others: Card) -> usize {
    let (own, others) = (own as usize, others as usize);
    own * (Card::ALL.len() - 1) + others - (others > own) as usize
}

impl NetworkWeights {
    /// The changes of the shared rows for games with these cards; may be empty.
    pub(super) fn changes_of<const N: usize>(&self, cards: Cards) -> &[i8] {
        match cards {
            [Some(own), Some(others)] if !self.changes.is_empty() => {
                let length = features::count::<N>() * self.rows.width();
                &self.changes[index(own, others) * length..][..length]
            }
            _ => &[],
        }
    }
}

/// Both orders of a pair of cards: the perspectives of the first and of the second.
const fn seats([a, b]: [Card; 2]) -> [[Card; 2]; 2] {
    [[a, b], [b, a]]
}

impl<const N: usize> Network<N> {
    /// Whether pairs of cards have weights of their own.
    pub fn has_pairs(&self) -> bool {
        !self.weights.changes.is_empty()
    }

    /// The weights of a pair of cards, in both orders, as a separate network.
    pub fn of_pair(&self, pair: [Card; 2]) -> Self {
        let (features, width) = (FeatureSet::Pair, self.hidden_units());
        let mut weights = NetworkWeights {
            features,
            rows: Rows::zeros(features.rows::<N>(), width),
            changes: Cow::default(),
            output: Rows::zeros(2 * features.output_layers(), width),
            output_bias: vec![0; features.output_layers()],
        };
        for cards in seats(pair).map(|cards| cards.map(Some)) {
            let [game, _] = self.for_game(cards);
            for feature in 0..features::count::<N>() {
                let row = weights.rows.row_mut(features.row(feature, cards));
                row.copy_from_slice(game.rows.row(feature));
            }
            for bucket in 0..features.buckets() {
                let layer = features.output_layer(bucket, cards);
                let of_all = self.features().output_layer(bucket, cards);
                weights
                    .output
                    .copy_pair(layer, &self.weights.output, of_all);
                weights.output_bias[layer] = self.weights.output_bias[of_all];
            }
        }
        Self::new(weights)
    }

    /// This network with the weights of a network from [`Self::of_pair`] for games of that
    /// pair, rounded to what the shared rows plus one byte can express.
    ///
    /// # Panics
    /// If this network is not for all games with cards, or the other is not for one pair.
    #[must_use]
    pub fn with_pair(self, pair: [Card; 2], learned: &Self) -> Self {
        assert_eq!(self.features(), FeatureSet::Cards);
        assert_eq!(learned.features(), FeatureSet::Pair);
        let mut weights = self.weights;
        let (all, width) = (weights.features, weights.rows.width());
        let changes = weights.changes.to_mut();
        changes.resize(self::changes::<N>(width), 0);
        for [own, others] in seats(pair) {
            let cards = [Some(own), Some(others)];
            let first = index(own, others) * features::count::<N>();
            for feature in 0..features::count::<N>() {
                let shared = weights.rows.row(all.row(feature, cards));
                let row = learned
                    .weights
                    .rows
                    .row(FeatureSet::Pair.row(feature, cards));
                let changes = &mut changes[(first + feature) * width..][..width];
                for ((change, weight), shared) in changes.iter_mut().zip(row).zip(shared) {
                    *change = weight
                        .wrapping_sub(*shared)
                        .clamp(i8::MIN.into(), i8::MAX.into()) as i8;
                }
            }
            for bucket in 0..all.buckets() {
                let layer = all.output_layer(bucket, cards);
                let of_pair = FeatureSet::Pair.output_layer(bucket, cards);
                weights
                    .output
                    .copy_pair(layer, &learned.weights.output, of_pair);
                weights.output_bias[layer] = learned.weights.output_bias[of_pair];
            }
        }
        Self::new(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Networks;
    use super::*;
    use crate::rules::Position;

    const PAIR: [Card; 2] = [Card::Artemis, Card::Pan];

    fn position(cards: &str) -> Position<5> {
        let board = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
        format!("{board} {cards}").parse().unwrap()
    }

    fn network() -> Network<5> {
        let position = position("Artemis Pan");
        Networks::embedded().for_position(&position).clone()
    }

    #[test]
    fn a_pair_taken_out_and_put_back_is_the_same() {
        let network = network();
        let pair = network.of_pair(PAIR);
        for cards in ["Artemis Pan", "Pan Artemis"] {
            let position = position(cards);
            assert_eq!(pair.evaluate(&position), network.evaluate(&position));
        }
        assert_eq!(network.clone().with_pair(PAIR, &pair), network);
    }

    #[test]
    fn changes_by_a_pair_are_bounded_and_for_its_games_only() {
        let network = network();
        let raised = |by: i16| {
            let mut pair = network.of_pair(PAIR);
            for weight in pair.weights.rows.all_mut() {
                *weight += by;
            }
            network.clone().with_pair(PAIR, &pair)
        };
        let changed = raised(3);
        for (cards, same) in [
            ("Artemis Pan", false),
            ("Pan Artemis", false),
            ("Artemis Apollo", true),
            ("Atlas Pan", true),
        ] {
            let position = position(cards);
            let values = [&network, &changed].map(|network| network.evaluate(&position));
            assert_eq!(values[0] == values[1], same, "{cards}: {values:?}");
        }
        for (by, bound) in [(1000, i8::MAX), (-1000, i8::MIN)] {
            let most = raised(by).weights;
            let changes = most.changes_of::<5>(PAIR.map(Some));
            assert!(changes.iter().all(|&change| change == bound));
        }
        let bytes = changed.to_bytes();
        assert_eq!(Network::<5>::from_bytes(&bytes), Ok(changed));
    }
}
