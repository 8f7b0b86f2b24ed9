//! The laboratory: agents of different kinds, and experiments with them.
//!
//! The agents and experiments come from O. Rothenstein, A. Meroz,
//! R. Kaplan and A. Oxenhorn, "AI Agents for the Board Game Santorini"
//! (The Hebrew University of Jerusalem, 2021), called "the study" here.
//!
//! | to see or change | look at |
//! |---|---|
//! | the agent trait, an example of your own | `agent.rs` |
//! | the names, parameters and help of agents | `spec/` |
//! | the agents | `random.rs`, `beginner.rs`, `minimax.rs`, `monte_carlo.rs`, `qlearning/`, `engine.rs`, `level.rs` |
//! | programs as agents, agents as programs | `program.rs`, `serve.rs` |
//! | creating agents from their names | `factory.rs` |
//! | games between two agents | `games.rs` |
//! | statistics of a match | `match_stats.rs` |
//! | the experiments and their report | `study/` |
//! | matches that measure the levels | `ladder.rs` |
//! | fitting the weights of the heuristic | `tune.rs` |
//! | counting states | `states.rs` |
//! | the guide, `santorini help lab` | `STUDY.txt` |
//!
//! | to add | change |
//! |---|---|
//! | an agent | a file of its own with its `Agent`; its name, parameters and help in `spec/mod.rs`; its creation in `factory.rs`; `STUDY.txt`; in the study `AGENTS` in `study/ladder.rs`, `study/against_random.rs` and `study/runtime.rs` |
//! | an experiment, a chart of the study | `study/` (table in `mod.rs`) |

pub mod agent;
pub mod beginner;
pub mod engine;
pub mod factory;
pub mod games;
pub mod ladder;
pub mod level;
pub mod match_stats;
pub mod minimax;
pub mod monte_carlo;
#[cfg(feature = "program")]
pub mod program;
pub mod qlearning;
pub mod random;
pub mod serve;
pub mod spec;
#[cfg(feature = "program")]
pub mod states;
#[cfg(feature = "program")]
pub mod study;
#[cfg(feature = "program")]
pub mod tune;

pub use agent::{Agent, Board, Fault, Rng};
pub use random::Random;
