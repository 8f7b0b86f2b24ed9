//! Records of games: one JSON object a game, one game a line, shared by
//! everything that plays, draws or learns from games.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is recorded of a game, replaying it | `game.rs` |
//! | reading and appending to files of records | `file.rs` |

mod file;
mod game;

pub use file::{Entry, FileError, Reader, RecordFile, read_games};
pub use game::{GameRecord, Replay, ReplayError, to_microseconds};
