//! Records of games: one JSON object a game, one game a line, shared by
//! everything that plays, draws or learns from games.
//!
//! | to see or change | look at |
//! |---|---|
//! | how games end | `ending.rs` |
//! | what is recorded of a game, replaying it | `game.rs` |
//! | reading and appending to files of records | `file.rs` |

mod ending;
mod file;
mod game;

pub use ending::Ending;
pub use file::{Entry, FileError, HEADER_KEY, Reader, RecordFile, read_games};
pub use game::{GameRecord, Replay, ReplayError, to_microseconds};
