//! Making the learned evaluation: games for it to learn from, and its fitting.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is recorded of a position, the file of records | `data.rs` |
//! | self-play | `datagen.rs` |
//! | positions that a search looks at | `leaves.rs` |
//! | records as the network sees them | `samples.rs` |
//! | what is to be learned of each | `targets.rs` |
//! | the network in floating point, its quantisation | `model.rs` |
//! | what a training starts from | `start.rs` |
//! | predictions and errors of a batch, the step they lead to | `learner.rs` |
//! | the optimiser | `adam.rs` |
//! | the order of training | `trainer.rs` |
//! | the picture of the learning curve | `curve.rs` |

mod adam;
pub mod curve;
pub mod data;
pub mod datagen;
mod learner;
mod leaves;
pub mod model;
pub mod samples;
pub mod start;
pub mod targets;
pub mod trainer;
