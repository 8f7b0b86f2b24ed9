//! This program's own search as an agent of the laboratory.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::agent::{Agent, Board, Fault, Rng};
use super::minimax::{Method, Minimax};
use crate::eval::{EvalKind, Weights};
use crate::rules::{Placement, Setup, Turn};
use crate::search::{Engine, EngineOptions, Limits};
use crate::shortage::new_engine;

/// What the search may use for an action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    Time(Duration),
    Nodes(u64),
}

/// Enough for a game at the laboratory's times, and quickly made anew.
const HASH_MIB: usize = 16;

/// Plays what the search finds.
pub struct EngineAgent {
    budget: Budget,
    engine: Engine<5>,
    stop: Arc<AtomicBool>,
    rng: Rng,
}

impl EngineAgent {
    /// An agent with an engine of its own. Its searches end once `stop` is set.
    pub fn new(budget: Budget, eval: EvalKind, rng: Rng, stop: Arc<AtomicBool>) -> Self {
        let options = EngineOptions {
            hash_mib: HASH_MIB,
            eval,
            ..EngineOptions::default()
        };
        Self {
            budget,
            engine: new_engine(options),
            stop,
            rng,
        }
    }
}

impl Agent for EngineAgent {
    /// By the engine's own search if there is a time for it. With a budget of
    /// nodes by the heuristic, two plies deep, as the result must be the same
    /// every time.
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let time = match self.budget {
            Budget::Time(time) => time,
            Budget::Nodes(_) => {
                let mut heuristic = Minimax {
                    method: Method::AlphaBeta,
                    depth: 2,
                    setup: 2,
                    weights: Weights::TUNED,
                    rng: self.rng.clone(),
                    stop: Arc::clone(&self.stop),
                };
                return heuristic.place(first);
            }
        };
        let cards = [None, None];
        let setup = match first {
            None => Setup::First { cards },
            Some(first) => Setup::Second { cards, first },
        };
        Ok(self.engine.place(&setup, time, &self.stop, &mut |_| {}))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let limits = match self.budget {
            Budget::Time(time) => Limits::time(time),
            Budget::Nodes(nodes) => Limits::nodes(nodes),
        };
        let report = self.engine.search(board, &limits, &self.stop, &mut |_| {});
        let turn = report.turn();
        turn.ok_or_else(|| Fault("the search was stopped before it found a turn".into()))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn nodes_give_the_same_answers_every_time() {
        let answers = || {
            let mut agent = EngineAgent::new(
                Budget::Nodes(2000),
                EvalKind::network(),
                Rng::seed_from_u64(1),
                Arc::default(),
            );
            let first = agent.place(None).unwrap();
            let second = agent.place(Some(first)).unwrap();
            let board = crate::lab::agent::start(first, second);
            (first, second, agent.turn(&board))
        };
        assert_eq!(answers(), answers());
    }

    #[test]
    fn time_gives_legal_answers() {
        let mut agent = EngineAgent::new(
            Budget::Time(Duration::from_millis(20)),
            EvalKind::network(),
            Rng::seed_from_u64(1),
            Arc::default(),
        );
        let first = agent.place(None).unwrap();
        let second = agent.place(Some(first)).unwrap();
        let board = crate::lab::agent::start(first, second);
        assert!(board.turns().contains(&agent.turn(&board).unwrap()));
    }
}
