//! Santorini: a player, its rules and everything around them.

// What is printed goes through `cli/output.rs`, which knows what is fit to be
// shown and what to do if it cannot be written.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod vectors;

pub mod arena;
pub mod bot;
pub mod chart;
pub mod cli;
pub mod draw;
pub mod eval;
mod files;
mod fnv;
pub mod jobs;
pub mod lab;
mod markup;
pub mod openings;
pub mod play;
pub mod player;
mod printable;
pub mod protocol;
pub mod record;
pub mod referee;
pub mod rules;
pub mod search;
mod seeds;
pub mod server;
pub mod signals;
pub mod stats;
pub mod table;
pub mod tournament;
pub mod train;
