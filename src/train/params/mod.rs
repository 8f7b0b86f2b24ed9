//! Tuning by playing: what wins more pairs of games is better.
//!
//! | to see or change | look at |
//! |---|---|
//! | which parameters the search has, their steps and bounds | `../../search/params.rs` |
//! | how values are moved: the optimiser | `../../stats/spsa.rs` |
//! | the order of the work | `tuner.rs` |
//! | the games that compare two sets of search parameters | `search.rs` |
//! | the file of search parameters | `file.rs` |
//!
//! The weights of the heuristic are tuned the same way in `../../lab/tune.rs`.

pub mod file;
pub mod search;
pub mod tuner;
