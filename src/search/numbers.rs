//! The numbers of a search, and what is computed from them before it begins.

use super::params::Params;
use super::policy::{Learned, Policy};
use super::reduction::Reductions;

/// What a search is set up with.
pub struct Numbers {
    pub params: Params,
    pub reductions: Reductions,
    pub policy: Policy,
}

impl Numbers {
    /// With these numbers, and turns ordered by what was learned.
    pub fn new(params: Params, learned: Learned) -> Self {
        Self {
            params,
            reductions: Reductions::new(&params),
            policy: Policy::new(learned, params.policy_weight),
        }
    }
}
