//! The numbers of a search, and what is computed from them before it begins.

use super::params::Params;
use super::reduction::Reductions;

/// What a search is set up with.
pub struct Numbers {
    pub params: Params,
    pub reductions: Reductions,
}

impl Numbers {
    /// With these numbers.
    pub fn new(params: Params) -> Self {
        Self {
            params,
            reductions: Reductions::new(&params),
        }
    }
}
