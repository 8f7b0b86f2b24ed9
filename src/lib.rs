//! Rules, search and evaluation of the board game Santorini, and everything
//! around them. The program `santorini` is a thin layer above this library.
//!
//! | module | for |
//! |---|---|
//! | [`rules`] | positions, turns and god cards, on boards of 5x5 and 6x6 spaces |
//! | [`eval`] | evaluation of a position: networks and a weighted heuristic |
//! | [`search`] | the engine: the best turn, its score, the line of play |
//! | [`prover`] | proofs of wins and losses by the rules alone |
//! | [`protocol`] | the JSON of boards and set-up arrays |
//! | [`verdict`] | whether a board follows another by a turn, and which rule it breaks |
//! | [`record`] | game records, one per line, and files of them |
//! | [`openings`] | random and even start positions |
//! | [`arena`] | games and matches inside one process |
//! | [`levels`] | players of limited strength, for people |
//! | [`puzzles`] | positions in which exactly one turn wins |
//! | [`review`] | reviews of games: chances of winning, judged turns |
//! | [`lab`] | agents of other kinds: minimax, Monte Carlo, Q-learning |
//!
//! These modules are for use by other programs. The rest of the crate belongs to the
//! program; it is hidden here and changes without notice.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `program` (default) | the program, with all crates it needs |
//! | `system` | what needs an operating system: [`lab`], appending to files of records, the memory that is left, huge pages on Linux |
//! | `cards-network` | the network for games with cards, 6.5 MB; without it the base network evaluates them |
//!
//! Without features the library needs no operating system and compiles to WebAssembly.
//! There the host must provide a clock: a function `milliseconds` in the module
//! `santorini`, such as `performance.now`.
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
//! A game between an agent that searches two plies and one that plays at random:
//!
//! ```
//! use santorini::lab::factory::Factory;
//! use santorini::lab::games::Match;
//! use santorini::openings::Openings;
//!
//! let agent = |text: &str| Factory::new(&text.parse().unwrap(), 1, &mut |_, _| {}).unwrap();
//! let game = Match {
//!     players: [agent("alphabeta:depth=2"), agent("random")],
//!     seed: 1,
//!     swap: false,
//!     openings: Openings::SetUp,
//! }
//! .play(0)?;
//! println!("agent {} won after {} turns", game.winner(), game.played.turns.len());
//! # assert_eq!(game.winner(), 0);
//! # Ok::<(), santorini::lab::Fault>(())
//! ```
//!
//! The records of a tournament, each game replayed by the rules:
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
#![warn(unreachable_pub, missing_docs)]
// All output goes through `cli/output.rs`, which escapes unprintable text and handles
// write errors.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod base;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "program")]
mod contest;
mod engine;
mod games;
mod people;
mod workshop;

// The folders group the source for its readers. Users of the library, and `use` lines
// inside it, name the modules in them.
pub use engine::{eval, prover, rules, search};
pub use games::{arena, levels, openings, protocol, puzzles, record, review, verdict};
#[cfg(feature = "system")]
pub use workshop::lab;

#[doc(hidden)]
pub use base::{files, jobs, memory, mutex, printable, stats, table};
#[doc(hidden)]
pub use games::draw;
#[doc(hidden)]
pub use people::page;
#[cfg(feature = "system")]
#[doc(hidden)]
pub use workshop::solve;
#[cfg(feature = "program")]
#[doc(hidden)]
pub use {
    base::{allocator, http, shard},
    contest::{bot, player, program, rate, referee, server, tournament},
    workshop::train,
};

#[cfg(feature = "program")]
use base::{address, awake_clock, chart, keep_alive, open_files, shell, signals, stopwatch};
use base::{cache, clock, cpu, digits, fnv, markup, seeds};
#[cfg(feature = "program")]
use {
    contest::new_bot,
    people::{play, uci},
};
