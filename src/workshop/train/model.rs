//! The network in floating point, and its quantisation.

use std::borrow::Cow;

use rand::RngExt;

use crate::eval::network::features::FeatureSet;
use crate::eval::network::{LANES, Network, NetworkWeights, QA, QB, Rows};
use crate::seeds::SeededRng;

/// The largest weight: 127 / 64 fits the integers of the quantised network.
pub const MAX_WEIGHT: f32 = 127.0 / QB as f32;

/// The noise added to the weights of a hidden unit that is a copy of another.
const COPY_NOISE: f32 = 0.02;

/// One number per hidden unit of a block.
pub type Units = [f32; LANES];

/// All weights for an `N`x`N` board.
#[derive(Clone)]
pub struct Model<const N: usize> {
    features: FeatureSet,
    /// For each block of hidden units, the rows of the features, then the output weights,
    /// in the order of the quantised network.
    pub blocks: Vec<Vec<Units>>,
    /// The bias of each output layer.
    pub bias: Vec<f32>,
}

/// The two rows of an output layer: for the mover's accumulator and for the other's.
#[inline(always)]
pub const fn output_rows(layer: usize) -> [usize; 2] {
    [2 * layer, 2 * layer + 1]
}

impl<const N: usize> Model<N> {
    /// A model with these weights.
    pub const fn new(features: FeatureSet, blocks: Vec<Vec<Units>>, bias: Vec<f32>) -> Self {
        Self {
            features,
            blocks,
            bias,
        }
    }

    /// The number of rows, output weights included.
    const fn rows(features: FeatureSet) -> usize {
        features.rows::<N>() + 2 * features.output_layers()
    }

    /// A model whose weights are computed from row and hidden unit, with biases of 0.
    fn from_weights(
        features: FeatureSet,
        hidden: usize,
        mut weight: impl FnMut(usize, usize) -> f32,
    ) -> Self {
        let blocks = (0..hidden / LANES).map(|block| {
            (0..Self::rows(features))
                .map(|row| std::array::from_fn(|lane| weight(row, block * LANES + lane)))
                .collect()
        });
        let bias = vec![0.0; features.output_layers()];
        Self::new(features, blocks.collect(), bias)
    }

    /// A model with small random weights.
    pub fn random(features: FeatureSet, hidden: usize, rng: &mut SeededRng) -> Self {
        let row_bound = (1.0 / (N * N) as f32).sqrt();
        let output_bound = (1.0 / hidden as f32).sqrt();
        Self::from_weights(features, hidden, |row, _| {
            let is_output = row >= features.rows::<N>();
            let bound = if is_output { output_bound } else { row_bound };
            rng.random_range(-bound..bound)
        })
    }

    /// The model of a quantised network.
    pub fn from_network(network: &Network<N>) -> Self {
        let weights = network.weights();
        let features = network.features().rows::<N>();
        let mut model =
            Self::from_weights(network.features(), network.hidden_units(), |row, unit| {
                let (rows, row, one) = match row.checked_sub(features) {
                    None => (&weights.rows, row, QA),
                    Some(output) => (&weights.output, output, QB),
                };
                f32::from(rows.row(row)[unit]) / one as f32
            });
        let biases = weights.output_bias.iter();
        model.bias = biases.map(|&bias| bias as f32 / (QA * QB) as f32).collect();
        model
    }

    /// The feature set.
    pub const fn features(&self) -> FeatureSet {
        self.features
    }

    /// The number of hidden units for each player.
    pub const fn hidden_units(&self) -> usize {
        self.blocks.len() * LANES
    }

    /// The weight of a row and a hidden unit.
    fn weight(&self, row: usize, unit: usize) -> f32 {
        self.blocks[unit / LANES][row][unit % LANES]
    }

    /// An equivalent model for games with cards, which ignores the cards.
    pub fn with_cards(&self) -> Self {
        let (base, cards) = (self.features, FeatureSet::Cards);
        let layers = || {
            let stages = (0..cards.output_layers()).map(|it| cards.stage_of(cards.bucket_of(it)));
            stages.map(|stage| base.first_bucket(stage))
        };
        let blocks = self.blocks.iter().map(|rows| {
            let (rows, output) = rows.split_at(base.rows::<N>());
            let rows = (0..cards.rows::<N>()).map(|row| rows[cards.feature_of(row)]);
            let output = layers().flat_map(|layer| output_rows(layer).map(|row| output[row]));
            rows.chain(output).collect()
        });
        let bias = layers().map(|layer| self.bias[layer]);
        Self::new(cards, blocks.collect(), bias.collect())
    }

    /// The same model with more hidden units. Each new unit copies an old one and
    /// shares its output weights; a little noise lets the two develop apart
    /// (Net2Net; T. Chen et al., 2016).
    pub fn widened(&self, hidden: usize, rng: &mut SeededRng) -> Self {
        let copied = |unit: usize| unit % self.hidden_units();
        let copies = |unit: usize| (hidden - copied(unit)).div_ceil(self.hidden_units()) as f32;
        let mut model = Self::from_weights(self.features, hidden, |row, unit| {
            let weight = self.weight(row, copied(unit));
            if row >= self.features.rows::<N>() {
                weight / copies(unit)
            } else if unit >= self.hidden_units() {
                weight + rng.random_range(-COPY_NOISE..COPY_NOISE)
            } else {
                weight
            }
        });
        model.bias.clone_from(&self.bias);
        model
    }

    /// The quantised network: weights rounded to integers.
    pub fn quantise(&self) -> Network<N> {
        let features = self.features.rows::<N>();
        let rows = |rows: std::ops::Range<usize>, one: i32| {
            let weights =
                rows.flat_map(|row| (0..self.hidden_units()).map(move |unit| (row, unit)));
            let rounded: Vec<i16> = weights
                .map(|(row, unit)| (self.weight(row, unit) * one as f32).round() as i16)
                .collect();
            Rows::of(self.hidden_units(), rounded.into_iter())
        };
        let to_integer = |bias: f32| (bias * (QA * QB) as f32).round() as i32;
        Network::new(NetworkWeights {
            features: self.features,
            rows: rows(0..features, QA),
            changes: Cow::default(),
            output: rows(features..Self::rows(self.features), QB),
            output_bias: self.bias.iter().copied().map(to_integer).collect(),
        })
    }
}
