//! Contests between programs: the player, running other players, and measuring who is
//! stronger.
//!
//! May import: `games` and the layers below.
//!
//! | to see or change | look at |
//! |---|---|
//! | the player program: JSON in, JSON out | `player/` |
//! | starting, asking and killing another player's program, messages when it fails | `program/` |
//! | a game between two programs | `referee/` |
//! | tournaments, their tables and report | `tournament/` |
//! | the rating of one program | `rate/` |
//! | the TCP tournament server | `server/` |
//! | the player as a bot for such a server | `bot/` |
//! | example players in six languages | `new_bot/` |

pub mod bot;
pub(crate) mod new_bot;
pub mod player;
pub mod program;
pub mod rate;
pub mod referee;
pub mod server;
pub mod tournament;
