//! The parameters of a search and the tables computed from them.

use super::params::Params;
use super::reduction::Reductions;

/// Parameters and tables, fixed while a search runs.
pub(super) struct SearchTables {
    pub params: Params,
    pub reductions: Reductions,
}

impl SearchTables {
    /// Computes the tables.
    pub(super) fn new(params: Params) -> Self {
        Self {
            params,
            reductions: Reductions::new(&params),
        }
    }
}
