//! Forward and backward passes over a batch of samples, and the optimiser step.
//!
//! Hidden units are combined only in the final sum, so the work is split by hidden units.
//! The weights and gradient of a block of hidden units stay in the cache for a whole batch.
//! Each block is computed by one thread in a fixed order, so the result does not depend on
//! the number of threads. The learner uses the thread pool it is called from.

use rayon::prelude::*;

use super::adam::Adam;
use super::model::{MAX_WEIGHT, Model, Units, output_rows};
use super::samples::TrainSample;
use super::targets::{cross_entropy, sigmoid};
use crate::eval::network::features::FeatureSet;

/// A model in training, with the state of its optimiser.
pub(super) struct Learner<const N: usize> {
    features: FeatureSet,
    blocks: Vec<Block>,
    bias: Vec<f32>,
    bias_adam: Adam,
    steps: i32,
}

/// The number of lanes in which an output is summed.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// The minimum number of samples per thread.
pub(super) const MIN_SAMPLES_A_THREAD: usize = 64;

/// A block of hidden units: their weights, gradient and activations.
struct Block {
    weights: Vec<Units>,
    gradient: Vec<Units>,
    adam: Adam,
    /// For each sample, the accumulators of the mover and the other player.
    hidden: Vec<[Units; 2]>,
    /// For each sample, the contribution of the block to the output.
    outputs: Vec<Lanes>,
}

impl<const N: usize> Learner<N> {
    /// A learner with a fresh optimiser.
    pub(super) fn new(model: Model<N>) -> Self {
        let features = model.features();
        let blocks = model.blocks.into_iter().map(Block::new);
        Self {
            features,
            blocks: blocks.collect(),
            bias_adam: Adam::new(model.bias.len()),
            bias: model.bias,
            steps: 0,
        }
    }

    /// The feature set of the model.
    pub(super) const fn features(&self) -> FeatureSet {
        self.features
    }

    /// The current model.
    pub(super) fn model(&self) -> Model<N> {
        let blocks = self.blocks.iter().map(|block| block.weights.clone());
        Model::new(self.features, blocks.collect(), self.bias.clone())
    }

    /// For each sample, the predicted probability that the mover wins, and its cross
    /// entropy with the target.
    fn forward(&mut self, samples: &[TrainSample<N>]) -> Vec<(f32, f64)> {
        let features = self.features.rows::<N>();
        let blocks = self.blocks.par_iter_mut().with_max_len(1);
        blocks.for_each(|block| block.forward(features, samples));
        let outputs = samples
            .par_iter()
            .with_min_len(MIN_SAMPLES_A_THREAD)
            .enumerate();
        let outputs = outputs.map(|(index, sample)| {
            let mut sums = Lanes::default();
            for block in &self.blocks {
                for (sum, part) in sums.iter_mut().zip(&block.outputs[index]) {
                    *sum += part;
                }
            }
            let predicted = sigmoid(self.bias[sample.layer] + sums.iter().sum::<f32>());
            (predicted, cross_entropy(predicted, sample.target))
        });
        outputs.collect()
    }

    /// The loss summed over the samples: cross entropy with the targets.
    pub(super) fn loss(&mut self, samples: &[TrainSample<N>]) -> f64 {
        self.forward(samples).iter().map(|(_, loss)| loss).sum()
    }

    /// Takes an optimiser step; returns the summed loss before it.
    pub(super) fn train_batch(&mut self, samples: &[TrainSample<N>], rate: f32) -> f64 {
        let predicted = self.forward(samples);
        let errors: Vec<f32> = (predicted.iter().zip(samples))
            .map(|((predicted, _), sample)| (predicted - sample.target) / samples.len() as f32)
            .collect();
        let mut bias_gradient = vec![0.0; self.bias.len()];
        for (error, sample) in errors.iter().zip(samples) {
            bias_gradient[sample.layer] += error;
        }
        self.steps += 1;
        let steps = self.steps;
        let bias = &mut self.bias;
        self.bias_adam.step(bias, &bias_gradient, rate, steps);
        let features = self.features.rows::<N>();
        let blocks = self.blocks.par_iter_mut().with_max_len(1);
        blocks.for_each(|block| {
            block.backward(features, samples, &errors);
            block.step(rate, steps);
        });
        predicted.iter().map(|(_, loss)| loss).sum()
    }
}

impl Block {
    fn new(weights: Vec<Units>) -> Self {
        Self {
            gradient: weights.clone(),
            adam: Adam::new(weights.as_flattened().len()),
            weights,
            hidden: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// The forward pass of the block.
    fn forward<const N: usize>(&mut self, features: usize, samples: &[TrainSample<N>]) {
        self.hidden.resize(samples.len(), Default::default());
        self.outputs.resize(samples.len(), Default::default());
        forward(
            self.weights.split_at(features),
            samples,
            &mut self.hidden,
            &mut self.outputs,
        );
    }

    /// The backward pass of the block: its gradient from the output errors.
    fn backward<const N: usize>(
        &mut self,
        features: usize,
        samples: &[TrainSample<N>],
        errors: &[f32],
    ) {
        self.gradient.as_flattened_mut().fill(0.0);
        let (_, output) = self.weights.split_at(features);
        let gradient = self.gradient.split_at_mut(features);
        backward(output, samples, errors, &self.hidden, gradient);
    }

    /// Updates the weights, clamped to the range of the quantised network.
    fn step(&mut self, rate: f32, steps: i32) {
        let weights = self.weights.as_flattened_mut();
        let gradient = self.gradient.as_flattened();
        self.adam.step(weights, gradient, rate, steps);
        for weight in weights {
            *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }
}

// Measured, together with the optimiser: training with AVX2 takes half the time
// of SSE2. Only elementwise arithmetic is vectorised, so the result is the same.
for_widest_vectors! {
    /// Computes accumulators and outputs from the rows of the features and the
    /// output weights.
    fn forward<const N: usize>(
        weights: (&[Units], &[Units]),
        samples: &[TrainSample<N>],
        hidden: &mut [[Units; 2]],
        outputs: &mut [Lanes],
    ) {
        let (rows, output_weights) = weights;
        for ((sample, hidden), output) in samples.iter().zip(hidden).zip(outputs) {
            let sum = |chosen: &[u16], mut sum: Units| {
                for &row in chosen {
                    add(&mut sum, &rows[usize::from(row)]);
                }
                sum
            };
            let [mover, other] = &sample.towers;
            let mover_towers = sum(mover.as_flattened(), Units::default());
            // Without cards, towers have the same rows for both players, so sum them once.
            let other_towers = match mover == other {
                true => mover_towers,
                false => sum(other.as_flattened(), Units::default()),
            };
            *hidden = [
                sum(&sample.workers[0], mover_towers),
                sum(&sample.workers[1], other_towers),
            ];
            *output = Lanes::default();
            for (hidden, row) in hidden.iter().zip(output_rows(sample.layer)) {
                let weighted = hidden.as_chunks().0.iter().zip(output_weights[row].as_chunks().0);
                for (hidden, weights) in weighted {
                    add_products(output, hidden, weights);
                }
            }
        }
    }
}

for_widest_vectors! {
    /// Adds up the gradients of the rows of the features and of the output
    /// weights.
    fn backward<const N: usize>(
        output_weights: &[Units],
        samples: &[TrainSample<N>],
        errors: &[f32],
        hidden: &[[Units; 2]],
        gradient: (&mut [Units], &mut [Units]),
    ) {
        let (rows, layers) = gradient;
        for ((sample, hidden), &error) in samples.iter().zip(hidden).zip(errors) {
            let [own, others] = output_rows(sample.layer);
            let mover = backpropagate(&hidden[0], error, &output_weights[own], &mut layers[own]);
            let other = backpropagate(&hidden[1], error, &output_weights[others], &mut layers[others]);
            let mut add_to = |chosen: &[u16], gradient: &Units| {
                for &row in chosen {
                    add(&mut rows[usize::from(row)], gradient);
                }
            };
            if sample.towers[0] == sample.towers[1] {
                let mut both = mover;
                add(&mut both, &other);
                add_to(sample.towers[0].as_flattened(), &both);
            } else {
                add_to(sample.towers[0].as_flattened(), &mover);
                add_to(sample.towers[1].as_flattened(), &other);
            }
            add_to(&sample.workers[0], &mover);
            add_to(&sample.workers[1], &other);
        }
    }
}

/// The gradient of hidden units. Adds the gradient of their output weights to `layer`.
#[inline(always)]
fn backpropagate(hidden: &Units, error: f32, output_weights: &Units, layer: &mut Units) -> Units {
    let mut gradient = Units::default();
    for unit in 0..hidden.len() {
        let value = hidden[unit].clamp(0.0, 1.0);
        layer[unit] += error * (value * value);
        // The derivative of SCReLU.
        let slope = if value < 1.0 { 2.0 * value } else { 0.0 };
        gradient[unit] = error * output_weights[unit] * slope;
    }
    gradient
}

#[inline(always)]
fn add(sum: &mut Units, units: &Units) {
    for (sum, unit) in sum.iter_mut().zip(units) {
        *sum += unit;
    }
}

/// A hidden unit clipped and squared.
#[inline(always)]
fn screlu(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    value * value
}

/// Adds the products of activations and output weights.
#[inline(always)]
fn add_products(parts: &mut Lanes, hidden: &Lanes, weights: &Lanes) {
    for lane in 0..LANES {
        parts[lane] += screlu(hidden[lane]) * weights[lane];
    }
}
