//! Winners without distances: one bit per state instead of a byte, and no table of row
//! starts. So larger boards fit into memory, with one worker each and without cards.
//!
//! | to see or change | look at |
//! |---|---|
//! | heights split into frame and core, numbered by symmetry and sum | `split.rs` |
//! | the bits of a board | `rows.rs` |
//! | slabs: boards that are stored and dropped together | `slab.rs` |
//! | solving a board from those above it | `kernel.rs` |
//! | solving all slabs in order | `solver.rs` |
//! | probing: the winner of a position, winning turns | `probe.rs` |

mod kernel;
mod probe;
mod rows;
mod slab;
mod solver;
mod split;
#[cfg(test)]
mod tests;

pub use probe::{PlacementWinner, WinnerProber, WonTurn};
pub(super) use slab::SlabIndex;
pub(super) use solver::WinnersSolver;
