//! The search engine for Python.

use std::ffi::CString;
use std::fs::File;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::PyString;
use santorini::eval::EvalKind;
use santorini::files::read_file;
use santorini::jobs::MOST_THREADS;
use santorini::review::{review, review_json};
use santorini::rules;
use santorini::search::{self, EngineOptions, Limits, MOST_HASH_MIB};
use serde_json::Value;

use crate::argument::{self, Argument, Names, whole, whole_or};
use crate::board::AnyBoard;
use crate::convert::{placement_names, read_cards, read_setup, write_json, wrong};
use crate::game::Game;
use crate::interruptible::{
    Messages, Outcome, Token, interruptible, lock_until, stoppable, stopped,
};
use crate::many;
use crate::position::Position;
use crate::report::Report;

/// The search engine. It keeps its transposition table between searches. A new engine
/// with one thread, limited by nodes or depth, always gives the same results.
///
/// A search releases Python's GIL. It ends at Ctrl-C, or once another thread sets the
/// event passed as `stop`. Calls from several threads wait for each other: use one
/// engine per thread. Do not fork while another thread searches: the child would wait
/// for that search forever.
///
/// eval: the evaluation: "network", "tuned", "paper", or the path of a network written
///     by `santorini train`.
/// hash_mib: the size of the transposition table in MiB. Issues a `RuntimeWarning` if
///     memory suffices only for a smaller one.
/// threads: the number of search threads.
#[pyclass(frozen, module = "santorini")]
pub struct Engine {
    /// The name of its evaluation.
    eval: String,
    options: EngineOptions,
    five: Mutex<Option<search::Engine<5>>>,
    six: Mutex<Option<search::Engine<6>>>,
}

/// The search limits of the arguments.
fn limits(
    nodes: Option<&Argument<'_>>,
    seconds: Option<&Argument<'_>>,
    depth: Option<&Argument<'_>>,
) -> PyResult<Limits> {
    if nodes.is_none() && seconds.is_none() && depth.is_none() {
        return Err(wrong("how long to search? pass nodes=, seconds= or depth="));
    }
    let nodes = nodes.map(|nodes| whole("nodes", nodes, 1..=u64::MAX));
    let depth = depth.map(|depth| whole("depth", depth, 1..=u32::MAX));
    let seconds = seconds.map(|seconds| argument::seconds("seconds", seconds));
    Ok(Limits {
        nodes: nodes.transpose()?,
        depth: depth.transpose()?,
        time: seconds.transpose()?,
        may_end_early: false,
    })
}

/// The evaluation named by an argument, built in or a file, and its name.
fn read_eval(given: Option<&Argument<'_>>) -> PyResult<(String, EvalKind)> {
    let Some(given) = given else {
        return Ok(("network".into(), EvalKind::network()));
    };
    if given.is_instance_of::<PyString>() {
        let name = argument::text("eval", given)?;
        if let Some(eval) = EvalKind::built_in(&name) {
            return Ok((name.into_owned(), eval));
        }
    }
    let path = argument::path("eval", given)?;
    File::open(&path).map_err(|error| argument::file_error(&path, &error))?;
    let name = path.to_str();
    let name = name.ok_or_else(|| argument::wrong("eval", "the path is not UTF-8"))?;
    let named = EvalKind::named(name, read_file);
    let (eval, _) = named.map_err(|error| argument::wrong("eval", error))?;
    Ok((name.to_owned(), eval))
}

/// Runs `work` with the engine, see [`interruptible`]. While it waits for another
/// thread that uses the engine, a stop ends it at once.
fn run<const N: usize, M: Send, T: Send>(
    py: Python<'_>,
    token: &Token,
    engine: &Mutex<Option<search::Engine<N>>>,
    options: EngineOptions,
    work: impl FnOnce(&mut search::Engine<N>, &AtomicBool, &Messages<M>) -> T + Send,
    receive: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<Outcome<T>> {
    let work = |stop: &Arc<AtomicBool>, messages: &Messages<M>| {
        let mut engine = lock_until(engine, stop)?;
        let is_new = engine.is_none();
        let engine = engine.get_or_insert_with(|| search::Engine::new(options));
        let short = engine.table_shortage().filter(|_| is_new);
        Some((work(engine, stop, messages), short))
    };
    let Outcome { value, is_stopped } = interruptible(py, token, work, receive)?;
    let (value, short) = value.ok_or_else(stopped)?;
    if let Some(short) = short {
        let category = py.get_type::<PyRuntimeWarning>();
        let message = CString::new(short.to_string())?;
        PyErr::warn(py, &category, &message, 1)?;
    }
    Ok(Outcome { value, is_stopped })
}

impl Engine {
    fn search_position(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        extent: (usize, Limits),
        callback: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Report> {
        let position = argument::position("position", position)?;
        let callback = argument::callable("callback", callback)?;
        let token = Token::read(stop)?;
        position.check_unfinished("position")?;
        match &position.0 {
            AnyBoard::Five(board) => {
                self.search(py, &self.five, &board.position, extent, callback, &token)
            }
            AnyBoard::Six(board) => {
                self.search(py, &self.six, &board.position, extent, callback, &token)
            }
        }
    }

    fn search<const N: usize>(
        &self,
        py: Python<'_>,
        engine: &Mutex<Option<search::Engine<N>>>,
        position: &rules::Position<N>,
        (lines, limits): (usize, Limits),
        callback: Option<Py<PyAny>>,
        token: &Token,
    ) -> PyResult<Report> {
        let shows = callback.is_some();
        let report = run(
            py,
            token,
            engine,
            self.options,
            |engine, stop, messages| {
                let report = engine.search_lines(position, lines, &limits, stop, &mut |report| {
                    if shows {
                        messages.send(Report::of(position, report));
                    }
                });
                engine.scored(report, position)
            },
            |py, report: Report| match &callback {
                Some(callback) => callback.call1(py, (report,)).map(drop),
                None => Ok(()),
            },
        )?;
        // A stopped search still returns the best turn found, if any.
        if report.value.turn().is_none() {
            return Err(stopped());
        }
        Ok(Report::of(position, &report.value))
    }

    fn place_with<const N: usize>(
        &self,
        py: Python<'_>,
        engine: &Mutex<Option<search::Engine<N>>>,
        (cards, first): (rules::Cards, Option<&Argument<'_>>),
        limits: Limits,
        token: &Token,
    ) -> PyResult<Names> {
        let setup = read_setup::<N>(cards, first)?;
        let place = |engine: &mut search::Engine<N>, stop: &AtomicBool, _: &Messages<()>| {
            engine.place(&setup, &limits, stop, &mut |_| {})
        };
        let placement = run(py, token, engine, self.options, place, |_, ()| Ok(()))?;
        Ok(placement_names::<N>(placement.value))
    }

    fn review_with<const N: usize>(
        &self,
        py: Python<'_>,
        engine: &Mutex<Option<search::Engine<N>>>,
        game: &Game,
        nodes: u64,
        token: &Token,
    ) -> PyResult<Value> {
        let replay = game.0.replay::<N>();
        let replay = replay.map_err(|error| argument::wrong("game", error))?;
        let (start, limits) = (replay.positions[0], Limits::nodes(nodes));
        let work = |engine: &mut search::Engine<N>, stop: &AtomicBool, _: &Messages<()>| {
            review(&start, &replay.turns, engine, &limits, stop, &mut |_, _| {})
        };
        let review = run(py, token, engine, self.options, work, |_, ()| Ok(()))?;
        let review = review.whole()?.ok_or_else(stopped)?;
        Ok(review_json(&review, &game.0.players))
    }

    fn clear_one<const N: usize>(
        &self,
        py: Python<'_>,
        engine: &Mutex<Option<search::Engine<N>>>,
    ) -> PyResult<()> {
        let done = stoppable(py, &Token::NONE, |stop| {
            if let Some(engine) = lock_until(engine, stop)?.as_mut() {
                engine.clear();
            }
            Some(())
        })?;
        done.value.ok_or_else(stopped)
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (eval=None, *, hash_mib=None, threads=None),
        text_signature = "(eval=\"network\", *, hash_mib=64, threads=1)")]
    fn new(
        eval: Option<&Argument<'_>>,
        hash_mib: Option<&Argument<'_>>,
        threads: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let hash_mib = whole_or("hash_mib", hash_mib, 64, 1..=MOST_HASH_MIB)?;
        let threads = whole_or("threads", threads, 1, 1..=MOST_THREADS)?;
        let (name, eval) = read_eval(eval)?;
        let options = EngineOptions {
            hash_mib,
            threads,
            eval,
            ..EngineOptions::default()
        };
        Ok(Self {
            eval: name,
            options,
            five: Mutex::new(None),
            six: Mutex::new(None),
        })
    }

    /// The name of the evaluation, or the path of its file.
    #[getter]
    fn eval(&self) -> &str {
        &self.eval
    }

    /// The size of its table in MiB, as passed.
    #[getter]
    const fn hash_mib(&self) -> usize {
        self.options.hash_mib
    }

    /// The threads of a search.
    #[getter]
    const fn threads(&self) -> usize {
        self.options.threads
    }

    /// Searches for the best turn until a limit is reached, the result is proved, or the
    /// event `stop` is set. A stopped search reports what it has found. If it ends before
    /// its first iteration, the depth is 0, the score is the static evaluation, see
    /// `evaluate`, and the turn was not searched. Pass at least one limit. Raises
    /// ValueError if the game is over.
    #[pyo3(signature = (position, *, nodes=None, seconds=None, depth=None, stop=None))]
    fn best(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        nodes: Option<&Argument<'_>>,
        seconds: Option<&Argument<'_>>,
        depth: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Report> {
        let extent = (1, limits(nodes, seconds, depth)?);
        self.search_position(py, position, extent, None, stop)
    }

    /// Like `best`, for the best `lines` turns. `callback` is called with a report after
    /// each iteration; the search waits for a slow one. An exception raised in it ends the
    /// search.
    #[pyo3(
        signature = (position, lines=None, *, nodes=None, seconds=None, depth=None,
            callback=None, stop=None),
        text_signature = "($self, position, lines=3, *, nodes=None, seconds=None, depth=None, callback=None, stop=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn analyze(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        lines: Option<&Argument<'_>>,
        nodes: Option<&Argument<'_>>,
        seconds: Option<&Argument<'_>>,
        depth: Option<&Argument<'_>>,
        callback: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Report> {
        let lines = whole_or("lines", lines, 3, 1..=usize::MAX)?;
        let extent = (lines, limits(nodes, seconds, depth)?);
        self.search_position(py, position, extent, callback, stop)
    }

    /// Reviews a game: judges each turn by the chance of winning it lost against the best
    /// turn. Searches every position for `nodes` nodes. Returns a dict: the `chances` of
    /// player 0 at the start and after each turn; `turns`, each with its `judgement`
    /// ("best", "good", "inaccuracy", "mistake" or "blunder"), the chance `lost`, the
    /// `best` turn and its `line`; and a `summary` for each player. The event `stop` ends
    /// the review with `Stopped`.
    #[pyo3(signature = (game, *, nodes=None, stop=None),
        text_signature = "($self, game, *, nodes=20_000, stop=None)")]
    fn review<'py>(
        &self,
        py: Python<'py>,
        game: &Argument<'py>,
        nodes: Option<&Argument<'py>>,
        stop: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let cast = game.cast::<Game>();
        let game = cast.map_err(|_| argument::wrong_type("game", game, "a Game"))?;
        let nodes = whole_or("nodes", nodes, 20_000, 1..=u64::MAX)?;
        let (game, token) = (game.get(), Token::read(stop)?);
        let review = match game.0.size() {
            Some(6) => self.review_with::<6>(py, &self.six, game, nodes, &token),
            _ => self.review_with::<5>(py, &self.five, game, nodes, &token),
        };
        write_json(py, &review?)
    }

    /// The best spaces for the workers of the player who places next: the first player, or
    /// the second if `first` gives the spaces of the first player's workers. `cards` are
    /// this player's card and the opponent's. The limits are for all searches together; the
    /// default is one second. A search ended by the event `stop` returns the best found so
    /// far.
    #[pyo3(signature = (first=None, cards=None, size=None, *, nodes=None, seconds=None, depth=None,
        stop=None),
        text_signature = "($self, first=None, cards=None, size=5, *, nodes=None, seconds=None, \
        depth=None, stop=None)")]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn place(
        &self,
        py: Python<'_>,
        first: Option<&Argument<'_>>,
        cards: Option<&Argument<'_>>,
        size: Option<&Argument<'_>>,
        nodes: Option<&Argument<'_>>,
        seconds: Option<&Argument<'_>>,
        depth: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Names> {
        let limits = match (nodes, seconds, depth) {
            (None, None, None) => Limits::time(Duration::from_secs(1)),
            _ => limits(nodes, seconds, depth)?,
        };
        let (who, token) = ((read_cards(cards)?, first), Token::read(stop)?);
        match argument::size(size)? {
            6 => self.place_with(py, &self.six, who, limits, &token),
            _ => self.place_with(py, &self.five, who, limits, &token),
        }
    }

    /// The static evaluation of a position for the player to move, in hundredths of a
    /// level. It means little if a turn wins at once.
    ///
    /// For a `Batch` or a list of positions: an array of all evaluations, computed on the
    /// threads of the engine; NaN where the workers are not placed yet.
    #[pyo3(signature = (position, *, stop=None))]
    fn evaluate<'py>(
        &self,
        position: &Argument<'py>,
        stop: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let token = Token::read(stop)?;
        if let Ok(one) = position.cast::<Position>() {
            let value = many::evaluate_one(&self.options, &one.get().0);
            return Ok(value.into_pyobject(position.py())?.into_any());
        }
        Ok(many::evaluate(position, &self.options, &token)?.into_any())
    }

    /// Searches each position of a `Batch` or of a list for the best action, and returns
    /// `Labels`. The threads of the engine share the positions: each is searched by one
    /// thread that starts with an empty table. So a label is what `best` of a new engine
    /// with one thread finds. Pass at least one limit; it is the limit for each position.
    /// The event `stop` ends the work with `Stopped`.
    #[pyo3(signature = (positions, *, nodes=None, seconds=None, depth=None, stop=None))]
    fn label<'py>(
        &self,
        positions: &Argument<'py>,
        nodes: Option<&Argument<'py>>,
        seconds: Option<&Argument<'py>>,
        depth: Option<&Argument<'py>>,
        stop: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (limits, token) = (limits(nodes, seconds, depth)?, Token::read(stop)?);
        many::search(positions, &self.options, &limits, &token)
    }

    /// Clears the transposition table.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.clear_one(py, &self.five)?;
        self.clear_one(py, &self.six)
    }

    fn __repr__(&self) -> String {
        let Self { eval, options, .. } = self;
        let (hash_mib, threads) = (options.hash_mib, options.threads);
        format!("santorini.Engine({eval:?}, hash_mib={hash_mib}, threads={threads})")
    }
}
