//! Fitting the values of turns: the probability that a turn is the best is the
//! exponential of its value, over the sum of those of all (multinomial logistic
//! regression), by Adam on shuffled batches.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::adam::Adam;
use super::Lesson;
use crate::search::policy::Learned;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    pub epochs: u32,
    /// The part of the lessons that is kept for validation.
    pub validation: f32,
    pub seed: u64,
}

/// How well the values fit after an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    pub epoch: u32,
    /// The mean cross entropy of lessons kept back.
    pub loss: f32,
    /// How many turns of them come before the best one, on average; of turns of
    /// the same value half.
    pub rank: f32,
}

/// Lessons in a step of the optimiser.
const BATCH: usize = 256;
/// Adam's step at the start; it falls to nothing in a straight line.
const RATE: f32 = 0.02;
/// What pulls values towards 0, a step: a case that is hardly ever seen says
/// little.
const DECAY: f32 = 1e-5;

/// Fits the values of all cases to the lessons, in the order of [`Learned`].
pub fn fit(lessons: &[Lesson], options: &FitOptions, mut report: impl FnMut(&Epoch)) -> Vec<f32> {
    let kept_back = (lessons.len() as f32 * options.validation) as usize;
    let (validation, training) = lessons.split_at(kept_back);
    let mut values = vec![0.0; Learned::VALUES];
    let mut gradient = vec![0.0; Learned::VALUES];
    let mut adam = Adam::new(Learned::VALUES);
    let mut order: Vec<&Lesson> = training.iter().collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let all = order.len().div_ceil(BATCH) * options.epochs as usize;
    let mut steps = 0;
    for epoch in 1..=options.epochs {
        order.shuffle(&mut rng);
        for batch in order.chunks(BATCH) {
            for (gradient, value) in gradient.iter_mut().zip(&values) {
                *gradient = DECAY * value;
            }
            for lesson in batch {
                add_gradient(lesson, &values, 1.0 / batch.len() as f32, &mut gradient);
            }
            steps += 1;
            let rate = RATE * (1.0 - steps as f32 / (all + 1) as f32);
            adam.step(&mut values, &gradient, rate, steps);
        }
        report(&judge(validation, &values, epoch));
    }
    values
}

/// The value of each turn.
fn values_of(lesson: &Lesson, values: &[f32]) -> Vec<f32> {
    let value = |turn: &[u16; 3]| turn.map(|place| values[usize::from(place)]).iter().sum();
    lesson.turns.iter().map(value).collect()
}

/// The probabilities of turns with these values.
fn probabilities(values: &[f32]) -> Vec<f32> {
    let greatest = values.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = values
        .iter()
        .map(|value| (value - greatest).exp())
        .collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

fn add_gradient(lesson: &Lesson, values: &[f32], share: f32, gradient: &mut [f32]) {
    let predicted = probabilities(&values_of(lesson, values));
    for ((turn, predicted), target) in lesson.turns.iter().zip(predicted).zip(&lesson.targets) {
        for place in turn {
            gradient[usize::from(*place)] += share * (predicted - target);
        }
    }
}

fn judge(lessons: &[Lesson], values: &[f32], epoch: u32) -> Epoch {
    let (mut loss, mut rank) = (0.0, 0.0);
    for lesson in lessons {
        let values = values_of(lesson, values);
        for (predicted, target) in probabilities(&values).iter().zip(&lesson.targets) {
            loss -= target * predicted.max(1e-9).ln();
        }
        let best = lesson
            .targets
            .iter()
            .zip(&values)
            .max_by(|a, b| a.0.total_cmp(b.0));
        let best = best.map_or(0.0, |(_, value)| *value);
        let count = |is: fn(&f32, &f32) -> bool| values.iter().filter(|it| is(it, &best)).count();
        rank += count(f32::gt) as f32 + (count(f32::eq) - 1) as f32 / 2.0;
    }
    let count = lessons.len().max(1) as f32;
    Epoch {
        epoch,
        loss: loss / count,
        rank: rank / count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_tell_how_likely_turns_are() {
        // Of two turns the first is the best three times as often.
        let lesson = Lesson {
            turns: vec![[0, 1, 2], [0, 1, 3]],
            targets: vec![0.75, 0.25],
        };
        let options = FitOptions {
            epochs: 200,
            validation: 0.1,
            seed: 1,
        };
        let mut last = f32::MAX;
        let values = fit(&vec![lesson; 300], &options, |epoch| last = epoch.loss);
        assert!(
            (values[2] - values[3] - 3f32.ln()).abs() < 0.05,
            "{values:?}"
        );
        let least = -(0.75 * 0.75f32.ln() + 0.25 * 0.25f32.ln());
        assert!((last - least).abs() < 1e-3, "{last} {least}");
    }
}
