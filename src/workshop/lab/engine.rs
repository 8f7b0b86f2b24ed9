//! The engine as an agent of the laboratory.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::agent::{Agent, Board, Fault, Rng, stopped};
use super::minimax::{Method, Minimax, SearchSpec};
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
pub struct EngineAgent<'a> {
    budget: Budget,
    engine: Engine<5>,
    stop: &'a AtomicBool,
    rng: Rng,
}

impl<'a> EngineAgent<'a> {
    /// Creates an agent with its own engine. Its searches end once `stop` is set.
    pub fn new(budget: Budget, eval: EvalKind, rng: Rng, stop: &'a AtomicBool) -> Self {
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

impl Agent for EngineAgent<'_> {
    /// With a budget of time, the engine's placement search chooses. With a budget of nodes,
    /// alpha-beta with the tuned heuristic does, two plies deep, so that games repeat.
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let Budget::Time(time) = self.budget else {
            let mut heuristic = Minimax {
                search: SearchSpec {
                    method: Method::AlphaBeta,
                    depth: 2,
                    setup: 2,
                    weights: Weights::TUNED,
                },
                rng: self.rng.clone(),
                stop: self.stop,
            };
            return heuristic.place(first);
        };
        let (setup, limits) = (Setup::new([None, None], first), Limits::time(time));
        Ok(self.engine.place(&setup, &limits, self.stop, &mut |_| {}))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let limits = match self.budget {
            Budget::Time(time) => Limits::time(time),
            Budget::Nodes(nodes) => Limits::nodes(nodes),
        };
        let report = self.engine.search(board, &limits, self.stop, &mut |_| {});
        report.turn().ok_or_else(stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::NEVER;
    use crate::lab::agent::start;
    use crate::seeds::seeded;

    /// Both placements and the turn after them.
    fn answers(budget: Budget) -> (Placement, Placement, Board, Turn) {
        let mut agent = EngineAgent::new(budget, EvalKind::network(), seeded(1), &NEVER);
        let first = agent.place(None).unwrap();
        let second = agent.place(Some(first)).unwrap();
        let board = start(first, second);
        (first, second, board, agent.turn(&board).unwrap())
    }

    #[test]
    fn a_node_budget_gives_the_same_answers() {
        let budget = Budget::Nodes(2000);
        assert_eq!(answers(budget), answers(budget));
    }

    #[test]
    fn a_time_budget_gives_legal_answers() {
        let (.., board, turn) = answers(Budget::Time(Duration::from_millis(20)));
        assert!(board.turns().contains(&turn));
    }
}
