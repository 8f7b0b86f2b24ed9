//! Search results for Python.

use numpy::PyArray1;
use pyo3::prelude::*;
use santorini::at_size;
use santorini::review::chance;
use santorini::rules::Position;
use santorini::search::{self, ScoreText, is_proved};

use crate::argument::{self, Argument, whole};
use crate::array::filled;
use crate::convert::turn_names;

/// A line of play with its score.
#[pyclass(frozen, module = "santorini", get_all)]
#[derive(Clone)]
pub struct Line {
    /// The score for the player to move, in hundredths of a level.
    score: i32,
    /// The player to move's chance of winning, 0 to 1, between equally strong players.
    chance: f64,
    /// The principal variation: best play of both players, as far as known.
    turns: Vec<String>,
}

#[pymethods]
impl Line {
    #[new]
    fn new(score: &Argument<'_>, chance: &Argument<'_>, turns: &Argument<'_>) -> PyResult<Self> {
        Ok(Self {
            score: whole("score", score, i32::MIN..=i32::MAX)?,
            chance: argument::real("chance", chance)?,
            turns: argument::list("turns", turns, "a list of turns", argument::owned_text)?,
        })
    }

    /// The first turn of the line.
    #[getter]
    fn turn(&self) -> Option<&str> {
        self.turns.first().map(String::as_str)
    }

    /// The score in levels, or a proved result with the number of turns to it: `win in 5`,
    /// `loss in 2`.
    #[getter]
    fn score_text(&self) -> String {
        ScoreText(self.score).to_string()
    }

    /// Whether the score is a proved win or loss.
    #[getter]
    fn is_proved(&self) -> bool {
        is_proved(self.score)
    }

    fn __repr__(&self) -> String {
        format!("<Line {} {}>", self.score_text(), self.turns.join(" "))
    }
}

/// The result of a search, or of one of its iterations.
#[pyclass(frozen, module = "santorini", get_all)]
#[derive(Clone)]
pub struct Report {
    /// The best turns, best first.
    lines: Vec<Line>,
    /// The completed depth in turns.
    depth: u32,
    /// The number of positions searched.
    nodes: u64,
    /// The time of the search in seconds.
    seconds: f64,
}

impl Report {
    /// The report of a search of a position.
    pub fn of<const N: usize>(position: &Position<N>, report: &search::Report) -> Self {
        let line = |line: &search::Line| Line {
            score: line.score,
            chance: chance(position, line.score),
            turns: turn_names::<N>(&line.turns),
        };
        Self {
            lines: report.lines.iter().map(line).collect(),
            depth: report.depth,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
        }
    }

    fn best(&self) -> Option<&Line> {
        self.lines.first()
    }

    /// An array over all actions of the argument `position`, with the values of the lines and
    /// NaN elsewhere.
    fn action_values<'py>(
        &self,
        position: &Argument<'py>,
        value: impl Fn(&Line) -> f32,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let board = &argument::position("position", position)?.0;
        let count = at_size!(board, board => board.action_count());
        filled(position.py(), None, &[count], |values| {
            values.fill(f32::NAN);
            for line in &self.lines {
                if let Some(turn) = line.turn() {
                    values[at_size!(board, board => board.action_of(turn))?] = value(line);
                }
            }
            Ok(())
        })
    }
}

#[pymethods]
impl Report {
    #[new]
    fn new(
        lines: &Argument<'_>,
        depth: &Argument<'_>,
        nodes: &Argument<'_>,
        seconds: &Argument<'_>,
    ) -> PyResult<Self> {
        let line = |name: &str, given: &Argument<'_>| {
            let line = given.cast::<Line>();
            let line = line.map_err(|_| argument::wrong_type(name, given, "a Line"))?;
            Ok(line.get().clone())
        };
        Ok(Self {
            lines: argument::list("lines", lines, "a list of Line", line)?,
            depth: whole("depth", depth, 0..=u32::MAX)?,
            nodes: whole("nodes", nodes, 0..=u64::MAX)?,
            seconds: argument::real("seconds", seconds)?,
        })
    }

    /// The best turn.
    #[getter]
    fn turn(&self) -> Option<&str> {
        self.best()?.turn()
    }

    /// The principal variation, which starts with the best turn.
    #[getter]
    fn turns(&self) -> Vec<String> {
        self.best()
            .map(|line| line.turns.clone())
            .unwrap_or_default()
    }

    /// The score of the best turn, see `Line.score`.
    #[getter]
    fn score(&self) -> Option<i32> {
        Some(self.best()?.score)
    }

    /// The chance of winning, see `Line.chance`.
    #[getter]
    fn chance(&self) -> Option<f64> {
        Some(self.best()?.chance)
    }

    /// The score of the best turn, see `Line.score_text`.
    #[getter]
    fn score_text(&self) -> String {
        self.best().map(Line::score_text).unwrap_or_default()
    }

    /// The scores of the lines as an array over all actions of `Batch`, NaN for the others.
    /// `position` is the one that was searched. `analyze` with `position.count_turns()`
    /// lines has a score for each legal action.
    fn scores<'py>(&self, position: &Argument<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.action_values(position, |line| line.score as f32)
    }

    /// The chances of winning of the lines as an array over all actions, as in `scores`.
    fn chances<'py>(&self, position: &Argument<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.action_values(position, |line| line.chance as f32)
    }

    fn __repr__(&self) -> String {
        let turn = self.turn().unwrap_or("no turn");
        let (score, depth, nodes) = (self.score_text(), self.depth, self.nodes);
        format!("<Report {turn} {score}, depth {depth}, {nodes} nodes>")
    }
}
