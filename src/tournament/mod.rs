//! Tournaments: many games between player programs, their records and what
//! they say about the players' strength.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is recorded of a game, replaying it | `record.rs` |
//! | reading and appending to files of records | `record_file.rs` |
//! | Elo, errors, LOS, SPRT, ratings | `stats/` |

mod record;
mod record_file;
pub mod stats;

pub use record::{GameRecord, Replay, ReplayError};
pub use record_file::{Entry, FileError, Reader, RecordFile, read_games};
