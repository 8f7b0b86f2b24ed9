//! Who wins, without the distance: a bit for each state instead of a byte, and no
//! table of where rows begin. Larger boards fit into memory that way, with one
//! worker each and without cards.
//!
//! | to see or change | look at |
//! |---|---|
//! | levels numbered in two parts, by symmetry and by sum | `split.rs` |
//! | the bits of a board | `rows.rs` |
//! | boards that are kept and dropped together | `slab.rs` |
//! | solving a board from those above it | `kernel.rs` |
//! | slab after slab | `solver.rs` |
//! | who wins a position | `probe.rs` |

mod kernel;
mod probe;
mod rows;
mod slab;
mod solver;
mod split;
#[cfg(test)]
mod tests;

pub use probe::{PlacementWinner, WinnerOracle, WonTurn};
pub(super) use slab::SlabIndex;
pub(super) use solver::WinnersSolver;
