//! The table of late move reductions.

use super::params::Params;

/// Reductions in plies. Both axes end at 63.
pub(super) struct Reductions(Box<[[i8; 64]; 64]>); // [depth][turns searched]

impl Reductions {
    /// The table for these parameters.
    pub(super) fn new(params: &Params) -> Self {
        let base = f64::from(params.reduction_base) / 100.0;
        let divisor = f64::from(params.reduction_divisor) / 100.0;
        let logarithms: [f64; 64] = std::array::from_fn(|number| (number as f64).ln());
        let mut table = Box::new([[0; 64]; 64]);
        for (row, depth) in table.iter_mut().zip(logarithms).skip(1) {
            for (plies, count) in row.iter_mut().zip(logarithms).skip(1) {
                *plies = (base + depth * count / divisor) as i8;
            }
        }
        Self(table)
    }

    /// The reduction of a turn at this depth, after `count` others.
    pub(super) fn plies(&self, depth: i32, count: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][count.min(63)])
    }
}
