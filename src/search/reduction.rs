//! Late move reduction: how many plies less deep later turns are searched.

use super::params::Params;

/// Plies to take off by depth and number of turns tried, each up to 63.
pub struct Reductions(Box<[[i8; 64]; 64]>);

impl Reductions {
    /// The table for these numbers.
    pub fn new(params: &Params) -> Self {
        let base = f64::from(params.reduction_base) / 100.0;
        let divisor = f64::from(params.reduction_divisor) / 100.0;
        let logarithms: [f64; 64] = std::array::from_fn(|number| (number as f64).ln());
        let mut table = Box::new([[0; 64]; 64]);
        for (row, depth) in table.iter_mut().zip(logarithms).skip(1) {
            for (plies, tried) in row.iter_mut().zip(logarithms).skip(1) {
                *plies = (base + depth * tried / divisor) as i8;
            }
        }
        Self(table)
    }

    /// The plies to take off the turn that is searched at this depth after so
    /// many others.
    pub fn plies(&self, depth: i32, tried: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][tried.min(63)])
    }
}
