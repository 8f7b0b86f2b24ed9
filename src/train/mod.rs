//! Making what is learned before the game: the evaluation and the parameters of
//! the search; games to learn from, and the fitting.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is recorded of a position, the file of records | `data.rs` |
//! | self-play | `datagen.rs`, the openings of its games `opening.rs` |
//! | positions that a search looks at | `leaves.rs` |
//! | records as the network sees them | `samples.rs` |
//! | what is to be learned of each | `targets.rs` |
//! | the network in floating point, its quantisation | `model.rs` |
//! | what a training starts from | `start.rs` |
//! | predictions and errors of a batch, the step they lead to | `learner.rs` |
//! | the optimiser | `adam.rs` |
//! | the order of training | `trainer.rs` |
//! | the picture of the learning curve | `curve.rs` |
//! | the parameters of the search | `params/` |

mod adam;
pub mod curve;
pub mod data;
pub mod datagen;
mod learner;
mod leaves;
pub mod model;
mod opening;
pub mod params;
pub mod samples;
pub mod start;
pub mod targets;
pub mod trainer;
