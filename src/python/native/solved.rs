//! Solved small boards for Python.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use numpy::PyArray1;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use santorini::jobs::{Jobs, MOST_THREADS, default_threads};
use santorini::mutex::MutexExt as _;
use santorini::solve::{
    self, CHECKPOINT, Prober, Shape, SmallGame, SmallState, SolveError, SolveOptions,
    SolveProgress, SolvedFile, SolvedFileError, SquareSet, ValuedTurn, best_game, placements,
    solve_into, squares_of,
};

use crate::argument::{self, Argument, whole_or};
use crate::array::list_array;
use crate::convert::{card_names, read_card_pair, wrong};
use crate::interruptible::{Messages, Token, interruptible, lock_until, stoppable, stopped};
use crate::solved_position::SmallPosition;
use crate::solved_values::{ExactValue, Probe, SolvedPlacement};

/// A solved small board: a file written by `santorini solve` or `Solved.solve`.
///
/// >>> solved = Solved.solve("2x3.solved", "2x3")
/// >>> found = solved.probe("000/010 a1b1 c1c2")
/// >>> print(found.value, found.best)
/// win in 1 ['a1-a2+b2', 'a1-b2+a1', 'a1-b2+a2']
///
/// A position is a `Position` of a `SmallBoard`, or a text like that of a `Position`
/// without the number of turns: the levels row by row, the workers of the player to
/// move, the opponent's workers, and both cards if there are any. Raises ValueError if
/// it is not on this board, or if a text shows a won game. A `Position` may be won: the
/// player to move has lost it in 0 turns. With cards, no text can say that.
///
/// Positions of the highest levels may be missing from the file. They are solved again
/// on request, which takes seconds. Ctrl-C ends that; the event passed as `stop` ends
/// it with `Stopped`.
///
/// path: the file. Raises OSError if it cannot be read, and ValueError if it is not a
///     solved board, damaged or unfinished.
/// threads: the threads that solve positions missing from the file; 0 means one per
///     core.
#[pyclass(frozen, module = "santorini")]
pub struct Solved {
    path: PathBuf,
    threads: usize,
    game: SmallGame,
    /// `None` while in use.
    prober: Mutex<Option<Prober<'static>>>,
}

/// The jobs of an idle prober.
const NO_JOBS: Jobs = Jobs::unstoppable(1);

/// The exception for an error of the solver.
fn failed(error: SolveError) -> PyErr {
    match error {
        SolveError::File(SolvedFileError::Io { path, cause }) => {
            argument::file_error(&path, &cause)
        }
        SolveError::Storage(_) => PyOSError::new_err(error.to_string()),
        SolveError::Stopped => stopped(),
        SolveError::Wrong(..) => PyRuntimeError::new_err(error.to_string()),
        _ => wrong(match error.remedy() {
            Some((advice, argument)) => format!("{error}: {advice} `{argument}`"),
            None => error.to_string(),
        }),
    }
}

/// The value of a game that the player to move has lost.
const LOST: solve::ExactValue = solve::ExactValue::in_plies(0);

fn value_of(
    prober: &mut Prober,
    position: &SmallPosition,
) -> Result<solve::ExactValue, SolveError> {
    match position.playing() {
        Some(state) => prober.value(state),
        None => Ok(LOST),
    }
}

fn open(path: &Path) -> Result<Prober<'static>, SolveError> {
    Prober::new(SolvedFile::open(path)?, NO_JOBS)
}

/// The argument `threads`.
fn read_threads(threads: Option<&Argument<'_>>) -> PyResult<usize> {
    match whole_or("threads", threads, 0, 0..=MOST_THREADS)? {
        0 => Ok(default_threads()),
        threads => Ok(threads),
    }
}

/// The game that the arguments describe.
pub fn read_game(
    board: &Argument<'_>,
    workers: Option<&Argument<'_>>,
    cards: Option<&Argument<'_>>,
) -> PyResult<SmallGame> {
    let shape = argument::text("board", board)?.parse::<Shape>();
    let shape = shape.map_err(|error| argument::wrong("board", error))?;
    let workers = whole_or("workers", workers, 2, 1..=2)?;
    let cards = cards.map(read_card_pair).transpose()?;
    Ok(SmallGame::new(shape, workers, cards))
}

/// A number of gigabytes in bytes.
fn gigabytes(name: &str, given: Option<&Argument<'_>>, default: f64) -> PyResult<u64> {
    let number = given.map_or(Ok(default), |given| argument::real(name, given))?;
    if (0.001..=100_000.0).contains(&number) {
        return Ok((number * 1e9) as u64);
    }
    Err(wrong(format!(
        "{name} is {number}; it should be gigabytes, from 0.001 to 100000"
    )))
}

impl Solved {
    fn of(path: PathBuf, threads: usize, prober: Prober<'static>) -> Self {
        Self {
            path,
            threads,
            game: prober.game().clone(),
            prober: Mutex::new(Some(prober)),
        }
    }

    /// An argument with a position.
    fn position(&self, name: &str, given: &Argument<'_>) -> PyResult<SmallPosition> {
        SmallPosition::read(name, given, &self.game)
    }

    /// Asks the prober.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        stop: Option<&Argument<'_>>,
        question: impl FnOnce(&mut Prober) -> Result<T, SolveError> + Send,
    ) -> PyResult<T> {
        let token = Token::read(stop)?;
        let answer = stoppable(py, &token, |stop| {
            let Some(mut place) = lock_until(&self.prober, stop) else {
                return Err(SolveError::Stopped);
            };
            let known = match place.take() {
                Some(prober) => prober,
                // The last question panicked.
                None => open(&self.path)?,
            };
            let threads = self.threads;
            let mut prober = known.with_jobs(Jobs { threads, stop });
            let answer = question(&mut prober);
            *place = Some(prober.with_jobs(NO_JOBS));
            answer
        })?;
        answer.whole()?.map_err(failed)
    }

    fn turn_text(&self, turn: &ValuedTurn) -> String {
        turn.turn.text(&self.game)
    }

    fn squares<'py>(&self, py: Python<'py>, placement: SquareSet) -> PyResult<Bound<'py, PyTuple>> {
        let names = squares_of(placement).map(|square| self.game.shape.square_text(square));
        PyTuple::new(py, names.collect::<Vec<_>>())
    }
}

#[pymethods]
impl Solved {
    #[new]
    #[pyo3(signature = (path, *, threads=None), text_signature = "(path, *, threads=0)")]
    fn new(path: &Argument<'_>, threads: Option<&Argument<'_>>) -> PyResult<Self> {
        let path = argument::path("path", path)?;
        let threads = read_threads(threads)?;
        let prober = open(&path).map_err(failed)?;
        Ok(Self::of(path, threads, prober))
    }

    /// Solves a board of up to 16 spaces and writes the file, or resumes an unfinished
    /// file. Raises OSError if the file cannot be written, and ValueError if there is no
    /// such game, it needs more memory or disk space than there is, or the file holds
    /// something else.
    ///
    /// >>> pan = Solved.solve("pan.solved", "2x3", workers=1, cards=("Pan", "Atlas"))
    ///
    /// board: its rows and columns, from 2 to 6 each, such as "3x3".
    /// workers: the workers of each player, 1 or 2.
    /// cards: the cards of the first and the second player.
    /// memory: the maximum memory in gigabytes. Work that needs more uses temporary files
    ///     in the folder of the file.
    /// keep: the maximum size of the file in gigabytes. Boards of the highest levels are
    ///     left out if they do not fit.
    /// check: verify one board in this many, turn by turn, independently of how it was
    ///     solved; 0 verifies none.
    /// threads: the number of threads; 0 means one per core.
    /// force: solve again and overwrite the file. The old file stays until the new one,
    ///     whose name ends in .unfinished, is complete.
    /// progress: called with the number of bytes solved and the total; a slow function is
    ///     called less often. An exception raised in it, or Ctrl-C, ends the work; the part
    ///     solved so far is kept.
    /// stop: an event such as `threading.Event()`. Setting it ends the work.
    #[staticmethod]
    #[pyo3(
        signature = (path, board, workers=None, cards=None, *, memory=None, keep=None,
            check=None, threads=None, force=None, progress=None, stop=None),
        text_signature = "(path, board, workers=2, cards=None, *, memory=4.0, keep=1.0, check=0, threads=0, force=False, progress=None, stop=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn solve(
        py: Python<'_>,
        path: &Argument<'_>,
        board: &Argument<'_>,
        workers: Option<&Argument<'_>>,
        cards: Option<&Argument<'_>>,
        memory: Option<&Argument<'_>>,
        keep: Option<&Argument<'_>>,
        check: Option<&Argument<'_>>,
        threads: Option<&Argument<'_>>,
        force: Option<&Argument<'_>>,
        progress: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let path = argument::path("path", path)?;
        let progress = argument::callable("progress", progress)?;
        let force = argument::flag("force", force, false)?;
        let token = Token::read(stop)?;
        let threads = read_threads(threads)?;
        let game = read_game(board, workers, cards)?;
        if !game.has_room() {
            let why = format!("{game}: there is no space left to move to");
            return Err(argument::wrong("board", why));
        }
        let options = SolveOptions {
            memory: gigabytes("memory", memory, 4.0)?,
            keep: gigabytes("keep", keep, 1.0)?,
            check: whole_or("check", check, 0, 0..=u64::MAX)?,
            checkpoint: CHECKPOINT,
            force,
        };
        // Only the newest: the work does not wait for a slow function.
        let newest = Mutex::new(None);
        let work = |stop: &Arc<AtomicBool>, messages: &Messages<()>| {
            let jobs = Jobs { threads, stop };
            solve_into(&path, &game, &options, jobs, |done| {
                *newest.locked() = Some(*done);
                messages.offer(());
            })
        };
        let receive = |py: Python<'_>, ()| {
            let done: Option<SolveProgress> = newest.locked().take();
            match progress.as_ref().zip(done) {
                Some((progress, done)) => progress.call1(py, (done.done, done.all)).map(drop),
                None => Ok(()),
            }
        };
        let solved = interruptible(py, &token, work, receive)?.whole()?;
        solved.map_err(|error| match &error {
            SolveError::File(file) if file.is_other() && !force => {
                wrong(format!("{error}, or pass force=True to overwrite it"))
            }
            _ => failed(error),
        })?;
        let prober = open(&path).map_err(failed)?;
        Ok(Self::of(path, threads, prober))
    }

    /// The file.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// The number of threads that solve positions missing from the file.
    #[getter]
    const fn threads(&self) -> usize {
        self.threads
    }

    /// The rows and columns, such as `3x3`.
    #[getter]
    fn board(&self) -> String {
        self.game.shape.to_string()
    }

    /// The number of workers of each player.
    #[getter]
    fn workers(&self) -> usize {
        self.game.workers
    }

    /// The cards of the first and the second player, if the game has cards.
    #[getter]
    fn cards(&self) -> Option<(&'static str, &'static str)> {
        card_names(self.game.cards)
    }

    /// The value of a position for the player to move, without its turns.
    #[pyo3(signature = (position, *, stop=None))]
    fn value(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<ExactValue> {
        let position = self.position("position", position)?;
        let value = self.ask(py, stop, |prober| value_of(prober, &position));
        value.map(ExactValue)
    }

    /// The values of many positions for the player to move, as an array of int16: the
    /// number of turns of both players to the end, negative where the player to move
    /// loses, 0 where it has already lost.
    #[pyo3(signature = (positions, *, stop=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: &Argument<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let position = |name: &str, given: &Argument<'_>| self.position(name, given);
        let positions = argument::list("positions", positions, "a list of positions", position)?;
        let values = self.ask(py, stop, |prober| {
            let values = positions.iter().map(|position| value_of(prober, position));
            values.collect::<Result<Vec<_>, _>>()
        })?;
        let number = |value: &solve::ExactValue| {
            let plies = value.plies() as i16;
            if value.wins() { plies } else { -plies }
        };
        list_array(py, values.iter().map(number))
    }

    /// The value of a position, and the values of its turns.
    #[pyo3(signature = (position, *, stop=None))]
    fn probe(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Probe> {
        let position = self.position("position", position)?;
        let turns = self.ask(py, stop, |prober| match position.playing() {
            Some(state) => prober.turns(state),
            None => Ok(Vec::new()),
        })?;
        let value = turns.first().map_or(LOST, |best| best.value);
        let turn = |turn: &ValuedTurn| (self.turn_text(turn), ExactValue(turn.value));
        Ok(Probe {
            position: position.text(&self.game),
            value: ExactValue(value),
            turns: turns.iter().map(turn).collect(),
        })
    }

    /// A game of best play from a position to its end. Each item holds the position before
    /// the turn, the turn, and its value for the player who plays it.
    #[pyo3(signature = (position, *, stop=None))]
    fn best_game(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Vec<(String, String, ExactValue)>> {
        let position = self.position("position", position)?;
        let game = self.ask(py, stop, |prober| match position.playing() {
            Some(state) => best_game(prober, state),
            None => Ok(Vec::new()),
        })?;
        let turn = |(state, turn): &(SmallState, ValuedTurn)| {
            let position = state.text(&self.game);
            (position, self.turn_text(turn), ExactValue(turn.value))
        };
        Ok(game.iter().map(turn).collect())
    }

    /// The placements of the first player on the empty board, up to symmetry, best first.
    #[pyo3(signature = (*, stop=None))]
    fn placements(
        &self,
        py: Python<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Vec<SolvedPlacement>> {
        let found = self.ask(py, stop, placements)?;
        let placement = |placement: &solve::ValuedPlacement| {
            let [winning_replies, replies] = placement.lost_to;
            Ok(SolvedPlacement {
                first: self.squares(py, placement.first)?.unbind(),
                reply: self.squares(py, placement.second)?.unbind(),
                value: ExactValue(placement.value),
                winning_replies,
                replies,
            })
        };
        found.iter().map(placement).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Solved {}>", self.game)
    }
}
