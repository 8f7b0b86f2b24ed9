//! Tuning of search parameters by games: SPSA over pairs of games.
//!
//! | to see or change | look at |
//! |---|---|
//! | the search parameters, their steps and bounds | `src/engine/search/params.rs` |
//! | the optimiser | `src/base/stats/spsa.rs` |
//! | the tuning loop | `src/games/arena/tuner.rs` |
//! | the games that compare two sets of search parameters | `search.rs` |
//! | the file of search parameters | `file.rs` |
//! | merging the files of several machines | `merge.rs` |
//!
//! The weights of the heuristic are tuned the same way in `../../lab/tune.rs`.

pub mod file;
pub mod merge;
pub mod search;
