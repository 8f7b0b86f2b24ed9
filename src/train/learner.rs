//! A model that learns: its predictions for a batch of lessons, and the step
//! of the optimiser that their errors lead to.
//!
//! Hidden values meet only in the sum at the end, so the work is cut by them:
//! the rows of one block of hidden values, and their gradient, stay in the
//! cache through a whole batch. Each block is computed by one thread and in
//! one order, so that the result does not depend on the number of threads:
//! those of the pool that the learner is called from.

use rayon::prelude::*;

use super::adam::Adam;
use super::model::{MAX_WEIGHT, Model, Units, layer_rows};
use super::samples::Lesson;
use super::targets::{cross_entropy, sigmoid};
use crate::eval::network::features::{Features, STAGES};

/// A model with the state of its optimiser.
pub struct Learner<const N: usize> {
    features: Features,
    blocks: Vec<Block>,
    bias: [f32; STAGES],
    bias_adam: Adam,
    steps: i32,
}

/// The summands of an output are added up in so many parts.
const PARTS: usize = 8;

type Parts = [f32; PARTS];

/// The least number of lessons that are worth another thread.
pub const FEW_LESSONS: usize = 64;

/// Some hidden values: their weights and what is computed with them.
struct Block {
    weights: Vec<Units>,
    gradient: Vec<Units>,
    adam: Adam,
    /// For each lesson the hidden values of the mover and the other player.
    hidden: Vec<[Units; 2]>,
    /// For each lesson what these add to the output.
    outputs: Vec<Parts>,
}

impl<const N: usize> Learner<N> {
    /// Begins to teach a model.
    pub fn new(model: Model<N>) -> Self {
        let features = model.features();
        let blocks = model.blocks.into_iter().map(Block::new);
        Self {
            features,
            blocks: blocks.collect(),
            bias: model.bias,
            bias_adam: Adam::new(STAGES),
            steps: 0,
        }
    }

    /// What the model sees of a position.
    pub const fn features(&self) -> Features {
        self.features
    }

    /// The model as it is now.
    pub fn into_model(self) -> Model<N> {
        let blocks = self.blocks.into_iter().map(|block| block.weights);
        Model::new(self.features, blocks.collect(), self.bias)
    }

    /// The probability that the mover wins, and its cross entropy with the
    /// target, for each lesson.
    fn predict(&mut self, lessons: &[Lesson<N>]) -> Vec<(f32, f64)> {
        let features = self.features.count::<N>();
        let blocks = self.blocks.par_iter_mut().with_max_len(1);
        blocks.for_each(|block| block.forward(features, lessons));
        let outputs = lessons.par_iter().with_min_len(FEW_LESSONS).enumerate();
        let outputs = outputs.map(|(index, lesson)| {
            let mut sums = Parts::default();
            for block in &self.blocks {
                for (sum, part) in sums.iter_mut().zip(&block.outputs[index]) {
                    *sum += part;
                }
            }
            let predicted = sigmoid(self.bias[lesson.stage] + sums.iter().sum::<f32>());
            (predicted, cross_entropy(predicted, lesson.target))
        });
        outputs.collect()
    }

    /// The sum of the cross entropies of the predictions with the targets.
    pub fn loss(&mut self, lessons: &[Lesson<N>]) -> f64 {
        self.predict(lessons).iter().map(|(_, loss)| loss).sum()
    }

    /// Takes a step towards the lessons' targets; returns their loss before.
    pub fn learn(&mut self, lessons: &[Lesson<N>], rate: f32) -> f64 {
        let predicted = self.predict(lessons);
        let errors: Vec<f32> = (predicted.iter().zip(lessons))
            .map(|((predicted, _), lesson)| (predicted - lesson.target) / lessons.len() as f32)
            .collect();
        let mut bias_gradient = [0.0; STAGES];
        for (error, lesson) in errors.iter().zip(lessons) {
            bias_gradient[lesson.stage] += error;
        }
        self.steps += 1;
        let steps = self.steps;
        let bias = &mut self.bias;
        self.bias_adam.step(bias, &bias_gradient, rate, steps);
        let features = self.features.count::<N>();
        let blocks = self.blocks.par_iter_mut().with_max_len(1);
        blocks.for_each(|block| {
            block.backward(features, lessons, &errors);
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

    /// Computes the hidden values of all lessons and what they add to the
    /// outputs.
    fn forward<const N: usize>(&mut self, features: usize, lessons: &[Lesson<N>]) {
        self.hidden.resize(lessons.len(), Default::default());
        self.outputs.resize(lessons.len(), Default::default());
        forward(
            self.weights.split_at(features),
            lessons,
            &mut self.hidden,
            &mut self.outputs,
        );
    }

    /// Computes the gradient from the errors of the lessons' predictions.
    fn backward<const N: usize>(&mut self, features: usize, lessons: &[Lesson<N>], errors: &[f32]) {
        self.gradient.as_flattened_mut().fill(0.0);
        let (_, output) = self.weights.split_at(features);
        let gradient = self.gradient.split_at_mut(features);
        backward(output, lessons, errors, &self.hidden, gradient);
    }

    /// Changes the weights, within what the integers of the quantised network
    /// can hold.
    fn step(&mut self, rate: f32, steps: i32) {
        let weights = self.weights.as_flattened_mut();
        let gradient = self.gradient.as_flattened();
        self.adam.step(weights, gradient, rate, steps);
        for weight in weights {
            *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }
}

// Measured, with the optimiser's: training takes half the time of SSE2's with
// AVX2. Only elementwise arithmetic is vectorised, so the result does not
// depend on it.
for_widest_vectors! {
    /// Computes hidden values and their part of the outputs from the rows of
    /// the features and those of the output layers.
    fn forward<const N: usize>(
        weights: (&[Units], &[Units]),
        lessons: &[Lesson<N>],
        hidden: &mut [[Units; 2]],
        outputs: &mut [Parts],
    ) {
        let (rows, output_rows) = weights;
        for ((lesson, hidden), output) in lessons.iter().zip(hidden).zip(outputs) {
            // The towers, which both see alike, are summed once.
            let mut towers = Units::default();
            for &tower in lesson.towers.as_flattened() {
                add(&mut towers, &rows[usize::from(tower)]);
            }
            let [mut mover, mut other] = [towers; 2];
            for [own, others] in lesson.workers {
                add(&mut mover, &rows[usize::from(own)]);
                add(&mut other, &rows[usize::from(others)]);
            }
            let [own, others] = layer_rows(lesson.stage);
            *output = Parts::default();
            for (hidden, row) in [(&mover, own), (&other, others)] {
                let weighted = hidden.as_chunks().0.iter().zip(output_rows[row].as_chunks().0);
                for (hidden, weights) in weighted {
                    weigh(output, hidden, weights);
                }
            }
            *hidden = [mover, other];
        }
    }
}

for_widest_vectors! {
    /// Adds up the gradients of the rows of the features and of the output
    /// layers.
    fn backward<const N: usize>(
        output_rows: &[Units],
        lessons: &[Lesson<N>],
        errors: &[f32],
        hidden: &[[Units; 2]],
        gradient: (&mut [Units], &mut [Units]),
    ) {
        let (rows, layers) = gradient;
        for ((lesson, hidden), &error) in lessons.iter().zip(hidden).zip(errors) {
            let [own, others] = layer_rows(lesson.stage);
            let mover = back(&hidden[0], error, &output_rows[own], &mut layers[own]);
            let other = back(&hidden[1], error, &output_rows[others], &mut layers[others]);
            let mut both = mover;
            add(&mut both, &other);
            for &tower in lesson.towers.as_flattened() {
                add(&mut rows[usize::from(tower)], &both);
            }
            for [own, others] in lesson.workers {
                add(&mut rows[usize::from(own)], &mover);
                add(&mut rows[usize::from(others)], &other);
            }
        }
    }
}

/// The gradient of hidden values; adds that of their output weights to `layer`.
#[inline(always)]
fn back(hidden: &Units, error: f32, output_weights: &Units, layer: &mut Units) -> Units {
    let mut gradient = Units::default();
    for unit in 0..hidden.len() {
        let value = hidden[unit].clamp(0.0, 1.0);
        layer[unit] += error * (value * value);
        // The square's slope is twice the value; none where clipped.
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

/// A hidden value clipped and squared.
#[inline(always)]
fn activated(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    value * value
}

/// Adds the products of hidden values and their output weights.
#[inline(always)]
fn weigh(parts: &mut Parts, hidden: &Parts, weights: &Parts) {
    for lane in 0..PARTS {
        parts[lane] += activated(hidden[lane]) * weights[lane];
    }
}
