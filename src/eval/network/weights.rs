//! A network of one hidden layer, and its value of a position computed from
//! nothing.

use crate::rules::{Geometry, Position, Side};

use super::features::{self, Features, STAGES};
use super::kernel::weigh_all;
use super::rows::Rows;

/// One in the hidden layer, as an integer.
pub const HIDDEN_ONE: i32 = 255;

/// One in the output weights, as an integer.
pub const OUTPUT_ONE: i32 = 64;

/// An output of 1 (odds of e to 1 to win) in hundredths of a level.
pub const OUTPUT_SCALE: i32 = 200;

/// The weights for an `N`x`N` board. (There is no bias before the hidden
/// layer: every tower has a level, whose row can hold it.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const N: usize> {
    weights: Weights,
    /// For each raise of a tower the row that has come less the one that is
    /// gone.
    raises: Rows,
}

/// What was learned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    pub features: Features,
    /// What each feature adds to the hidden values, in [`HIDDEN_ONE`]ths.
    pub rows: Rows,
    /// For each stage of the game the output weights of the mover's hidden
    /// values and those of the other's, in [`OUTPUT_ONE`]ths.
    pub output: Rows,
    /// For each stage what is added at the end, in
    /// `HIDDEN_ONE * OUTPUT_ONE`ths.
    pub output_bias: [i32; STAGES],
}

impl<const N: usize> Network<N> {
    /// The number of rows of the output weights.
    pub const OUTPUTS: usize = 2 * STAGES;

    /// The network with these weights.
    pub fn new(weights: Weights) -> Self {
        assert_eq!(weights.rows.count(), weights.features.count::<N>());
        assert_eq!(weights.output.count(), Self::OUTPUTS);
        let mut raises = Rows::zeros(features::raises::<N>(), weights.rows.width());
        for square in Geometry::<N>::BOARD {
            for (from, to) in (1..5).flat_map(|to| (0..to).map(move |from| (from, to))) {
                let row = |level| weights.rows.row(weights.features.tower(square, level));
                let raise = raises.row_mut(features::raise(square, from, to));
                for ((raise, gone), come) in raise.iter_mut().zip(row(from)).zip(row(to)) {
                    *raise = come.wrapping_sub(*gone);
                }
            }
        }
        Self { weights, raises }
    }

    /// What was learned.
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What it sees of a position.
    pub const fn features(&self) -> Features {
        self.weights.features
    }

    /// The number of hidden values for each player.
    pub const fn hidden(&self) -> usize {
        self.weights.rows.width()
    }

    /// What each raise adds to the hidden values.
    pub(super) const fn raises(&self) -> &Rows {
        &self.raises
    }

    /// Adds up the hidden values of a position from one player's side.
    pub(super) fn fill_hidden(&self, position: &Position<N>, own: Side, hidden: &mut [i16]) {
        hidden.fill(0);
        self.features().for_each(position, own, |feature| {
            for (value, weight) in hidden.iter_mut().zip(self.weights.rows.row(feature)) {
                *value = value.wrapping_add(*weight);
            }
        });
    }

    /// The output weights for the hidden values of the root's mover and of
    /// the other player; `as_root` says whether the former is to move.
    #[inline(always)]
    pub(super) fn output_weights(&self, stage: usize, as_root: bool) -> [&[i16]; 2] {
        let [mover, other] = self.weights.output.pair(stage);
        if as_root {
            [mover, other]
        } else {
            [other, mover]
        }
    }

    /// The value for the mover from the weighted sums of the hidden values.
    #[inline(always)]
    pub(super) fn value(&self, stage: usize, sums: [i32; 2]) -> i32 {
        let one = i64::from(HIDDEN_ONE);
        let sum = sums.map(i64::from).iter().sum::<i64>();
        let value = sum / one + i64::from(self.weights.output_bias[stage]);
        (value * i64::from(OUTPUT_SCALE) / (one * i64::from(OUTPUT_ONE))) as i32
    }

    /// The value of a position for its mover, computed from nothing with
    /// portable code: what the evaluator must agree with.
    pub fn evaluate(&self, position: &Position<N>) -> i32 {
        let mut hidden = Rows::zeros(2, self.hidden());
        let sides = [Side::Mover, Side::Other].into_iter();
        for (side, hidden) in sides.zip(hidden.pair_mut(0)) {
            self.fill_hidden(position, side, hidden);
        }
        let stage = features::stage::<N>(features::levels(position));
        let weights = self.output_weights(stage, true);
        self.value(stage, weigh_all(hidden.pair(0), weights))
    }
}
