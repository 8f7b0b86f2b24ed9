//! Santorini: a player, its rules and everything around them.

#[macro_use]
mod vectors;

pub mod book;
pub mod bot;
mod bounded;
pub mod cli;
pub mod draw;
pub mod duel;
pub mod eval;
pub mod lab;
pub mod play;
pub mod player;
pub mod protocol;
pub mod referee;
pub mod rules;
pub mod search;
pub mod server;
pub mod tournament;
pub mod train;
pub mod tune;
