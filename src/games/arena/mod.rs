//! Games inside one process: from a given board to the end, in pairs with the seats
//! swapped, and in matches of many pairs on several threads.
//!
//! | to see or change | look at |
//! |---|---|
//! | one game between any players | `game.rs` |
//! | two games from one board | `pair.rs` |
//! | pairs of two engines of this program | `engines.rs` |
//! | a match of many pairs: its score, when it ends | `score.rs` |
//! | the share of a match played on one of several machines | `share.rs` |
//! | tuning values by games | `tuner.rs` |
//! | the expected win share at a score, fitted to games | `win_share.rs` |

mod engines;
mod game;
mod pair;
mod score;
#[cfg(feature = "program")]
mod share;
pub mod tuner;
mod win_share;

pub use engines::engine_pair;
pub use game::{Action, PlayedGame};
pub use pair::Pair;
pub use score::{MatchOutcome, MatchScore, play_pairs};
#[cfg(feature = "program")]
pub use share::{LONGEST_SHARE, MatchSettings, MatchShare, SHARE_FILE, ShareError, join};
pub use win_share::WinShare;
