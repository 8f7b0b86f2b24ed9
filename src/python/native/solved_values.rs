//! Exact values of positions on solved boards, for Python.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use santorini::solve;

use crate::argument::{self, Argument, whole};
use crate::convert::wrong;

/// The exact value of a position for the player to move, or of a turn for the player
/// who plays it: win or loss, and in how many turns. Values are ordered: a win beats a
/// loss, a faster win a slower one, and a slower loss a faster one.
#[pyclass(frozen, eq, ord, hash, module = "santorini")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExactValue(pub(super) solve::ExactValue);

/// The maximum number of turns; the longest game on a solved board has 65.
const MOST_PLIES: u32 = 127;

impl ExactValue {
    fn read(name: &str, given: &Argument<'_>) -> PyResult<Self> {
        let value = given.cast::<Self>();
        let value = value.map_err(|_| argument::wrong_type(name, given, "an ExactValue"))?;
        Ok(*value.get())
    }
}

#[pymethods]
impl ExactValue {
    #[new]
    fn new(wins: &Argument<'_>, plies: &Argument<'_>) -> PyResult<Self> {
        let wins = argument::flag("wins", Some(wins), false)?;
        let plies = whole("plies", plies, 0..=MOST_PLIES)?;
        if wins != (plies % 2 == 1) {
            let why = "plies is even; the winner makes the last turn, so it should be odd";
            let lost = "plies is odd; the winner makes the last turn, so it should be even";
            return Err(wrong(if wins { why } else { lost }));
        }
        Ok(Self(solve::ExactValue::in_plies(plies)))
    }

    /// Whether the player wins.
    #[getter]
    fn wins(&self) -> bool {
        self.0.wins()
    }

    /// The number of turns of both players to the end of the game with best play: the
    /// winner wins as fast as possible, the loser holds out as long as possible.
    #[getter]
    fn plies(&self) -> u32 {
        self.0.plies()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<ExactValue {}>", self.0)
    }
}

/// The value of a position on a solved board, and of its turns.
#[pyclass(frozen, get_all, module = "santorini")]
pub struct Probe {
    /// The position as one line of text.
    pub(super) position: String,
    /// Its value for the player to move.
    pub(super) value: ExactValue,
    /// The turns with their values for the player to move, best first. Of turns that lead
    /// to the same position, only one is listed.
    pub(super) turns: Vec<(String, ExactValue)>,
}

#[pymethods]
impl Probe {
    #[new]
    fn new(position: &Argument<'_>, value: &Argument<'_>, turns: &Argument<'_>) -> PyResult<Self> {
        let right = "a list of pairs of a turn and its ExactValue";
        let turn = |name: &str, given: &Argument<'_>| {
            let pair = given.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
            let pair = pair.ok_or_else(|| argument::wrong_type(name, given, right))?;
            let turn = argument::owned_text(name, &pair.get_item(0)?)?;
            Ok((turn, ExactValue::read(name, &pair.get_item(1)?)?))
        };
        Ok(Self {
            position: argument::owned_text("position", position)?,
            value: ExactValue::read("value", value)?,
            turns: argument::list("turns", turns, right, turn)?,
        })
    }

    /// The best turns: all that preserve the value.
    #[getter]
    fn best(&self) -> Vec<&str> {
        let best = self.turns.iter().filter(|(_, value)| *value == self.value);
        best.map(|(turn, _)| turn.as_str()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Probe {}: {}>", self.position, self.value.0)
    }
}

/// A placement of the first player on a solved board, with the best reply.
#[pyclass(frozen, get_all, module = "santorini")]
pub struct SolvedPlacement {
    /// The spaces of the first player's workers.
    pub(super) first: Py<PyTuple>,
    /// The spaces of the second player's workers in its best reply.
    pub(super) reply: Py<PyTuple>,
    /// The value for the first player, who then moves first.
    pub(super) value: ExactValue,
    /// The number of replies that win for the second player.
    pub(super) winning_replies: u32,
    /// The number of replies.
    pub(super) replies: u32,
}

#[pymethods]
impl SolvedPlacement {
    #[new]
    fn new(
        py: Python<'_>,
        first: &Argument<'_>,
        reply: &Argument<'_>,
        value: &Argument<'_>,
        winning_replies: &Argument<'_>,
        replies: &Argument<'_>,
    ) -> PyResult<Self> {
        let squares = |name: &str, given: &Argument<'_>| {
            let names = argument::list(name, given, "names of squares", argument::owned_text)?;
            Ok::<_, PyErr>(PyTuple::new(py, names)?.unbind())
        };
        Ok(Self {
            first: squares("first", first)?,
            reply: squares("reply", reply)?,
            value: ExactValue::read("value", value)?,
            winning_replies: whole("winning_replies", winning_replies, 0..=u32::MAX)?,
            replies: whole("replies", replies, 0..=u32::MAX)?,
        })
    }

    fn __repr__(&self) -> String {
        let (first, reply) = (&self.first, &self.reply);
        format!("<SolvedPlacement {first} {reply}: {}>", self.value.0)
    }
}
