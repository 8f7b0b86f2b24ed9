//! For people: playing in the terminal and on a web page, and a text protocol for
//! engines.
//!
//! May import: `contest` and the layers below.
//!
//! | to see or change | look at |
//! |---|---|
//! | a game in the terminal | `play/` |
//! | the web page: play, analysis, reviews, puzzles | `page/` |
//! | the text protocol for engines | `uci/` |
//! | the record of a game that is saved | `game_record.rs` |

mod game_record;
pub mod page;
#[cfg(feature = "program")]
pub(crate) mod play;
#[cfg(feature = "program")]
pub(crate) mod uci;
