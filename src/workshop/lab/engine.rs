//! The engine as an agent of the laboratory.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::agent::{Agent, Board, Fault, Rng, stopped};
use super::minimax::{Method, Minimax};
use crate::eval::{EvalKind, Weights};
use crate::rules::{Placement, Setup, Turn};
use crate::search::{Engine, EngineOptions, Limits};

/// The limit of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// The time for an action.
    Time(Duration),
    /// The nodes for an action.
    Nodes(u64),
}

/// Enough for the short searches of the laboratory, and quick to allocate.
const HASH_MIB: usize = 16;

/// Plays the best turn of a search.
pub struct EngineAgent {
    budget: Budget,
    engine: Engine<5>,
    stop: Arc<AtomicBool>,
    rng: Rng,
}

impl EngineAgent {
    /// Creates an agent with its own engine. Its searches end once `stop` is set.
    pub fn new(budget: Budget, eval: EvalKind, rng: Rng, stop: Arc<AtomicBool>) -> Self {
        let options = EngineOptions {
            hash_mib: HASH_MIB,
            eval,
            ..EngineOptions::default()
        };
        Self {
            budget,
            engine: Engine::new(options),
            stop,
            rng,
        }
    }
}

impl Agent for EngineAgent {
    /// With a budget of time, the engine's placement search chooses. With a budget of nodes,
    /// alpha-beta with the tuned heuristic does, two plies deep: its result repeats.
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let Budget::Time(time) = self.budget else {
            let mut heuristic = Minimax {
                method: Method::AlphaBeta,
                depth: 2,
                setup: 2,
                weights: Weights::TUNED,
                rng: self.rng.clone(),
                stop: Arc::clone(&self.stop),
            };
            return heuristic.place(first);
        };
        let (setup, limits) = (Setup::new([None, None], first), Limits::time(time));
        Ok(self.engine.place(&setup, &limits, &self.stop, &mut |_| {}))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let limits = match self.budget {
            Budget::Time(time) => Limits::time(time),
            Budget::Nodes(nodes) => Limits::nodes(nodes),
        };
        let report = self.engine.search(board, &limits, &self.stop, &mut |_| {});
        report.turn().ok_or_else(stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::seeded;

    #[test]
    fn a_node_budget_gives_the_same_answers() {
        let answers = || {
            let mut agent = EngineAgent::new(
                Budget::Nodes(2000),
                EvalKind::network(),
                seeded(1),
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
    fn a_time_budget_gives_legal_answers() {
        let mut agent = EngineAgent::new(
            Budget::Time(Duration::from_millis(20)),
            EvalKind::network(),
            seeded(1),
            Arc::default(),
        );
        let first = agent.place(None).unwrap();
        let second = agent.place(Some(first)).unwrap();
        let board = crate::lab::agent::start(first, second);
        assert!(board.turns().contains(&agent.turn(&board).unwrap()));
    }
}
