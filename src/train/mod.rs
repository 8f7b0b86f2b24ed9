//! Making the learned evaluation: games for it to learn from, and its fitting.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is recorded of a position, the file of records | `data.rs` |
//! | self-play | `datagen.rs` |
//! | positions that a search looks at | `leaves.rs` |
//! | records as the network sees them, with their targets | `samples.rs` |
//! | the network in floating point, its gradient, its quantisation | `model.rs` |
//! | what a training starts from | `start.rs` |
//! | the optimiser and the order of training | `trainer.rs` |
//! | the picture of the learning curve | `curve.rs` |

pub mod curve;
pub mod data;
pub mod datagen;
mod leaves;
pub mod model;
pub mod samples;
pub mod start;
pub mod trainer;
