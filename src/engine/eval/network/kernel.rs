//! The arithmetic of the network: accumulator updates and output sums.
//!
//! The same code is compiled for several instruction sets (`cpu.rs`). All give the same
//! integers.

use super::QA;
use super::rows::{LANES, Rows};
use crate::cpu::Instructions;

/// The features that one turn changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FeatureDelta {
    /// The level-up of the tower built on, see [`super::features::level_up`].
    pub level_up: usize,
    pub worker: WorkerDelta,
    pub extra: Option<ExtraDelta>,
}

/// A change that only turns with cards make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExtraDelta {
    /// A second tower is built on.
    LevelUp(usize),
    /// A second worker moves.
    Worker(WorkerDelta),
}

/// The features that a worker's move removes and adds, by perspective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WorkerDelta {
    pub removed: [usize; 2],
    pub added: [usize; 2],
}

/// An accumulator update: the state before, the change and the weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Update<'a> {
    /// The accumulators of both players before the turn.
    pub before: [&'a [i16]; 2],
    pub delta: &'a FeatureDelta,
    /// The rows of all features, for each accumulator.
    pub rows: [&'a Rows; 2],
    /// The rows of all level-ups, for each accumulator.
    pub level_ups: [&'a Rows; 2],
    /// The output weights of both accumulators.
    pub weights: [&'a [i16]; 2],
}

/// Writes both accumulators after a turn to `after` and returns their [`output_sums`].
#[inline(always)]
pub(super) fn update(with: Instructions, after: [&mut [i16]; 2], update: &Update) -> [i32; 2] {
    match with {
        Instructions::Portable => Portable.update(after, update),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(avx2) => avx2.update(after, update),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512(avx512) => avx512.update(after, update),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Instructions::Simd128(simd) => simd.update(after, update),
    }
}

/// [`update`] with the caller's instructions.
///
/// The loops are compiled for the usual numbers of hidden units; other numbers run in
/// chunks of [`LANES`]. Measured: with a number known only at run time, the whole search
/// runs at 0.7 times the speed. `array::map` would not be inlined into functions for
/// certain instructions, so it is not used here.
#[inline(always)]
pub(super) fn apply(with: impl OnePass, after: [&mut [i16]; 2], update: &Update) -> [i32; 2] {
    match update.rows[0].width() {
        256 => apply_in_chunks::<256>(with, after, update, 1),
        512 => apply_in_chunks::<512>(with, after, update, 1),
        width => apply_in_chunks::<LANES>(with, after, update, width / LANES),
    }
}

#[inline(always)]
fn apply_in_chunks<'a, const W: usize>(
    with: impl OnePass,
    after: [&mut [i16]; 2],
    update: &'a Update,
    chunks: usize,
) -> [i32; 2] {
    let Update { delta, .. } = update;
    let [mover, other] = after;
    let (mover, other) = (mover.as_chunks_mut().0, other.as_chunks_mut().0);
    let mut sums = [0i32; 2];
    for chunk in 0..chunks {
        let of = |values: [&'a [i16]; 2]| {
            let [mover, other] = values;
            [&mover.as_chunks().0[chunk], &other.as_chunks().0[chunk]]
        };
        let row = |[mover, other]: [&'a Rows; 2], index: [usize; 2]| {
            [
                &mover.chunks()[index[0] * chunks + chunk],
                &other.chunks()[index[1] * chunks + chunk],
            ]
        };
        let level_up = |level_up: usize| row(update.level_ups, [level_up; 2]);
        let after = [&mut mover[chunk], &mut other[chunk]];
        let mut pass = Pass::<W> {
            before: of(update.before),
            level_up: level_up(delta.level_up),
            added: row(update.rows, delta.worker.added),
            removed: row(update.rows, delta.worker.removed),
            weights: of(update.weights),
        };
        let chunk_sums = match delta.extra {
            None => with.one_pass(after, &pass),
            Some(extra) => {
                let [mover, other] = pass.before;
                let mut between = [*mover, *other];
                for (side, between) in between.iter_mut().enumerate() {
                    match extra {
                        ExtraDelta::LevelUp(second) => add(between, level_up(second)[side]),
                        ExtraDelta::Worker(change) => {
                            subtract(between, row(update.rows, change.removed)[side]);
                            add(between, row(update.rows, change.added)[side]);
                        }
                    }
                }
                let [mover, other] = &between;
                pass.before = [mover, other];
                with.one_pass(after, &pass)
            }
        };
        for (sum, part) in sums.iter_mut().zip(chunk_sums) {
            *sum = sum.wrapping_add(part);
        }
    }
    sums
}

/// The operands of one pass over a chunk; pairs are for both accumulators.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a, const W: usize> {
    pub before: [&'a [i16; W]; 2],
    pub level_up: [&'a [i16; W]; 2],
    pub added: [&'a [i16; W]; 2],
    pub removed: [&'a [i16; W]; 2],
    /// The output weights.
    pub weights: [&'a [i16; W]; 2],
}

/// A fused pass over both accumulators. Measured: 1.04 times the nodes a second of two
/// passes.
pub(super) trait OnePass: Copy {
    /// Writes the updated values to `after` (the old ones minus the removed rows plus the
    /// added rows and the level-up) and returns their output sums.
    fn one_pass<const W: usize>(self, after: [&mut [i16; W]; 2], pass: &Pass<W>) -> [i32; 2];

    /// [`apply`], compiled for these instructions.
    #[inline(always)]
    fn update(self, after: [&mut [i16]; 2], update: &Update) -> [i32; 2] {
        apply(self, after, update)
    }
}

/// Plain Rust, for any processor.
#[derive(Clone, Copy)]
struct Portable;

impl OnePass for Portable {
    #[inline(always)]
    fn one_pass<const W: usize>(self, after: [&mut [i16; W]; 2], pass: &Pass<W>) -> [i32; 2] {
        let mut sums = [0i32; 2];
        for (side, after) in after.into_iter().enumerate() {
            for (unit, after) in after.iter_mut().enumerate() {
                let value = pass.before[side][unit].wrapping_sub(pass.removed[side][unit]);
                let value = value
                    .wrapping_add(pass.level_up[side][unit])
                    .wrapping_add(pass.added[side][unit]);
                *after = value;
                let product = weighted_screlu(value, pass.weights[side][unit]);
                sums[side] = sums[side].wrapping_add(product);
            }
        }
        sums
    }
}

#[inline(always)]
fn add<const W: usize>(values: &mut [i16; W], row: &[i16; W]) {
    for (value, weight) in values.iter_mut().zip(row) {
        *value = value.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract<const W: usize>(values: &mut [i16; W], row: &[i16; W]) {
    for (value, weight) in values.iter_mut().zip(row) {
        *value = value.wrapping_sub(*weight);
    }
}

/// A hidden unit clipped and squared (SCReLU), times its output weight.
#[inline(always)]
fn weighted_screlu(value: i16, weight: i16) -> i32 {
    let value = value.clamp(0, QA as i16);
    // At most 255 * 127: fits 16 bits, so the compiler can multiply and add pairs of 16-bit
    // values.
    let weighted = value.wrapping_mul(weight);
    i32::from(weighted) * i32::from(value)
}

/// The output layer before its bias: for each accumulator the sum of its weighted SCReLUs,
/// in units of 1 / (QA * QA * QB). With absurd weights the sums wrap around, on all machines
/// alike.
pub(super) fn output_sums(accumulators: [&[i16]; 2], weights: [&[i16]; 2]) -> [i32; 2] {
    std::array::from_fn(|side| {
        let pairs = accumulators[side].iter().zip(weights[side]);
        pairs.fold(0, |sum: i32, (&value, &weight)| {
            sum.wrapping_add(weighted_screlu(value, weight))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn all_instruction_sets_give_the_same_integers() {
        const FEATURES: usize = 100;
        let mut rng = crate::seeds::seeded(3);
        for round in 0..48 {
            let width = [32, 96, 256, 512][round % 4];
            let mut random = |count: usize, bound: i16| {
                let values = (0..count * width).map(|_| rng.random_range(-bound..=bound));
                Rows::of(width, values)
            };
            let (hidden, weights) = (random(2, 600), random(2, 127));
            let rows = [random(FEATURES, 500), random(FEATURES, 500)];
            let level_ups = [random(FEATURES, 500), random(FEATURES, 500)];
            let mut any = || rng.random_range(0..FEATURES);
            let level_up = any();
            let mut change = || WorkerDelta {
                removed: [any(), any()],
                added: [any(), any()],
            };
            let (worker, second) = (change(), change());
            let delta = FeatureDelta {
                level_up,
                worker,
                extra: [
                    None,
                    Some(ExtraDelta::LevelUp(any())),
                    Some(ExtraDelta::Worker(second)),
                ][round / 4 % 3],
            };
            let turn = Update {
                before: hidden.pair(0),
                delta: &delta,
                rows: rows.each_ref(),
                level_ups: level_ups.each_ref(),
                weights: weights.pair(0),
            };
            let results: Vec<(Rows, [i32; 2])> = Instructions::available()
                .into_iter()
                .map(|instructions| {
                    let mut after = Rows::zeros(2, width);
                    let sums = update(instructions, after.pair_mut(0), &turn);
                    (after, sums)
                })
                .collect();
            assert!(results.iter().all(|result| *result == results[0]));
            let (after, sums) = &results[0];
            assert_eq!(*sums, output_sums(after.pair(0), weights.pair(0)));
        }
    }
}
