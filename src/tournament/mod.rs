//! Tournaments: many games between player programs, their records and what
//! they say about the players' strength.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is recorded of a game, replaying it | `record.rs` |
//! | reading and appending to files of records | `record_file.rs` |
//! | who plays whom, shards | `schedule.rs` |
//! | the boards games start from | `opening.rs` |
//! | Elo, errors, LOS, SPRT, ratings | `stats/` |

mod opening;
mod record;
mod record_file;
mod schedule;
pub mod stats;

pub use opening::{OpeningError, Openings, random_opening};
pub use record::{GameRecord, Replay, ReplayError};
pub use record_file::{Entry, FileError, Reader, RecordFile, read_games};
pub use schedule::{Schedule, ScheduledGame, Shard, ShardError};
