//! The weights of a network, and the value of a position computed from the
//! position alone.

use crate::rules::{Geometry, Position, Side};

use super::features::{self, FeatureSet, OUTPUT_BUCKETS};
use super::kernel::output_sums;
use super::rows::Rows;

/// Quantisation of the hidden layer: the integer that stands for 1.
pub const QA: i32 = 255;

/// Quantisation of the output weights: the integer that stands for 1.
pub const QB: i32 = 64;

/// An output of 1 (odds of e to 1 to win) in hundredths of a level.
pub const SCALE: i32 = 200;

/// A network for an `N`x`N` board.
///
/// The hidden layer has no bias: every square has a tower feature, whose row
/// can hold it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const N: usize> {
    weights: NetworkWeights,
    /// For each level-up the added row minus the removed one.
    level_ups: Rows,
}

/// The weights as training leaves them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkWeights {
    pub features: FeatureSet,
    /// What each feature adds to the hidden units, times [`QA`].
    pub rows: Rows,
    /// For each output bucket the weights of the mover's hidden units, then
    /// those of the other's, times [`QB`].
    pub output: Rows,
    /// The bias of each output bucket, times `QA * QB`.
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

impl<const N: usize> Network<N> {
    /// The number of rows of the output weights.
    pub const OUTPUTS: usize = 2 * OUTPUT_BUCKETS;

    /// The network with these weights.
    pub fn new(weights: NetworkWeights) -> Self {
        assert_eq!(weights.rows.count(), weights.features.count::<N>());
        assert_eq!(weights.output.count(), Self::OUTPUTS);
        let mut level_ups = Rows::zeros(features::level_ups::<N>(), weights.rows.width());
        for square in Geometry::<N>::BOARD {
            for (from, to) in (1..5).flat_map(|to| (0..to).map(move |from| (from, to))) {
                let row = |level| weights.rows.row(weights.features.tower(square, level));
                let level_up = level_ups.row_mut(features::level_up(square, from, to));
                for ((level_up, removed), added) in level_up.iter_mut().zip(row(from)).zip(row(to))
                {
                    *level_up = added.wrapping_sub(*removed);
                }
            }
        }
        Self { weights, level_ups }
    }

    /// The weights.
    pub const fn weights(&self) -> &NetworkWeights {
        &self.weights
    }

    /// Which features it has.
    pub const fn features(&self) -> FeatureSet {
        self.weights.features
    }

    /// The number of hidden units for each player.
    pub const fn hidden_units(&self) -> usize {
        self.weights.rows.width()
    }

    /// What each level-up adds to the hidden units.
    pub(super) const fn level_ups(&self) -> &Rows {
        &self.level_ups
    }

    /// Computes the accumulator of a position from one player's perspective.
    pub(super) fn fill_accumulator(
        &self,
        position: &Position<N>,
        perspective: Side,
        accumulator: &mut [i16],
    ) {
        accumulator.fill(0);
        self.features().for_each(position, perspective, |feature| {
            for (value, weight) in accumulator.iter_mut().zip(self.weights.rows.row(feature)) {
                *value = value.wrapping_add(*weight);
            }
        });
    }

    /// The output weights for the accumulators of the root's mover and of the
    /// other player; `root_to_move` says whether the former is to move.
    #[inline(always)]
    pub(super) fn output_weights(&self, bucket: usize, root_to_move: bool) -> [&[i16]; 2] {
        let [mover, other] = self.weights.output.pair(bucket);
        if root_to_move {
            [mover, other]
        } else {
            [other, mover]
        }
    }

    /// The value for the mover from the [`output_sums`].
    #[inline(always)]
    pub(super) fn value(&self, bucket: usize, sums: [i32; 2]) -> i32 {
        let (qa, qb) = (i64::from(QA), i64::from(QB));
        let sum = sums.map(i64::from).iter().sum::<i64>();
        let value = sum / qa + i64::from(self.weights.output_bias[bucket]);
        (value * i64::from(SCALE) / (qa * qb)) as i32
    }

    /// The value of a position for its mover, computed from the position alone
    /// with portable code. The evaluator must agree with it.
    pub fn evaluate(&self, position: &Position<N>) -> i32 {
        let mut accumulators = Rows::zeros(2, self.hidden_units());
        let sides = [Side::Mover, Side::Other].into_iter();
        for (side, accumulator) in sides.zip(accumulators.pair_mut(0)) {
            self.fill_accumulator(position, side, accumulator);
        }
        let bucket = features::output_bucket::<N>(features::level_sum(position));
        let weights = self.output_weights(bucket, true);
        self.value(bucket, output_sums(accumulators.pair(0), weights))
    }
}
