//! The parameters of a search with the tables computed from them.

use super::params::Params;
use super::policy::{Policy, PolicyWeights};
use super::reduction::Reductions;

/// Parameters and tables, fixed during a search.
pub struct SearchTables {
    pub params: Params,
    pub reductions: Reductions,
    pub policy: Policy,
}

impl SearchTables {
    /// Computes the tables.
    pub fn new(params: Params, learned: PolicyWeights) -> Self {
        Self {
            params,
            reductions: Reductions::new(&params),
            policy: Policy::new(learned, params.policy_weight),
        }
    }
}
