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
use super::samples::{Feature, Sample, cross_entropy, each_square, fit_score_scale, symmetries};
use crate::eval::network::features;

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

/// Fits a network to the samples, from random weights or from those of
/// `start`. `report` is called after every epoch and may stop the training by
/// returning false.
///
/// If neither the start nor the samples know games with cards, the network
/// takes them for games without.
pub fn train<const N: usize>(
    mut samples: Vec<Sample<N>>,
    start: Option<Model<N>>,
    options: &TrainOptions,
    mut report: impl FnMut(&Epoch) -> bool,
) -> Model<N> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    samples.shuffle(&mut rng);
    let scale = fit_score_scale(&samples);
    let kept = (samples.len() as f32 * options.validation) as usize;
    let knew_cards = start.as_ref().is_some_and(|it| it.quantise().knows_cards());
    let copy_to_cards = !knew_cards && !samples.iter().any(Sample::has_cards);
    let mut model = start.unwrap_or_else(|| Model::random(&mut rng));
    let used = used_parts(&samples);
    let (validation, training) = samples.split_at_mut(kept);
    let mut adam = Adam::new();
    let mut gradients = vec![Model::zero(); PARTS];
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
            loss += batch_gradient(&model, &lessons, options.threads, &used, &mut gradients);
            let progress = step as f32 / steps as f32;
            let rate =
                options.learning_rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            adam.step(&mut model, &gradients[0], rate, batch.len(), &used);
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
    if copy_to_cards {
        model.copy_to_cards();
    }
    model
}

/// Computes the sum of the lessons' gradients into the first of `parts`, which
/// are only space to work in; returns the sum of the losses.
fn batch_gradient<const N: usize>(
    model: &Model<N>,
    lessons: &[Lesson<N>],
    threads: usize,
    used: &[bool],
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
                .map(|(lessons, gradient)| {
                    scope.spawn(|| part_gradient(model, lessons, used, gradient))
                })
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
        let parts = gradient.parts_mut().zip(part.parts());
        for (sums, values) in only(used, parts) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }
    loss
}

/// Computes the sum of the lessons' gradients; returns that of their losses.
fn part_gradient<const N: usize>(
    model: &Model<N>,
    lessons: &[Lesson<N>],
    used: &[bool],
    gradient: &mut Model<N>,
) -> f64 {
    only(used, gradient.parts_mut()).for_each(|part| part.fill(0.0));
    let predicted = learn(model, lessons, gradient);
    let losses = predicted
        .iter()
        .zip(lessons)
        .map(|(&p, lesson)| cross_entropy(p, lesson.2));
    losses.sum()
}

/// Which parts of a model the samples can change: a game without cards knows
/// only a sixth of the features.
fn used_parts<const N: usize>(samples: &[Sample<N>]) -> Vec<bool> {
    let identity = each_square(|square| square.index() as u8);
    let mut kinds = [false; features::EACH];
    for sample in samples {
        sample.for_each_feature(&identity, |feature| match feature {
            Feature::Tower(tower) => kinds[features::kind(tower)] = true,
            Feature::Worker(sides) => {
                kinds[features::kind(sides[0])] = true;
                kinds[features::kind(sides[1])] = true;
            }
        });
    }
    let row = |feature: usize| kinds[features::kind(feature)];
    let rows = (0..features::count::<N>()).map(row);
    let others = Model::<N>::zero().parts().count() - rows.len();
    rows.chain(std::iter::repeat_n(true, others)).collect()
}

/// The parts that are used.
fn only<T>(used: &[bool], parts: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let parts = parts.zip(used);
    parts.filter_map(|(part, used)| used.then_some(part))
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

    fn new() -> Self {
        Self {
            mean: Model::zero(),
            square: Model::zero(),
            steps: 0,
        }
    }

    fn step(
        &mut self,
        model: &mut Model<N>,
        gradient: &Model<N>,
        rate: f32,
        samples: usize,
        used: &[bool],
    ) {
        self.steps += 1;
        let mean_correction = 1.0 - Self::MEAN_DECAY.powi(self.steps);
        let square_correction = 1.0 - Self::SQUARE_DECAY.powi(self.steps);
        let moments = self.mean.parts_mut().zip(self.square.parts_mut());
        let parts = model.parts_mut().zip(gradient.parts()).zip(moments);
        for ((weights, gradient), (means, squares)) in only(used, parts) {
            // Nothing has happened yet to a row that no sample has seen.
            if gradient.iter().chain(&*means).all(|value| *value == 0.0) {
                continue;
            }
            for (index, weight) in weights.iter_mut().enumerate() {
                let gradient = gradient[index] / samples as f32;
                let (mean, square) = (&mut means[index], &mut squares[index]);
                *mean += (1.0 - Self::MEAN_DECAY) * (gradient - *mean);
                *square += (1.0 - Self::SQUARE_DECAY) * (gradient * gradient - *square);
                let direction =
                    (*mean / mean_correction) / ((*square / square_correction).sqrt() + 1e-8);
                *weight -= rate * direction;
            }
        }
        model.clip(used);
    }
}
