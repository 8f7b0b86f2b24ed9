//! Agents of the laboratory as Python sees them: opponents to learn against.

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;
use santorini::lab;
use santorini::lab::factory::Factory;
use santorini::rules::Side;

use crate::board::AnyBoard;
use crate::convert::{Names, placement_names, read_placement, wrong};
use crate::position::Position;

/// An agent of the laboratory, for the base game on 5x5 spaces: an opponent of
/// any strength.
///
/// >>> Agent("alphabeta:depth=2").turn(position)
///
/// It is named with its parameters: `random`, `alphabeta:depth=2`, `mc:episodes=100`,
/// `qlearning`, `engine:nodes=1000`. `santorini help lab play` lists them all.
/// `qlearning` learns when it is made, which takes a while.
#[pyclass(frozen, module = "santorini")]
pub struct Agent {
    text: String,
    factory: Factory,
    seed: u64,
    /// How often it was asked: each answer has random numbers of its own.
    asked: AtomicU64,
}

impl Agent {
    /// An agent for one answer. Those of the laboratory stay on one thread, and
    /// nothing that they find for one answer is needed for the next.
    fn agent(&self) -> Box<dyn lab::agent::Agent> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        self.factory.agent(self.seed.wrapping_add(asked))
    }
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (text, seed=0))]
    fn new(py: Python<'_>, text: String, seed: u64) -> PyResult<Self> {
        let spec = text.parse().map_err(wrong)?;
        let factory = py.detach(|| Factory::new(&spec, seed, &mut |_, _| {}));
        Ok(Self {
            text,
            factory: factory.map_err(wrong)?,
            // Not those of learning.
            seed: seed.rotate_left(32),
            asked: AtomicU64::new(0),
        })
    }

    /// Where it places its workers, see `Engine.place`.
    #[pyo3(signature = (first=None))]
    fn place(&self, py: Python<'_>, first: Option<Names>) -> PyResult<Names> {
        let first = first.map(|first| read_placement::<5>(&first)).transpose()?;
        let placement = py.detach(|| self.agent().place(first)).map_err(wrong)?;
        Ok(placement_names::<5>(placement))
    }

    /// The turn that it plays.
    fn turn(&self, py: Python<'_>, position: Position) -> PyResult<String> {
        let board = match &position.0 {
            AnyBoard::Five(board) if board.position.card(Side::Mover).is_none() => board,
            _ => return Err(wrong("agents play the base game on 5x5 spaces")),
        };
        if position.is_finished() {
            return Err(wrong(format!("the game is over: {}", position.text())));
        }
        let turn = py
            .detach(|| self.agent().turn(&board.position))
            .map_err(wrong)?;
        Ok(turn.text::<5>().to_string())
    }

    fn __repr__(&self) -> String {
        format!("santorini.Agent({:?})", self.text)
    }
}
