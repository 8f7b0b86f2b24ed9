//! Fits the weights of the policy: multinomial logistic regression (softmax over
//! the turns of a position) by Adam on shuffled batches.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::adam::Adam;
use super::PolicySample;
use crate::search::policy::PolicyWeights;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    pub epochs: u32,
    /// The share of the samples that is kept for validation.
    pub validation: f32,
    pub seed: u64,
}

/// The results of an epoch on the validation samples.
#[derive(Clone, Copy, Debug)]
pub struct PolicyEpoch {
    pub epoch: u32,
    /// The mean cross entropy.
    pub loss: f32,
    /// The mean number of turns ordered before the best one; ties count half.
    pub rank: f32,
}

/// The samples of an optimiser step.
const BATCH: usize = 256;
/// The learning rate at the start; it falls to 0 linearly.
const RATE: f32 = 0.02;
/// Weight decay: keeps the weights of rare features near 0.
const DECAY: f32 = 1e-5;

/// Fits the weights of all features to the samples, in the order of
/// [`PolicyWeights`].
pub fn fit(
    samples: &[PolicySample],
    options: &FitOptions,
    mut report: impl FnMut(&PolicyEpoch),
) -> Vec<f32> {
    let kept_back = (samples.len() as f32 * options.validation) as usize;
    let (validation, training) = samples.split_at(kept_back);
    let mut values = vec![0.0; PolicyWeights::COUNT];
    let mut gradient = vec![0.0; PolicyWeights::COUNT];
    let mut adam = Adam::new(PolicyWeights::COUNT);
    let mut order: Vec<&PolicySample> = training.iter().collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let all = order.len().div_ceil(BATCH) * options.epochs as usize;
    let mut steps = 0;
    for epoch in 1..=options.epochs {
        order.shuffle(&mut rng);
        for batch in order.chunks(BATCH) {
            for (gradient, value) in gradient.iter_mut().zip(&values) {
                *gradient = DECAY * value;
            }
            for sample in batch {
                add_gradient(sample, &values, 1.0 / batch.len() as f32, &mut gradient);
            }
            steps += 1;
            let rate = RATE * (1.0 - steps as f32 / (all + 1) as f32);
            adam.step(&mut values, &gradient, rate, steps);
        }
        report(&validate(validation, &values, epoch));
    }
    values
}

/// The score of each turn.
fn values_of(sample: &PolicySample, values: &[f32]) -> Vec<f32> {
    let value = |turn: &[u16; 3]| turn.map(|place| values[usize::from(place)]).iter().sum();
    sample.turns.iter().map(value).collect()
}

/// The softmax of scores.
fn probabilities(values: &[f32]) -> Vec<f32> {
    let greatest = values.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = values
        .iter()
        .map(|value| (value - greatest).exp())
        .collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

fn add_gradient(sample: &PolicySample, values: &[f32], share: f32, gradient: &mut [f32]) {
    let predicted = probabilities(&values_of(sample, values));
    for ((turn, predicted), target) in sample.turns.iter().zip(predicted).zip(&sample.targets) {
        for place in turn {
            gradient[usize::from(*place)] += share * (predicted - target);
        }
    }
}

/// Loss and rank on the validation samples.
fn validate(samples: &[PolicySample], values: &[f32], epoch: u32) -> PolicyEpoch {
    let (mut loss, mut rank) = (0.0, 0.0);
    for sample in samples {
        let values = values_of(sample, values);
        for (predicted, target) in probabilities(&values).iter().zip(&sample.targets) {
            loss -= target * predicted.max(1e-9).ln();
        }
        let best = sample
            .targets
            .iter()
            .zip(&values)
            .max_by(|a, b| a.0.total_cmp(b.0));
        let best = best.map_or(0.0, |(_, value)| *value);
        let count = |is: fn(&f32, &f32) -> bool| values.iter().filter(|it| is(it, &best)).count();
        rank += count(f32::gt) as f32 + (count(f32::eq) - 1) as f32 / 2.0;
    }
    let count = samples.len().max(1) as f32;
    PolicyEpoch {
        epoch,
        loss: loss / count,
        rank: rank / count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_tell_how_likely_turns_are() {
        // Of two turns the first is the best three times as often.
        let sample = PolicySample {
            turns: vec![[0, 1, 2], [0, 1, 3]],
            targets: vec![0.75, 0.25],
        };
        let options = FitOptions {
            epochs: 200,
            validation: 0.1,
            seed: 1,
        };
        let mut last = f32::MAX;
        let values = fit(&vec![sample; 300], &options, |epoch| last = epoch.loss);
        assert!(
            (values[2] - values[3] - 3f32.ln()).abs() < 0.05,
            "{values:?}"
        );
        let least = -(0.75 * 0.75f32.ln() + 0.25 * 0.25f32.ln());
        assert!((last - least).abs() < 1e-3, "{last} {least}");
    }
}
