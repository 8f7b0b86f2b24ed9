//! A card learns what the processor learns.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::super::model::{MAX_WEIGHT, Model};
use super::super::super::samples::Lesson;
use super::super::{Device, DeviceError, begin};
use crate::eval::network::features::{Features, STAGES};
use crate::rules::{Geometry, Square};

const HIDDEN: usize = 96;
const BATCH: usize = 300;

/// Some position's lesson, be the position possible or not.
fn lesson(rng: &mut Xoshiro256PlusPlus) -> Lesson<5> {
    let features = Features::Base;
    let squares = Geometry::<5>::BOARD.into_iter();
    let towers = squares.map(|square| features.tower(square, rng.random_range(0..5)) as u16);
    let towers: Vec<u16> = towers.collect();
    let workers = std::array::from_fn(|worker| {
        let square = Square::new(rng.random_range(0..25));
        let level = rng.random_range(0..4);
        [worker < 2, worker >= 2].map(|own| features.worker(square, level, own, None) as u16)
    });
    Lesson {
        towers: std::array::from_fn(|row| std::array::from_fn(|column| towers[row * 5 + column])),
        workers,
        stage: rng.random_range(0..STAGES),
        target: f32::from(u8::from(towers[0] > 2)),
    }
}

/// Makes a weight as large as it may be that the lessons want larger: that
/// of the highest tower on the first square, where the target is a win. The
/// second square keeps its hidden value from being clipped.
fn push_to_the_bound(model: &mut Model<5>) {
    let features = Features::Base;
    let rows = &mut model.blocks[0];
    rows[features.tower(Square::new(0), 4)][0] = MAX_WEIGHT;
    for level in 0..5 {
        rows[features.tower(Square::new(1), level)][0] = -1.5;
    }
    for output in &mut rows[features.count::<5>()..] {
        output[0] = 0.5;
    }
}

/// The losses of some steps and of a judgement after them, and the model then.
fn taught(device: Device) -> (Vec<f64>, Model<5>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut model = Model::random(Features::Base, HIDDEN, &mut rng);
    push_to_the_bound(&mut model);
    let mut learner = begin(model, device, BATCH).expect("the device is there");
    let mut losses = Vec::new();
    for step in 0..12 {
        // The batches are of different sizes, as the last of an epoch is.
        let lessons: Vec<_> = (0..BATCH - step).map(|_| lesson(&mut rng)).collect();
        learner.learn(&lessons, 1e-3);
        if step % 2 == 1 {
            losses.push(learner.take_loss().unwrap());
        }
        if step == 11 {
            learner.judge(&lessons);
            losses.push(learner.take_loss().unwrap());
        }
    }
    (losses, learner.into_model().unwrap())
}

#[test]
#[ignore = "needs a graphics card, or a driver that computes on the processor (lavapipe)"]
fn a_card_learns_what_the_processor_learns() {
    let (losses, model) = taught(Device::Gpu);
    let (expected, on_cpu) = taught(Device::Cpu);
    for (loss, expected) in losses.iter().zip(&expected) {
        assert!(
            (loss / expected - 1.0).abs() < 1e-4,
            "{losses:?} {expected:?}"
        );
    }
    assert!(expected[6] < expected[5], "they have learned: {expected:?}");
    let weights = |model: &Model<5>| {
        let blocks = model.blocks.iter().flatten().flatten();
        blocks.chain(&model.bias).copied().collect::<Vec<f32>>()
    };
    let (weights, expected) = (weights(&model), weights(&on_cpu));
    assert_eq!(weights.len(), expected.len());
    assert!(weights.iter().all(|weight| weight.abs() <= MAX_WEIGHT));
    // Where a gradient is next to nothing, rounding decides where the
    // optimiser goes: a few weights may differ by as much as the steps.
    let differ = |by: f32| {
        let pairs = weights.iter().zip(&expected);
        pairs.filter(|(a, b)| (*a - *b).abs() > by).count()
    };
    assert!(differ(1e-4) * 1000 < weights.len(), "{}", differ(1e-4));
    assert_eq!(differ(0.025), 0);
}

#[test]
#[ignore = "needs a graphics card, or a driver that computes on the processor (lavapipe)"]
fn a_batch_that_does_not_fit_is_refused() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let model = Model::<5>::random(Features::Base, 4096, &mut rng);
    let error = begin(model, Device::Gpu, 1 << 31).err();
    assert!(matches!(error, Some(DeviceError::TooLarge { .. })));
}
