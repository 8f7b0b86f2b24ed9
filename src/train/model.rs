//! The network in floating point, its gradient, and its quantisation.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::samples::{Feature, Sample, Turned, each_square, sigmoid};
use crate::eval::network::features::{self, BUCKETS};
use crate::eval::network::{HIDDEN, HIDDEN_ONE, Network, OUTPUT_ONE, Row};

/// One value for each hidden unit.
pub type Units = [f32; HIDDEN];

/// The largest weight: 127 of 64 fits the integers of the quantised network.
const MAX_WEIGHT: f32 = 127.0 / OUTPUT_ONE as f32;

/// All weights for an `N`x`N` board, or their gradient: the layout of the
/// quantised network.
#[derive(Clone)]
pub struct Model<const N: usize> {
    pub rows: Vec<Units>,
    pub output: Vec<[Units; 2]>,
    pub output_bias: [f32; BUCKETS],
}

impl<const N: usize> Model<N> {
    /// All zeros.
    pub fn zero() -> Self {
        Self {
            rows: vec![[0.0; HIDDEN]; features::count::<N>()],
            output: vec![[[0.0; HIDDEN]; 2]; BUCKETS],
            output_bias: [0.0; BUCKETS],
        }
    }

    /// Small random weights to start from.
    pub fn random(rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut model = Self::zero();
        let row_bound = (1.0 / (N * N) as f32).sqrt();
        let output_bound = (1.0 / HIDDEN as f32).sqrt();
        for weight in model.rows.as_flattened_mut() {
            *weight = rng.random_range(-row_bound..row_bound);
        }
        for weight in model.output.as_flattened_mut().as_flattened_mut() {
            *weight = rng.random_range(-output_bound..output_bound);
        }
        model
    }

    /// The weights of a quantised network, to train it on.
    pub fn of(network: &Network<N>) -> Self {
        let units =
            |row: &Row, one: i32| -> Units { row.0.map(|value| f32::from(value) / one as f32) };
        Self {
            rows: network
                .rows
                .iter()
                .map(|row| units(row, HIDDEN_ONE))
                .collect(),
            output: network
                .output
                .iter()
                .map(|sides| sides.each_ref().map(|row| units(row, OUTPUT_ONE)))
                .collect(),
            output_bias: network
                .output_bias
                .map(|bias| bias as f32 / (HIDDEN_ONE * OUTPUT_ONE) as f32),
        }
    }

    /// Makes everything about games with cards the same as without: what to
    /// start from when games with cards are to be learned.
    pub fn copy_to_cards(&mut self) {
        for feature in 0..self.rows.len() {
            self.rows[feature] = self.rows[features::without_card(feature)];
        }
        for bucket in 0..BUCKETS {
            let plain = features::bucket_without_card(bucket);
            self.output[bucket] = self.output[plain];
            self.output_bias[bucket] = self.output_bias[plain];
        }
    }

    /// Every weight, a row at a time, in a fixed order.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let output = self.output.as_flattened_mut().iter_mut();
        let rows = self.rows.iter_mut().chain(output).map(|row| &mut row[..]);
        rows.chain([&mut self.output_bias[..]])
    }

    /// Every weight, in the same order.
    pub fn parts(&self) -> impl Iterator<Item = &[f32]> {
        let rows = self.rows.iter().chain(self.output.as_flattened());
        let rows = rows.map(|row| &row[..]);
        rows.chain([&self.output_bias[..]])
    }

    /// Keeps the weights of the parts that are `used`, but not the output
    /// biases, within what the integers of the quantised network can hold.
    pub fn clip(&mut self, used: &[bool]) {
        let output = self.output.as_flattened_mut().iter_mut();
        let parts = self.rows.iter_mut().chain(output).zip(used);
        for (units, _) in parts.filter(|(_, used)| **used) {
            for weight in units {
                *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }

    /// The network with its weights rounded to integers.
    pub fn quantise(&self) -> Network<N> {
        let row = |units: &Units, one: i32| {
            Row(std::array::from_fn(|unit| {
                (units[unit] * one as f32).round() as i16
            }))
        };
        Network::new(
            self.rows
                .iter()
                .map(|units| row(units, HIDDEN_ONE))
                .collect(),
            std::array::from_fn(|bucket| {
                self.output[bucket].each_ref().map(|u| row(u, OUTPUT_ONE))
            }),
            self.output_bias
                .map(|bias| (bias * (HIDDEN_ONE * OUTPUT_ONE) as f32).round() as i32),
        )
    }

    /// The hidden values for the mover and the other player.
    #[inline(always)]
    fn hidden(&self, sample: &Sample<N>, symmetry: &Turned<N>) -> [Units; 2] {
        let mut towers = [0.0; HIDDEN];
        let mut workers = [[0.0; HIDDEN]; 2];
        sample.for_each_feature(symmetry, |feature| match feature {
            Feature::Tower(tower) => add(&mut towers, &self.rows[tower]),
            Feature::Worker([mover, other]) => {
                add(&mut workers[0], &self.rows[mover]);
                add(&mut workers[1], &self.rows[other]);
            }
        });
        workers.iter_mut().for_each(|sum| add(sum, &towers));
        workers
    }

    #[inline(always)]
    fn output(&self, bucket: usize, activated: &[Units; 2]) -> f32 {
        let [mover, other] = &self.output[bucket];
        dot(&activated[0], mover) + dot(&activated[1], other) + self.output_bias[bucket]
    }

    /// The probability that the mover wins.
    #[inline(always)]
    fn predict_one(&self, sample: &Sample<N>, symmetry: &Turned<N>) -> f32 {
        let hidden = self.hidden(sample, symmetry);
        sigmoid(self.output(usize::from(sample.bucket), &hidden.each_ref().map(activate)))
    }

    /// Adds the gradient of one sample's cross entropy to `gradient`; returns
    /// the prediction.
    #[inline(always)]
    fn learn_one(
        &self,
        sample: &Sample<N>,
        symmetry: &Turned<N>,
        target: f32,
        gradient: &mut Self,
    ) -> f32 {
        let bucket = usize::from(sample.bucket);
        let hidden = self.hidden(sample, symmetry);
        let activated = hidden.each_ref().map(activate);
        let predicted = sigmoid(self.output(bucket, &activated));
        let error = predicted - target;
        gradient.output_bias[bucket] += error;
        let mut back = [[0.0; HIDDEN]; 2];
        for side in 0..2 {
            let weights = &self.output[bucket][side];
            let weights_gradient = &mut gradient.output[bucket][side];
            for unit in 0..HIDDEN {
                weights_gradient[unit] += error * activated[side][unit];
                // The square's slope is twice the value; none where clipped.
                let value = hidden[side][unit];
                let inside = if value > 0.0 && value < 1.0 {
                    value
                } else {
                    0.0
                };
                back[side][unit] = error * weights[unit] * 2.0 * inside;
            }
        }
        let mut both = back[0];
        add(&mut both, &back[1]);
        sample.for_each_feature(symmetry, |feature| match feature {
            Feature::Tower(tower) => add(&mut gradient.rows[tower], &both),
            Feature::Worker([mover, other]) => {
                add(&mut gradient.rows[mover], &back[0]);
                add(&mut gradient.rows[other], &back[1]);
            }
        });
        predicted
    }
}

#[inline(always)]
fn add(sum: &mut Units, units: &Units) {
    for unit in 0..HIDDEN {
        sum[unit] += units[unit];
    }
}

#[inline(always)]
fn activate(units: &Units) -> Units {
    std::array::from_fn(|unit| {
        let value = units[unit].clamp(0.0, 1.0);
        value * value
    })
}

/// The dot product, summed in a fixed order whatever the instruction set.
#[inline(always)]
fn dot(a: &Units, b: &Units) -> f32 {
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
        lessons
            .iter()
            .map(|&(sample, symmetry, target)| model.learn_one(sample, symmetry, target, gradient))
            .collect()
    }
}

for_widest_vectors! {
    /// The predictions for samples as they stand.
    pub fn predict<const N: usize>(model: &Model<N>, samples: &[Sample<N>]) -> Vec<f32> {
        let identity = each_square(|square| square.index() as u8);
        samples.iter().map(|sample| model.predict_one(sample, &identity)).collect()
    }
}
