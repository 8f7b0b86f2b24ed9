//! Rules, search and evaluation of the board game Santorini, and everything
//! around them. The program `santorini` is a thin layer above this library.
//!
//! | module | for |
//! |---|---|
//! | [`rules`] | positions, turns and god cards, on boards of 5x5 and 6x6 spaces |
//! | [`eval`] | how good a position is: networks and a weighted heuristic |
//! | [`search`] | the engine: the best turn, its score, the line of play |
//! | [`protocol`] | the JSON of boards and set-up arrays |
//! | [`record`] | records of games, a line each, and files of them |
//! | [`openings`] | random and even positions to start games from |
//! | [`arena`] | games and matches inside one process |
//! | [`lab`] | agents that think in other ways |
//!
//! These modules are meant for other programs. The rest of the crate makes up
//! the program; it is hidden here, and changes without notice.
//!
//! # Examples
//!
//! The best turn of a position, within 20,000 nodes:
//!
//! ```
//! use santorini::rules::Position;
//! use santorini::search::{Engine, EngineOptions, Limits};
//!
//! let position: Position<5> = "00000/00010/00000/00000/00000 b3d3 c2c4 1".parse()?;
//! let mut engine = Engine::new(EngineOptions::default());
//! let report = engine.best(&position, &Limits::nodes(20_000));
//! let turn = report.turn().expect("there is a turn");
//! println!("{} scores {}", turn.text::<5>(), report.score_text());
//! # assert!(position.turns().contains(&turn));
//! # Ok::<(), santorini::rules::PositionTextError>(())
//! ```
//!
//! A game of two agents, one that looks two plies ahead and one that plays at
//! random:
//!
//! ```
//! use santorini::lab::factory::Factory;
//! use santorini::lab::games::Match;
//!
//! let agent = |text: &str| Factory::new(&text.parse().unwrap(), 1, &mut |_, _| {}).unwrap();
//! let game = Match {
//!     players: [agent("alphabeta:depth=2"), agent("random")],
//!     seed: 1,
//!     swap: false,
//!     opening: None,
//! }
//! .play(0);
//! println!("agent {} won after {} turns", game.winner(), game.played.turns.len());
//! # assert_eq!(game.winner(), 0);
//! ```
//!
//! The records of a tournament, each game played again by the rules:
//!
//! ```
//! use santorini::record::read_games;
//!
//! # let path = std::path::Path::new("tests/data/outputs/input/cards-1.jsonl");
//! for game in read_games(path)? {
//!     let replay = game.replay::<5>()?;
//!     println!("{:?}: {} turns", game.players, replay.turns.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// What is printed goes through `cli/output.rs`, which knows what is fit to be
// shown and what to do if it cannot be written.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod vectors;

pub mod arena;
#[doc(hidden)]
pub mod bot;
#[doc(hidden)]
pub mod chart;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod draw;
pub mod eval;
mod files;
mod fnv;
#[doc(hidden)]
pub mod jobs;
pub mod lab;
mod markup;
mod memory;
pub mod openings;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod player;
mod printable;
pub mod protocol;
pub mod record;
#[doc(hidden)]
pub mod referee;
pub mod rules;
pub mod search;
mod seeds;
#[doc(hidden)]
pub mod server;
#[doc(hidden)]
pub mod signals;
#[doc(hidden)]
pub mod solve;
#[doc(hidden)]
pub mod stats;
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod tournament;
#[doc(hidden)]
pub mod train;
