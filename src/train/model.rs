//! The network in floating point, and its quantisation.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::eval::network::features::{Features, STAGES};
use crate::eval::network::{HIDDEN_ONE, LANES, Network, OUTPUT_ONE, Rows, Weights};

/// The largest weight: 127 of 64 fits the integers of the quantised network.
pub const MAX_WEIGHT: f32 = 127.0 / OUTPUT_ONE as f32;

/// How far the weights of a hidden value that was copied from another may be
/// from that one's.
const COPY_NOISE: f32 = 0.02;

/// A number for each hidden value of a block of them.
pub type Units = [f32; LANES];

/// All weights for an `N`x`N` board.
#[derive(Clone)]
pub struct Model<const N: usize> {
    features: Features,
    /// For each block of hidden values the rows of the features, then those
    /// of the output layers, as in the quantised network.
    pub blocks: Vec<Vec<Units>>,
    /// For each stage what is added to the output.
    pub bias: [f32; STAGES],
}

/// The rows of a stage's output layer among those of all: that of the mover's
/// hidden values and that of the other player's.
#[inline(always)]
pub const fn layer_rows(stage: usize) -> [usize; 2] {
    [2 * stage, 2 * stage + 1]
}

impl<const N: usize> Model<N> {
    /// With these weights.
    pub const fn new(features: Features, blocks: Vec<Vec<Units>>, bias: [f32; STAGES]) -> Self {
        Self {
            features,
            blocks,
            bias,
        }
    }

    /// The number of rows for some features, those of the output layers with
    /// them.
    const fn rows(features: Features) -> usize {
        features.count::<N>() + Network::<N>::OUTPUTS
    }

    /// The weights of each row and hidden value, without biases.
    fn of_weights(
        features: Features,
        hidden: usize,
        mut weight: impl FnMut(usize, usize) -> f32,
    ) -> Self {
        let blocks = (0..hidden / LANES).map(|block| {
            (0..Self::rows(features))
                .map(|row| std::array::from_fn(|lane| weight(row, block * LANES + lane)))
                .collect()
        });
        Self::new(features, blocks.collect(), [0.0; STAGES])
    }

    /// Small random weights to start from.
    pub fn random(features: Features, hidden: usize, rng: &mut Xoshiro256PlusPlus) -> Self {
        let row_bound = (1.0 / (N * N) as f32).sqrt();
        let output_bound = (1.0 / hidden as f32).sqrt();
        Self::of_weights(features, hidden, |row, _| {
            let is_output = row >= features.count::<N>();
            let bound = if is_output { output_bound } else { row_bound };
            rng.random_range(-bound..bound)
        })
    }

    /// The weights of a quantised network, to train it on.
    pub fn of(network: &Network<N>) -> Self {
        let weights = network.weights();
        let features = network.features().count::<N>();
        let mut model = Self::of_weights(network.features(), network.hidden(), |row, unit| {
            let (rows, row, one) = match row.checked_sub(features) {
                None => (&weights.rows, row, HIDDEN_ONE),
                Some(output) => (&weights.output, output, OUTPUT_ONE),
            };
            f32::from(rows.row(row)[unit]) / one as f32
        });
        let biases = weights.output_bias;
        model.bias = biases.map(|bias| bias as f32 / (HIDDEN_ONE * OUTPUT_ONE) as f32);
        model
    }

    /// What it sees of a position.
    pub const fn features(&self) -> Features {
        self.features
    }

    /// The number of hidden values for each player.
    pub const fn hidden(&self) -> usize {
        self.blocks.len() * LANES
    }

    /// The weight of a row and a hidden value.
    fn weight(&self, row: usize, unit: usize) -> f32 {
        self.blocks[unit / LANES][row][unit % LANES]
    }

    /// One that answers for games with cards as this one does without: what to
    /// start from when games with cards are to be learned.
    pub fn for_cards(&self) -> Self {
        let blocks = self.blocks.iter().map(|rows| {
            let features = 0..Features::Cards.count::<N>();
            let carded = features.map(|feature| rows[Features::Cards.without_cards(feature)]);
            let output = &rows[self.features.count::<N>()..];
            carded.chain(output.iter().copied()).collect()
        });
        Self::new(Features::Cards, blocks.collect(), self.bias)
    }

    /// The same with more hidden values. Each new one is a copy of an old one,
    /// with which it shares that one's output weights, and a little noise so
    /// that the two can part (after Net2Net; T. Chen et al., 2016).
    pub fn widened(&self, hidden: usize, rng: &mut Xoshiro256PlusPlus) -> Self {
        let copied = |unit: usize| unit % self.hidden();
        let copies = |unit: usize| (hidden - copied(unit)).div_ceil(self.hidden()) as f32;
        let mut model = Self::of_weights(self.features, hidden, |row, unit| {
            let weight = self.weight(row, copied(unit));
            if row >= self.features.count::<N>() {
                weight / copies(unit)
            } else if unit >= self.hidden() {
                weight + rng.random_range(-COPY_NOISE..COPY_NOISE)
            } else {
                weight
            }
        });
        model.bias = self.bias;
        model
    }

    /// The network with its weights rounded to integers.
    pub fn quantise(&self) -> Network<N> {
        let features = self.features.count::<N>();
        let rows = |rows: std::ops::Range<usize>, one: i32| {
            let weights = rows.flat_map(|row| (0..self.hidden()).map(move |unit| (row, unit)));
            let rounded: Vec<i16> = weights
                .map(|(row, unit)| (self.weight(row, unit) * one as f32).round() as i16)
                .collect();
            Rows::of(self.hidden(), rounded.into_iter())
        };
        let to_integer = |bias: f32| (bias * (HIDDEN_ONE * OUTPUT_ONE) as f32).round() as i32;
        Network::new(Weights {
            features: self.features,
            rows: rows(0..features, HIDDEN_ONE),
            output: rows(features..Self::rows(self.features), OUTPUT_ONE),
            output_bias: self.bias.map(to_integer),
        })
    }
}
