//! A line-based text protocol for analysis tools and engine testers, modelled on UCI, the
//! protocol of chess engines. `GUIDE.txt` describes it.
//!
//! | to see or change | look at |
//! |---|---|
//! | parsing commands | `command.rs` |
//! | the board: empty, during set-up, or in play | `board.rs` |
//! | running a search while reading input | `search.rs` |
//! | the options | `options.rs` |
//! | executing commands | `session.rs` |
//! | the guide, `santorini help uci` | `GUIDE.txt` |

mod board;
mod command;
mod options;
mod search;
mod session;

pub(crate) use session::{UciError, run};
