//! Fitting the network: Adam on shuffled batches, every sample turned by a
//! random symmetry of the board each time it is seen.

use std::iter::repeat_with;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::learner::{FEW_LESSONS, Learner};
use super::model::Model;
use super::samples::{Lesson, Sample, symmetries};
use super::targets::targets;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct TrainOptions {
    pub epochs: u32,
    pub batch: usize,
    /// Adam's step at the start; it falls to nothing along a cosine.
    pub learning_rate: f32,
    /// How much each later turn of the game counts in what is to be learned,
    /// see [`targets`].
    pub lambda: f32,
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
            lambda: 0.5,
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

/// The samples of which a part is kept for validation are so many at a time.
const STRETCH: usize = 50_000;

/// Fits a model to the samples, those of a game in their order. `report` is
/// called after every epoch and may stop the training by returning false.
///
/// # Errors
/// If the threads cannot be started.
pub fn train<const N: usize>(
    samples: &[Sample<N>],
    model: Model<N>,
    options: &TrainOptions,
    mut report: impl FnMut(&Epoch) -> bool,
) -> Result<Model<N>, ThreadPoolBuildError> {
    let threads = ThreadPoolBuilder::new().num_threads(options.threads.max(1));
    let threads = threads.build()?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let targets = targets(samples, options.lambda);
    let (mut training, validation) = split(samples.len(), options.validation);
    let mut learner = Learner::new(model);
    let features = learner.features();
    let tables = symmetries::<N>();
    let lessons = |batch: &[u32], turned: &[usize]| -> Vec<Lesson<N>> {
        let turned = batch.par_iter().zip(turned).with_min_len(FEW_LESSONS);
        let lesson = |(&index, &symmetry): (&u32, &usize)| {
            let index = index as usize;
            samples[index].lesson(features, &tables[symmetry], targets[index])
        };
        turned.map(lesson).collect()
    };
    let as_they_are = vec![0; options.batch];
    let steps = training.len().div_ceil(options.batch) * options.epochs as usize;
    let mut step = 0;
    for epoch in 1..=options.epochs {
        training.shuffle(&mut rng);
        let (mut loss, mut kept_loss) = (0.0, 0.0);
        for batch in training.chunks(options.batch) {
            let turned = repeat_with(|| rng.random_range(0..tables.len())).take(batch.len());
            let turned: Vec<usize> = turned.collect();
            let progress = step as f32 / steps as f32;
            let rate =
                options.learning_rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            loss += threads.install(|| learner.learn(&lessons(batch, &turned), rate));
            step += 1;
        }
        for batch in validation.chunks(options.batch) {
            kept_loss += threads.install(|| learner.loss(&lessons(batch, &as_they_are)));
        }
        let mean = |loss: f64, part: &[u32]| loss / part.len().max(1) as f64;
        let epoch = Epoch {
            epoch,
            training: mean(loss, &training),
            validation: mean(kept_loss, &validation),
        };
        if !report(&epoch) {
            break;
        }
    }
    Ok(learner.into_model())
}

/// The indices to learn from and, of each stretch of samples, the last part:
/// those kept for validation. Positions of one game are much alike, so they
/// should not be on both sides.
fn split(samples: usize, share: f32) -> (Vec<u32>, Vec<u32>) {
    let stretch = STRETCH.min(samples);
    let kept = (stretch as f32 * share) as usize;
    (0..samples as u32).partition(|&index| (index as usize) % stretch < stretch - kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_for_validation_come_from_the_ends_of_stretches() {
        let (training, validation) = split(STRETCH + 20, 0.02);
        let kept = STRETCH as u32 / 50;
        let end = STRETCH as u32;
        assert_eq!(validation, Vec::from_iter(end - kept..end));
        let learned = (0..end - kept).chain(end..end + 20);
        assert_eq!(training, Vec::from_iter(learned));

        let (training, validation) = split(100, 0.02);
        assert_eq!((training.len(), validation), (98, vec![98, 99]));
    }
}
