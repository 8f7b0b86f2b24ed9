//! The training loop: Adam on shuffled batches. Each position is transformed by a random
//! symmetry of the board whenever it is used.

use std::iter::repeat_with;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::learner::{Learner, MIN_SAMPLES_A_THREAD};
use super::model::Model;
use super::samples::{ScoredPosition, TrainSample, symmetries};
use super::targets::targets;
use crate::seeds::seeded;

/// The options of training.
#[derive(Clone, Copy, Debug)]
pub struct TrainOptions {
    /// The number of passes over all positions.
    pub epochs: u32,
    /// The number of positions per step.
    pub batch: usize,
    /// The initial learning rate; it decays to 0 along a cosine.
    pub learning_rate: f32,
    /// The λ of the [`targets`]: the weight of each turn relative to the turn before.
    pub lambda: f32,
    /// The seed of shuffling and initial weights.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            epochs: 25,
            batch: 1024,
            learning_rate: 1e-3,
            lambda: 0.5,
            seed: 1,
            threads: 2,
        }
    }
}

/// The losses of an epoch: mean cross entropy with the targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// The number of the epoch, from 1.
    pub epoch: u32,
    /// The loss on the positions trained on.
    pub training: f64,
    /// The loss on the positions kept for validation.
    pub validation: f64,
}

/// The end of each block of this many positions is kept for validation.
const VALIDATION_BLOCK: usize = 50_000;

/// The share of a block that is kept for validation.
const VALIDATION_SHARE: f32 = 0.02;

/// Fits a model to the positions; positions of a game must be consecutive. `report` is
/// called after every epoch. Once `stop` is set, training ends with the model of the last
/// complete epoch.
///
/// # Errors
/// If the threads cannot be started.
pub fn train<const N: usize>(
    positions: &[ScoredPosition<N>],
    model: Model<N>,
    options: &TrainOptions,
    stop: &AtomicBool,
    mut report: impl FnMut(&Epoch),
) -> Result<Model<N>, ThreadPoolBuildError> {
    let threads = ThreadPoolBuilder::new().num_threads(options.threads.max(1));
    let threads = threads.build()?;
    let mut rng = seeded(options.seed);
    let targets = targets(positions, options.lambda);
    let (mut training, validation) = split(positions.len());
    let mut trained = model.clone();
    let mut learner = Learner::new(model);
    let features = learner.features();
    let tables = symmetries::<N>();
    let samples = |batch: &[u32], symmetries: &[usize]| -> Vec<TrainSample<N>> {
        let pairs = batch
            .par_iter()
            .zip(symmetries)
            .with_min_len(MIN_SAMPLES_A_THREAD);
        let sample = |(&index, &symmetry): (&u32, &usize)| {
            let index = index as usize;
            positions[index].sample(features, &tables[symmetry], targets[index])
        };
        pairs.map(sample).collect()
    };
    let identity = vec![0; options.batch];
    let steps = training.len().div_ceil(options.batch) * options.epochs as usize;
    let mut step = 0;
    for epoch in 1..=options.epochs {
        training.shuffle(&mut rng);
        let (mut loss, mut validation_loss) = (0.0, 0.0);
        for batch in training.chunks(options.batch) {
            if stop.load(Ordering::Relaxed) {
                return Ok(trained);
            }
            let random = repeat_with(|| rng.random_range(0..tables.len()));
            let symmetries: Vec<usize> = random.take(batch.len()).collect();
            let progress = step as f32 / steps as f32;
            let rate =
                options.learning_rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            loss += threads.install(|| learner.train_batch(&samples(batch, &symmetries), rate));
            step += 1;
        }
        for batch in validation.chunks(options.batch) {
            validation_loss += threads.install(|| learner.loss(&samples(batch, &identity)));
        }
        let mean = |loss: f64, part: &[u32]| loss / part.len().max(1) as f64;
        trained = learner.model();
        report(&Epoch {
            epoch,
            training: mean(loss, &training),
            validation: mean(validation_loss, &validation),
        });
    }
    Ok(trained)
}

/// Splits the indices into training and validation sets: the end of each block is for
/// validation, at least one position if there are two. Positions of a game are similar and
/// adjacent, so this way few games are in both sets.
fn split(positions: usize) -> (Vec<u32>, Vec<u32>) {
    let block = VALIDATION_BLOCK.min(positions);
    let kept = (block as f32 * VALIDATION_SHARE) as usize;
    let kept = kept.max(1).min(block.saturating_sub(1));
    (0..positions as u32).partition(|&index| (index as usize) % block < block - kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_for_validation_come_from_the_ends_of_blocks() {
        let (training, validation) = split(VALIDATION_BLOCK + 20);
        let kept = VALIDATION_BLOCK as u32 / 50;
        let end = VALIDATION_BLOCK as u32;
        assert_eq!(validation, Vec::from_iter(end - kept..end));
        let learned = (0..end - kept).chain(end..end + 20);
        assert_eq!(training, Vec::from_iter(learned));

        let (training, validation) = split(100);
        assert_eq!((training.len(), validation), (98, vec![98, 99]));
        assert_eq!(split(3), (vec![0, 1], vec![2]));
        assert_eq!(split(1), (vec![0], vec![]));
    }
}
