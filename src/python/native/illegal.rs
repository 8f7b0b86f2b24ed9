//! Illegal turns as Python exceptions: a message, and fields for programs.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use santorini::rules::{CAP, Position, Side, Space, square_text};
use santorini::verdict::{BrokenRule, broken_rule};

use crate::language::squares;

create_exception!(
    santorini,
    IllegalTurn,
    PyValueError,
    "A turn that breaks a rule. The message explains it. `rule` names the rule, such as\n\
     \"too-high\"; `worker` is the space of the worker that breaks it. `square` is the\n\
     space it may not move to or build on, or where the player has no worker. A field\n\
     that does not apply is None."
);

/// The fields of an illegal turn.
#[derive(Default)]
pub struct Broken {
    rule: String,
    worker: Option<String>,
    square: Option<String>,
}

impl Broken {
    /// A rule that concerns no square.
    pub fn rule(name: &str) -> Self {
        Self {
            rule: name.into(),
            ..Self::default()
        }
    }

    /// The rule that the text of an illegal turn breaks.
    pub fn by_text<const N: usize>(position: &Position<N>, text: &str) -> Self {
        let squares = squares::<N>(text);
        let own = position.workers(Side::Mover);
        let worker = squares.first().copied().filter(|&from| own.has(from));
        let worker = worker.map(square_text::<N>);
        if let Some(rule) = broken_rule(position, text) {
            let broken = Self::from(&rule);
            let worker = broken.worker.or(worker);
            return Self { worker, ..broken };
        }
        let capped = |&&square: &&_| position.level(square) == CAP;
        let (rule, square) = match &squares[..] {
            [from, ..] if !own.has(*from) => ("no-worker", Some(from)),
            [_, steps @ ..] => match steps.iter().find(capped) {
                Some(square) => ("capped", Some(square)),
                None => ("no-such-turn", None),
            },
            [] => ("off-board", None),
        };
        let square = square.map(|&square| square_text::<N>(square));
        Self {
            rule: rule.into(),
            worker,
            square,
        }
    }
}

impl From<&BrokenRule> for Broken {
    fn from(rule: &BrokenRule) -> Self {
        Self {
            rule: rule.name().into(),
            worker: rule.worker().map(name),
            square: rule.space().map(name),
        }
    }
}

/// The name of a space: `d3` of `d3 (3,4)`.
fn name(space: Space) -> String {
    let text = space.to_string();
    text.split(' ').next().unwrap_or_default().into()
}

/// The error of an illegal turn.
pub fn illegal(why: String, broken: Broken) -> PyErr {
    let error = IllegalTurn::new_err(why);
    let filled = Python::attach(|py| {
        let value = error.value(py);
        value.setattr("rule", broken.rule)?;
        value.setattr("worker", broken.worker)?;
        value.setattr("square", broken.square)
    });
    filled.err().unwrap_or(error)
}

/// Declares the fields on the class, for exceptions raised in Python.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let class = py.get_type::<IllegalTurn>();
    for field in ["rule", "worker", "square"] {
        class.setattr(field, py.None())?;
    }
    module.add("IllegalTurn", class)
}
