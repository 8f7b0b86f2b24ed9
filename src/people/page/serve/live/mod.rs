//! A live game of two pages: the host's page invites another browser to the other seat, and
//! spectators. The program holds the game and judges each turn; the pages follow it.
//!
//! | to see or change | look at |
//! |---|---|
//! | the game, and what a player may do in it | `game.rs` |
//! | access: invitations, guests, spectators | `invitations.rs` |
//! | the game, its players and their connections together | `session.rs` |
//! | one connection: requests, and the game after each change | `socket.rs` |
//! | the page that an invitation opens | `join.rs`, `join.html` |

mod game;
mod invitations;
pub(super) mod join;
mod session;
mod socket;

pub(super) use invitations::Role;
pub(super) use session::{LiveNews, LiveSession};
pub(super) use socket::{LONGEST_REQUEST, follow};
