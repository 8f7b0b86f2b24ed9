//! The laboratory: agents that play Santorini in different ways, and what
//! can be measured of them.
//!
//! The agents and the experiments are those of O. Rothenstein, A. Meroz,
//! R. Kaplan and A. Oxenhorn, "AI Agents for the Board Game Santorini"
//! (The Hebrew University of Jerusalem, 2021), called "the study" here.
//!
//! | to see or change | look at |
//! |---|---|
//! | what an agent is | `agent.rs` |
//! | which agents there are, their parameters | `spec/` |
//! | the agents | `random.rs`, `minimax.rs`, `monte_carlo.rs`, `qlearning/`, `engine.rs` |
//! | how agents are made for a game | `factory.rs` |
//! | one game | `game.rs` |
//! | many games between two agents, and what they come to | `matchup.rs`, `summary.rs` |
//! | the experiments and their report | `experiment/` |
//! | fitting the weights of the heuristic | `tune.rs`, `spsa.rs` |
//! | how many states there are | `states.rs` |

pub mod agent;
pub mod engine;
pub mod experiment;
pub mod factory;
pub mod game;
pub mod matchup;
pub mod minimax;
pub mod monte_carlo;
pub mod qlearning;
pub mod random;
pub mod spec;
pub mod spsa;
pub mod states;
pub mod summary;
pub mod tune;
