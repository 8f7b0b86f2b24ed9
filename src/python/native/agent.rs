//! Agents of the laboratory for Python: opponents to learn against.

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use santorini::lab::agent::{self, Fault};
use santorini::lab::factory::Factory;
use santorini::lab::qlearning::TableFileError;
use santorini::lab::spec::AgentSpec;

use crate::argument::{self, Argument, Names, shown, whole};
use crate::board::AnyBoard;
use crate::convert::{placement_names, read_placement, wrong};
use crate::interruptible::{Token, stoppable, stopped};

/// Maximum length of an agent's text, including the path of a file.
const LONGEST: usize = 10_000;

/// An agent of the laboratory: an opponent for the base game on 5x5 spaces.
///
/// >>> turn = Agent("alphabeta:depth=2").turn(position)
///
/// The text names the agent and its parameters: `random`, `alphabeta:depth=2`,
/// `mc:episodes=100`, `qlearning`, `engine:nodes=1000`. `santorini help lab play` lists
/// them all. `qlearning` learns when it is created, which takes a while.
///
/// stop: an event such as `threading.Event()`. Setting it ends learning with `Stopped`.
///     Ctrl-C ends learning too.
#[pyclass(frozen, module = "santorini")]
pub struct Agent {
    text: String,
    factory: Factory,
    seed: u64,
    /// The number of answers so far: each has its own random numbers.
    asked: AtomicU64,
}

impl Agent {
    /// Creates an agent for one answer and returns the answer. Laboratory agents cannot
    /// move to another thread, and remember nothing between answers.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        token: &Token,
        question: impl FnOnce(&mut dyn agent::Agent) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        let answer = stoppable(py, token, |stop| {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed);
            let mut agent = (self.factory).agent_until(self.seed.wrapping_add(asked), stop);
            question(&mut *agent)
        })?;
        answer.whole()?.map_err(wrong)
    }
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (text, seed=None, *, stop=None), text_signature = "(text, seed=0, *, stop=None)")]
    fn new(
        py: Python<'_>,
        text: &Argument<'_>,
        seed: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let text = argument::text("text", text)?.into_owned();
        let seed = argument::seed("seed", seed)?;
        let token = Token::read(stop)?;
        if text.len() > LONGEST {
            let why = format!("{:?} is no agent", shown(&text));
            return Err(argument::wrong("text", why));
        }
        let spec = text.parse::<AgentSpec>();
        let spec = spec.map_err(|error| argument::wrong("text", error))?;
        let factory = stoppable(py, &token, |stop| {
            Factory::new_until(&spec, seed, stop, &mut |_, _| {})
        })?;
        let factory = factory.whole()?;
        let factory = factory.map_err(|error| match error {
            TableFileError::Io { path, cause } => argument::file_error(&path, &cause),
            TableFileError::Memory(_) => PyMemoryError::new_err(error.to_string()),
            error => argument::wrong("text", error),
        })?;
        Ok(Self {
            text,
            factory: factory.ok_or_else(stopped)?,
            // A seed that differs from the one used for learning.
            seed: seed.rotate_left(32),
            asked: AtomicU64::new(0),
        })
    }

    /// The name with its parameters.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The seed of its choices.
    #[getter]
    const fn seed(&self) -> u64 {
        self.seed.rotate_right(32)
    }

    /// The spaces where the agent places its workers, see `Engine.place`. Ctrl-C and
    /// `stop` end its search.
    #[pyo3(signature = (first=None, *, stop=None))]
    fn place(
        &self,
        py: Python<'_>,
        first: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Names> {
        let first = first.map(|first| read_placement::<5>("first", first));
        let first = first.transpose()?;
        let token = Token::read(stop)?;
        let placement = self.ask(py, &token, |agent| agent.place(first))?;
        Ok(placement_names::<5>(placement))
    }

    /// The turn the agent plays. Ctrl-C ends its search; the event `stop` ends it with
    /// `Stopped`.
    #[pyo3(signature = (position, *, stop=None))]
    fn turn(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<String> {
        let position = argument::position("position", position)?;
        let token = Token::read(stop)?;
        let board = match &position.0 {
            AnyBoard::Five(board) if !board.has_cards() => board,
            _ => return Err(wrong("position: agents play the base game on 5x5 spaces")),
        };
        position.check_unfinished("position")?;
        let turn = self.ask(py, &token, |agent| agent.turn(&board.position))?;
        Ok(turn.text::<5>().to_string())
    }

    /// A copy. It shares what the agent has learned.
    fn __copy__(&self) -> Self {
        Self {
            text: self.text.clone(),
            factory: self.factory.clone(),
            seed: self.seed,
            asked: self._asked().into(),
        }
    }

    fn __deepcopy__(&self, _memo: &Argument<'_>) -> Self {
        self.__copy__()
    }

    /// The number of answers so far.
    #[getter]
    fn _asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Recreates an agent that has given some answers.
    #[staticmethod]
    fn _again(
        py: Python<'_>,
        text: &Argument<'_>,
        seed: &Argument<'_>,
        asked: &Argument<'_>,
    ) -> PyResult<Self> {
        let asked = whole("asked", asked, 0..=u64::MAX)?;
        let agent = Self::new(py, text, Some(seed), None)?;
        agent.asked.store(asked, Ordering::Relaxed);
        Ok(agent)
    }

    fn __repr__(&self) -> String {
        match self.seed() {
            0 => format!("santorini.Agent({:?})", self.text),
            seed => format!("santorini.Agent({:?}, {seed})", self.text),
        }
    }
}
