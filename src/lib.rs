//! Santorini: a player, its rules and everything around them.

pub mod cli;
pub mod protocol;
pub mod rules;
