//! The network in floating point, its gradient, and its quantisation.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::samples::{Feature, Sample, Turned, each_square, sigmoid};
use crate::eval::network::features::{Features, STAGES};
use crate::eval::network::{HIDDEN_ONE, Network, OUTPUT_ONE, Rows, Weights};

/// The largest weight: 127 of 64 fits the integers of the quantised network.
const MAX_WEIGHT: f32 = 127.0 / OUTPUT_ONE as f32;

/// How far the weights of a hidden value that was copied from another may be
/// from that one's.
const COPY_NOISE: f32 = 0.02;

/// All weights for an `N`x`N` board, or their gradient, as one list: the rows
/// of the features, those of the output layers, the output biases, as in the
/// quantised network.
#[derive(Clone)]
pub struct Model<const N: usize> {
    features: Features,
    hidden: usize,
    pub weights: Vec<f32>,
}

impl<const N: usize> Model<N> {
    /// All zeros.
    pub fn zero(features: Features, hidden: usize) -> Self {
        let rows = features.count::<N>() + Network::<N>::OUTPUTS;
        Self {
            features,
            hidden,
            weights: vec![0.0; rows * hidden + STAGES],
        }
    }

    /// Small random weights to start from.
    pub fn random(features: Features, hidden: usize, rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut model = Self::zero(features, hidden);
        let row_bound = (1.0 / (N * N) as f32).sqrt();
        let output_bound = (1.0 / hidden as f32).sqrt();
        let (output, bias) = (model.output_at(0), model.bias_at(0));
        for weight in &mut model.weights[..output] {
            *weight = rng.random_range(-row_bound..row_bound);
        }
        for weight in &mut model.weights[output..bias] {
            *weight = rng.random_range(-output_bound..output_bound);
        }
        model
    }

    /// The weights of a quantised network, to train it on.
    pub fn of(network: &Network<N>) -> Self {
        let units = |rows: &Rows, one: i32| -> Vec<f32> {
            let units = rows.all().iter();
            units.map(|&value| f32::from(value) / one as f32).collect()
        };
        let weights = network.weights();
        let biases = weights.output_bias;
        let biases = biases.map(|bias| bias as f32 / (HIDDEN_ONE * OUTPUT_ONE) as f32);
        Self {
            features: network.features(),
            hidden: network.hidden(),
            weights: [
                units(&weights.rows, HIDDEN_ONE),
                units(&weights.output, OUTPUT_ONE),
                biases.to_vec(),
            ]
            .concat(),
        }
    }

    /// What it sees of a position.
    pub const fn features(&self) -> Features {
        self.features
    }

    /// The number of hidden values for each player.
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// One that answers for games with cards as this one does without: what to
    /// start from when games with cards are to be learned.
    pub fn for_cards(&self) -> Self {
        let mut model = Self::zero(Features::Cards, self.hidden);
        for feature in 0..Features::Cards.count::<N>() {
            let plain = Features::Cards.without_cards(feature);
            let row = &self.weights[plain * self.hidden..][..self.hidden];
            model.weights[feature * self.hidden..][..self.hidden].copy_from_slice(row);
        }
        let at = model.output_at(0);
        model.weights[at..].copy_from_slice(&self.weights[self.output_at(0)..]);
        model
    }

    /// The same with more hidden values. Each new one is a copy of an old one,
    /// with which it shares that one's output weights, and a little noise so
    /// that the two can part (after Net2Net; T. Chen et al., 2016).
    pub fn widened(&self, hidden: usize, rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut model = Self::zero(self.features, hidden);
        let copied = |unit: usize| unit % self.hidden;
        let copies = |unit: usize| (hidden - copied(unit)).div_ceil(self.hidden) as f32;
        let (output, bias) = (self.output_at(0), self.bias_at(0));
        let rows = self.weights[..bias].chunks_exact(self.hidden);
        for (index, (row, wide)) in rows.zip(model.weights.chunks_exact_mut(hidden)).enumerate() {
            let is_output = index >= output / self.hidden;
            for (unit, weight) in wide.iter_mut().enumerate() {
                *weight = row[copied(unit)];
                if is_output {
                    *weight /= copies(unit);
                } else if unit >= self.hidden {
                    *weight += rng.random_range(-COPY_NOISE..COPY_NOISE);
                }
            }
        }
        let at = model.bias_at(0);
        model.weights[at..].copy_from_slice(&self.weights[bias..]);
        model
    }

    /// Where the output weights of a stage begin: the mover's, then the
    /// other player's.
    const fn output_at(&self, stage: usize) -> usize {
        (self.features.count::<N>() + 2 * stage) * self.hidden
    }

    /// Where the output bias of a stage is.
    const fn bias_at(&self, stage: usize) -> usize {
        self.output_at(STAGES) + stage
    }

    #[inline(always)]
    fn row(&self, feature: usize) -> &[f32] {
        &self.weights[feature * self.hidden..][..self.hidden]
    }

    #[inline(always)]
    fn row_mut(&mut self, feature: usize) -> &mut [f32] {
        &mut self.weights[feature * self.hidden..][..self.hidden]
    }

    /// Keeps the weights, but not the output biases, within what the integers
    /// of the quantised network can hold.
    pub fn clip(&mut self) {
        let bias = self.bias_at(0);
        for weight in &mut self.weights[..bias] {
            *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }

    /// The network with its weights rounded to integers.
    pub fn quantise(&self) -> Network<N> {
        let (output, bias) = (self.output_at(0), self.bias_at(0));
        let rows = |weights: &[f32], one: i32| {
            let rounded = weights.iter().map(|it| (it * one as f32).round() as i16);
            Rows::of(self.hidden, rounded)
        };
        let biases = &self.weights[bias..];
        Network::new(Weights {
            features: self.features,
            rows: rows(&self.weights[..output], HIDDEN_ONE),
            output: rows(&self.weights[output..bias], OUTPUT_ONE),
            output_bias: std::array::from_fn(|stage| {
                (biases[stage] * (HIDDEN_ONE * OUTPUT_ONE) as f32).round() as i32
            }),
        })
    }

    /// Computes the hidden values for the mover and the other player, and
    /// those clipped and squared; returns the output.
    #[inline(always)]
    fn output(&self, sample: &Sample<N>, symmetry: &Turned<N>, space: &mut Space) -> f32 {
        let [mover, other] = &mut space.hidden;
        mover.fill(0.0);
        other.fill(0.0);
        // The towers, which both see alike, are summed once.
        let towers = &mut space.both;
        towers.fill(0.0);
        sample.for_each_feature(self.features, symmetry, |feature| match feature {
            Feature::Tower(tower) => add(towers, self.row(tower)),
            Feature::Worker([own, others]) => {
                add(mover, self.row(own));
                add(other, self.row(others));
            }
        });
        let stage = usize::from(sample.stage);
        let mut output = self.weights[self.bias_at(stage)];
        for side in 0..2 {
            add(&mut space.hidden[side], towers);
            activate(&space.hidden[side], &mut space.activated[side]);
            let weights = &self.weights[self.output_at(stage) + side * self.hidden..];
            output += dot(&space.activated[side], &weights[..self.hidden]);
        }
        output
    }

    /// Adds the gradient of one sample's cross entropy to `gradient`; returns
    /// the prediction.
    #[inline(always)]
    fn learn_one(
        &self,
        (sample, symmetry, target): Lesson<N>,
        gradient: &mut Self,
        space: &mut Space,
    ) -> f32 {
        let predicted = sigmoid(self.output(sample, symmetry, space));
        let error = predicted - target;
        let stage = usize::from(sample.stage);
        let bias = self.bias_at(stage);
        gradient.weights[bias] += error;
        for side in 0..2 {
            let at = self.output_at(stage) + side * self.hidden;
            let weights = &self.weights[at..][..self.hidden];
            let gradients = &mut gradient.weights[at..][..self.hidden];
            let hidden = &space.hidden[side][..self.hidden];
            let activated = &space.activated[side][..self.hidden];
            let back = &mut space.back[side][..self.hidden];
            for unit in 0..self.hidden {
                gradients[unit] += error * activated[unit];
                // The square's slope is twice the value; none where clipped.
                let value = hidden[unit];
                let inside = if value > 0.0 && value < 1.0 {
                    value
                } else {
                    0.0
                };
                back[unit] = error * weights[unit] * 2.0 * inside;
            }
        }
        let (mover, other) = (&space.back[0], &space.back[1]);
        space.both.copy_from_slice(mover);
        add(&mut space.both, other);
        sample.for_each_feature(self.features, symmetry, |feature| match feature {
            Feature::Tower(tower) => add(gradient.row_mut(tower), &space.both),
            Feature::Worker([own, others]) => {
                add(gradient.row_mut(own), mover);
                add(gradient.row_mut(others), other);
            }
        });
        predicted
    }
}

/// Space to compute in: values for each hidden unit, for the mover and the
/// other player.
struct Space {
    hidden: [Vec<f32>; 2],
    activated: [Vec<f32>; 2],
    back: [Vec<f32>; 2],
    both: Vec<f32>,
}

impl Space {
    fn new(hidden: usize) -> Self {
        let units = || vec![0.0; hidden];
        Self {
            hidden: [units(), units()],
            activated: [units(), units()],
            back: [units(), units()],
            both: units(),
        }
    }
}

#[inline(always)]
fn add(sum: &mut [f32], units: &[f32]) {
    for (sum, unit) in sum.iter_mut().zip(units) {
        *sum += unit;
    }
}

#[inline(always)]
fn activate(units: &[f32], activated: &mut [f32]) {
    for (activated, unit) in activated.iter_mut().zip(units) {
        let value = unit.clamp(0.0, 1.0);
        *activated = value * value;
    }
}

/// The dot product, summed in a fixed order whatever the instruction set.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// A sample with the symmetry to see it under and its target.
pub type Lesson<'a, const N: usize> = (&'a Sample<N>, &'a Turned<N>, f32);

// Measured: training takes a third of the time of SSE2's. Only elementwise
// arithmetic is vectorised, so the result does not depend on it.
for_widest_vectors! {
    /// Adds the gradients of all lessons to `gradient`; returns the
    /// predictions.
    pub fn learn<const N: usize>(
        model: &Model<N>,
        lessons: &[Lesson<'_, N>],
        gradient: &mut Model<N>,
    ) -> Vec<f32> {
        let space = &mut Space::new(model.hidden);
        lessons.iter().map(|&lesson| model.learn_one(lesson, gradient, space)).collect()
    }
}

for_widest_vectors! {
    /// The predictions for samples as they stand.
    pub fn predict<const N: usize>(model: &Model<N>, samples: &[Sample<N>]) -> Vec<f32> {
        let space = &mut Space::new(model.hidden);
        let identity = each_square(|square| square.index() as u8);
        let samples = samples.iter();
        samples.map(|sample| sigmoid(model.output(sample, &identity, space))).collect()
    }
}
