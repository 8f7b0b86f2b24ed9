//! A protocol of lines of text for engine people, in the manner of UCI, which
//! chess engines speak. `GUIDE.txt` describes it.
//!
//! | to see or change | look at |
//! |---|---|
//! | the commands, as they are read | `command.rs` |
//! | the board: empty, half set up, or in play | `board.rs` |
//! | a search that runs beside the input | `search.rs` |
//! | the options | `options.rs` |
//! | what each command does | `session.rs` |
//! | the guide, `santorini help uci` | `GUIDE.txt` |

mod board;
mod command;
mod options;
mod search;
mod session;

pub use session::run;
