//! Research tools: learning from games, experiments with agents, solved boards.
//!
//! May import: `contest` and the layers below, but not `people`.
//!
//! | to see or change | look at |
//! |---|---|
//! | training data, training networks, tuning the search | `train/` |
//! | agents of other kinds, the study of them | `lab/` |
//! | small boards solved, proofs | `solve/` |

#[cfg(feature = "system")]
pub mod lab;
#[cfg(feature = "system")]
pub mod solve;
#[cfg(feature = "program")]
pub mod train;
