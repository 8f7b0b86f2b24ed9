//! Training of the policy that orders moves (`search/policy/`).
//!
//! | to see or change | look at |
//! |---|---|
//! | training samples: positions with scored turns | `samples.rs` |
//! | fitting the weights | `fit.rs` |

mod fit;
mod samples;

pub use fit::{FitOptions, PolicyEpoch, fit};
pub use samples::{PolicySample, PolicySampleOptions, samples};
