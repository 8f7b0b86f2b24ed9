//! Turn notation as Python strings. The strings of the base game are created once and
//! cached; creating them each time would dominate the cost of listing turns.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};
use santorini::rules::{Geometry, Square, Turn};

use crate::action::direction;
use crate::board::Board;

/// The strings of all turns of the base game on a board, by [`slot`].
type TurnNames = PyOnceLock<Vec<Option<Py<PyString>>>>;

static FIVE: TurnNames = PyOnceLock::new();
static SIX: TurnNames = PyOnceLock::new();

/// The slots of a step: a build in each direction, or none.
const BUILDS: usize = 9;

fn slot<const N: usize>(turn: Turn) -> usize {
    let (from, to) = (turn.from(), turn.to());
    let step = 8 * from.index() + direction::<N>(from, to);
    let build = turn.build().map_or(8, |build| direction::<N>(to, build));
    BUILDS * step + build
}

fn make<const N: usize>(py: Python<'_>) -> Vec<Option<Py<PyString>>> {
    let near = |square: Square| Geometry::<N>::NEIGHBOURS[square.index()];
    let mut names: Vec<_> = (0..BUILDS * 8 * N * N).map(|_| None).collect();
    for from in Geometry::<N>::BOARD {
        for to in near(from) {
            let step = Turn::winning(from, to);
            let builds = near(to).map(|build| step.building(build));
            for turn in builds.chain([step]) {
                let text = turn.text::<N>().to_string();
                names[slot::<N>(turn)] = Some(PyString::new(py, &text).unbind());
            }
        }
    }
    names
}

impl<const N: usize> Board<N> {
    /// The notation of the legal turns.
    pub fn turn_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = if N == 5 { &FIVE } else { &SIX };
        let names = names.get_or_init(py, || make::<N>(py));
        let name = |turn: Turn| {
            let known = turn.is_plain().then(|| names[slot::<N>(turn)].as_ref());
            match known.flatten() {
                Some(name) => name.bind(py).clone(),
                None => PyString::new(py, &self.text_of(turn)),
            }
        };
        PyList::new(py, self.turns().into_iter().map(name))
    }
}
