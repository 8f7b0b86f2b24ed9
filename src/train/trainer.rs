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
    let (validation, training) = samples.split_at_mut(kept);
    let mut adam = Adam::new();
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
            let (mut gradient, batch_loss) = batch_gradient(&model, &lessons, options.threads);
            loss += batch_loss;
            let progress = step as f32 / steps as f32;
            let rate =
                options.learning_rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            adam.step(&mut model, &mut gradient, rate, batch.len());
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

/// The sum of the lessons' gradients and losses.
fn batch_gradient<const N: usize>(
    model: &Model<N>,
    lessons: &[Lesson<N>],
    threads: usize,
) -> (Model<N>, f64) {
    let parts: Vec<&[Lesson<N>]> = lessons.chunks(lessons.len().div_ceil(PARTS)).collect();
    let mut results: Vec<(Model<N>, f64)> = Vec::with_capacity(PARTS);
    for group in parts.chunks(threads.clamp(1, PARTS)) {
        std::thread::scope(|scope| {
            let part = |lessons| move || part_gradient(model, lessons);
            let running: Vec<_> = group
                .iter()
                .map(|lessons| scope.spawn(part(lessons)))
                .collect();
            results.extend(
                running
                    .into_iter()
                    .map(|thread| thread.join().expect("no panic")),
            );
        });
    }
    let mut results = results.into_iter();
    let (mut gradient, mut loss) = results.next().expect("a batch is not empty");
    for (part, part_loss) in results {
        for (sums, values) in gradient.parts_mut().zip(part.parts()) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
        loss += part_loss;
    }
    (gradient, loss)
}

fn part_gradient<const N: usize>(model: &Model<N>, lessons: &[Lesson<N>]) -> (Model<N>, f64) {
    let mut gradient = Model::zero();
    let predicted = learn(model, lessons, &mut gradient);
    let losses = predicted
        .iter()
        .zip(lessons)
        .map(|(&p, lesson)| cross_entropy(p, lesson.2));
    let loss = losses.sum();
    (gradient, loss)
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

    fn step(&mut self, model: &mut Model<N>, gradient: &mut Model<N>, rate: f32, samples: usize) {
        self.steps += 1;
        let mean_correction = 1.0 - Self::MEAN_DECAY.powi(self.steps);
        let square_correction = 1.0 - Self::SQUARE_DECAY.powi(self.steps);
        let moments = self.mean.parts_mut().zip(self.square.parts_mut());
        for ((weights, gradient), (means, squares)) in
            model.parts_mut().zip(gradient.parts()).zip(moments)
        {
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
        model.clip();
    }
}
