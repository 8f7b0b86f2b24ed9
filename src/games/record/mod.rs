//! Records of games: one JSON object per game, one game per line, used by everything that
//! plays, draws or learns from games.
//!
//! | to see or change | look at |
//! |---|---|
//! | how games end | `ending.rs` |
//! | the record of a game, replaying it | `game.rs` |
//! | reading files of records | `reader.rs` |
//! | creating, resuming and appending to them | `file/` |
//! | noticing that another program changed them | `seal.rs` |
//!
//! | to add | change |
//! |---|---|
//! | a key of a record | the table and `GameRecord` in `game.rs`; written by everything that plays: `src/contest/tournament/runner.rs`, `src/contest/server/results_file.rs`, `src/people/play/autosave.rs` |
//! | a way in which games end | `ending.rs`; where it happens: `src/contest/program/termination.rs` with its message, `src/contest/server/play.rs` |

mod ending;
#[cfg(feature = "system")]
mod file;
mod game;
mod reader;
#[cfg(feature = "system")]
mod seal;

pub use ending::Ending;
#[cfg(feature = "system")]
pub use file::{RecordFile, SaveError};
pub use game::{ENDINGS_KEY, GameRecord, RecordError, Replay, ReplayError, to_microseconds};
pub use reader::{Entry, FileError, HEADER_KEY, RECORDS_FILE, Reader, read_games};
