//! Fitting the network: Adam on shuffled batches, every sample turned by a
//! random symmetry of the board each time it is seen.
//!
//! The gradient of a batch is computed in a fixed number of parts and summed
//! in their order, so that the result does not depend on the number of
//! threads.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::model::{Lesson, Model, learn, predict};
use super::samples::{Sample, cross_entropy, fit_score_scale, symmetries};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct TrainOptions {
    pub epochs: u32,
    pub batch: usize,
    /// Adam's step at the start; it falls to nothing along a cosine.
    pub learning_rate: f32,
    /// How much of the target is the search score; the rest is the result.
    pub score_share: f32,
    /// The part of the samples that is kept for validation.
    pub validation: f32,
    pub seed: u64,
    pub threads: usize,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            epochs: 25,
            batch: 1024,
            learning_rate: 1e-3,
            score_share: 0.75,
            validation: 0.02,
            seed: 1,
            threads: 2,
        }
    }
}

/// Losses after an epoch: mean cross entropy with the targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    pub epoch: u32,
    pub training: f64,
    pub validation: f64,
}

/// The parts a batch is cut into, each for one thread at a time.
const PARTS: usize = 4;

/// Fits a model to the samples. `report` is called after every epoch and may
/// stop the training by returning false.
pub fn train<const N: usize>(
    mut samples: Vec<Sample<N>>,
    mut model: Model<N>,
    options: &TrainOptions,
    mut report: impl FnMut(&Epoch) -> bool,
) -> Model<N> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    samples.shuffle(&mut rng);
    let scale = fit_score_scale(&samples);
    let kept = (samples.len() as f32 * options.validation) as usize;
    let (validation, training) = samples.split_at_mut(kept);
    let zero = Model::zero(model.features(), model.hidden());
    let mut gradients = vec![zero.clone(); PARTS];
    let mut adam = Adam::new(zero);
    let tables = symmetries::<N>();
    let steps = training.len().div_ceil(options.batch) * options.epochs as usize;
    let mut step = 0;
    for epoch in 1..=options.epochs {
        training.shuffle(&mut rng);
        let mut loss = 0.0;
        for batch in training.chunks(options.batch) {
            let lessons: Vec<Lesson<N>> = batch
                .iter()
                .map(|sample| {
                    let symmetry = &tables[rng.random_range(0..tables.len())];
                    (sample, symmetry, sample.target(options.score_share, scale))
                })
                .collect();
            loss += batch_gradient(&model, &lessons, options.threads, &mut gradients);
            let progress = step as f32 / steps as f32;
            let rate =
                options.learning_rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            adam.step(&mut model, &gradients[0], rate, batch.len());
            step += 1;
        }
        let training = loss / training.len().max(1) as f64;
        let validation = mean_loss(&model, validation, options.score_share, scale);
        if !report(&Epoch {
            epoch,
            training,
            validation,
        }) {
            break;
        }
    }
    model
}

/// Computes the sum of the lessons' gradients into the first of `parts`, which
/// are only space to work in; returns the sum of the losses.
fn batch_gradient<const N: usize>(
    model: &Model<N>,
    lessons: &[Lesson<N>],
    threads: usize,
    parts: &mut [Model<N>],
) -> f64 {
    let mut work: Vec<(&[Lesson<N>], &mut Model<N>)> = lessons
        .chunks(lessons.len().div_ceil(PARTS))
        .zip(&mut *parts)
        .collect();
    let count = work.len();
    let mut loss = 0.0;
    for group in work.chunks_mut(threads.clamp(1, PARTS)) {
        std::thread::scope(|scope| {
            let running: Vec<_> = group
                .iter_mut()
                .map(|(lessons, gradient)| scope.spawn(|| part_gradient(model, lessons, gradient)))
                .collect();
            let losses = running
                .into_iter()
                .map(|thread| thread.join().expect("no panic"));
            losses.for_each(|part| loss += part);
        });
    }
    let (gradient, others) = parts[..count]
        .split_first_mut()
        .expect("a batch is not empty");
    for part in others {
        for (sum, value) in gradient.weights.iter_mut().zip(&part.weights) {
            *sum += value;
        }
    }
    loss
}

/// Computes the sum of the lessons' gradients; returns that of their losses.
fn part_gradient<const N: usize>(
    model: &Model<N>,
    lessons: &[Lesson<N>],
    gradient: &mut Model<N>,
) -> f64 {
    gradient.weights.fill(0.0);
    let predicted = learn(model, lessons, gradient);
    let losses = predicted
        .iter()
        .zip(lessons)
        .map(|(&p, lesson)| cross_entropy(p, lesson.2));
    losses.sum()
}

fn mean_loss<const N: usize>(
    model: &Model<N>,
    samples: &[Sample<N>],
    score_share: f32,
    scale: f32,
) -> f64 {
    let predicted = predict(model, samples);
    let losses = predicted
        .iter()
        .zip(samples)
        .map(|(&p, sample)| cross_entropy(p, sample.target(score_share, scale)));
    losses.sum::<f64>() / samples.len().max(1) as f64
}

/// The Adam optimiser (D. Kingma and J. Ba, 2015).
struct Adam<const N: usize> {
    mean: Model<N>,
    square: Model<N>,
    steps: i32,
}

impl<const N: usize> Adam<N> {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    fn new(zero: Model<N>) -> Self {
        Self {
            mean: zero.clone(),
            square: zero,
            steps: 0,
        }
    }

    fn step(&mut self, model: &mut Model<N>, gradient: &Model<N>, rate: f32, samples: usize) {
        self.steps += 1;
        let mean_correction = 1.0 - Self::MEAN_DECAY.powi(self.steps);
        let square_correction = 1.0 - Self::SQUARE_DECAY.powi(self.steps);
        let moments = (self.mean.weights.iter_mut()).zip(&mut self.square.weights);
        let weights = model.weights.iter_mut().zip(&gradient.weights);
        for ((weight, gradient), (mean, square)) in weights.zip(moments) {
            let gradient = gradient / samples as f32;
            *mean += (1.0 - Self::MEAN_DECAY) * (gradient - *mean);
            *square += (1.0 - Self::SQUARE_DECAY) * (gradient * gradient - *square);
            let direction =
                (*mean / mean_correction) / ((*square / square_correction).sqrt() + 1e-8);
            *weight -= rate * direction;
        }
        model.clip();
    }
}
