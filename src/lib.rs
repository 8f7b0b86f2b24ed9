//! Santorini: a player, its rules and everything around them.

#[macro_use]
mod vectors;

pub mod book;
pub mod bot;
pub mod cli;
pub mod draw;
pub mod duel;
pub mod eval;
mod files;
pub mod lab;
pub mod parallel;
pub mod play;
pub mod player;
pub mod protocol;
pub mod referee;
pub mod rules;
pub mod search;
mod seeds;
pub mod server;
pub mod tournament;
pub mod train;
pub mod tune;
