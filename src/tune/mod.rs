//! Tuning the numbers of the search by letting it play itself.
//!
//! | to see or change | look at |
//! |---|---|
//! | which numbers there are, their steps and bounds | `../search/params.rs` |
//! | how values are moved: the optimiser | `spsa.rs` |
//! | the games that compare two sets of values | `../arena/games.rs` |
//! | the order of the work | `tuner.rs` |
//! | the file of values | `file.rs` |

pub mod file;
pub mod spsa;
pub mod tuner;
