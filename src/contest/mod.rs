//! Contests of programs: the player, other players as running programs, and who
//! is stronger.
//!
//! May import: `games` and the floors below.
//!
//! | to see or change | look at |
//! |---|---|
//! | the player program: JSON in, JSON out | `player/` |
//! | another player as a running program: started, asked, killed | `program/` |
//! | a game between two programs | `referee/` |
//! | tournaments and their report | `tournament/` |
//! | the rating of one program | `rate/` |
//! | the TCP tournament server | `server/` |
//! | the player as a bot of such a server | `bot/` |
//! | small players to start from | `new_bot/` |

pub mod bot;
pub mod new_bot;
pub mod player;
pub mod program;
pub mod rate;
pub mod referee;
pub mod server;
pub mod tournament;
