//! The numbers of a search, and what is computed from them before it begins.

use super::params::Params;
use super::policy::{Learned, Policy};
use super::reduction::Reductions;

pub struct Numbers {
    pub params: Params,
    pub reductions: Reductions,
    pub policy: Policy,
}

impl Numbers {
    pub fn new(params: Params, learned: Learned) -> Self {
        Self {
            params,
            reductions: Reductions::new(&params),
            policy: Policy::new(learned, params.policy_weight),
        }
    }
}
