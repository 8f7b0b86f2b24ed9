//! The search as Python sees it.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use santorini::at_size;
use santorini::eval::{EvalKind, Evaluator, Weighted};
use santorini::files::read_file;
use santorini::review::{review, review_json};
use santorini::rules::{self, Placement};
use santorini::search::{self, EngineOptions, Limits};
use serde_json::Value;

use crate::board::AnyBoard;
use crate::convert::{
    Names, placement_names, read_cards, read_setup, write_json, wrong, wrong_size,
};
use crate::game::Game;
use crate::interruptible::interruptible;
use crate::position::Position;
use crate::report::Report;

/// The largest table, in mebibytes, and the most threads.
const MOST_HASH: usize = 1 << 20;
const MOST_THREADS: usize = 1024;

/// The search. It keeps what it has found for the next searches; with one thread
/// and limits by nodes or depth a new engine gives the same results every time.
///
/// Python's lock is not held while it searches, and Ctrl-C ends a search. Calls from
/// several threads wait for each other: use an engine for each thread.
///
/// eval: the evaluation: "network", "tuned", "paper", or the path of a file of
///     `santorini train`.
/// hash_mib: the size of its table in MiB.
/// threads: the threads of a search.
#[pyclass(frozen, module = "santorini")]
pub struct Engine {
    options: EngineOptions,
    five: Mutex<Option<search::Engine<5>>>,
    six: Mutex<Option<search::Engine<6>>>,
}

/// Limits as Python passes them.
fn limits(nodes: Option<u64>, seconds: Option<f64>, depth: Option<u32>) -> PyResult<Limits> {
    if nodes.is_none() && seconds.is_none() && depth.is_none() {
        return Err(wrong("how long to search? pass nodes=, seconds= or depth="));
    }
    Ok(Limits {
        nodes,
        depth,
        time: seconds.map(duration).transpose()?,
        may_end_early: false,
    })
}

/// The longest time for an answer, in seconds: a clock has room for it.
const MOST_SECONDS: f64 = 1e9;

pub fn duration(seconds: f64) -> PyResult<Duration> {
    let possible = Some(seconds).filter(|seconds| *seconds > 0.0 && *seconds <= MOST_SECONDS);
    let time = possible.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let why = || format!("{seconds} seconds; a time is greater than 0 and at most {MOST_SECONDS}");
    time.ok_or_else(|| wrong(why()))
}

/// Does `work` with the engine, see [`interruptible`].
fn run<const N: usize, M: Send, T: Send>(
    py: Python<'_>,
    engine: &Mutex<Option<search::Engine<N>>>,
    options: EngineOptions,
    work: impl FnOnce(&mut search::Engine<N>, &AtomicBool, &mut dyn FnMut(M)) -> T + Send,
    heard: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    let work = |stop: &AtomicBool, send: &mut dyn FnMut(M)| {
        let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = engine.get_or_insert_with(|| search::Engine::new(options));
        work(engine, stop, send)
    };
    interruptible(py, work, heard)
}

fn static_value<const N: usize>(eval: EvalKind, position: &rules::Position<N>) -> i32 {
    match eval {
        EvalKind::Network(networks) => networks.for_position(position).evaluate(position),
        EvalKind::Weighted(weights) => Weighted(weights).evaluate(position),
    }
}

impl Engine {
    fn search<const N: usize>(
        &self,
        py: Python<'_>,
        engine: &Mutex<Option<search::Engine<N>>>,
        position: &rules::Position<N>,
        extent: (usize, Limits),
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        let (lines, limits) = extent;
        let callback = callback.map(|callback| callback.clone().unbind());
        let shows = callback.is_some();
        let report = run(
            py,
            engine,
            self.options,
            |engine, stop, send| {
                engine.search_lines(position, lines, &limits, stop, &mut |report| {
                    if shows {
                        send(Report::of(position, report));
                    }
                })
            },
            |py, report: Report| match &callback {
                Some(callback) => callback.call1(py, (report,)).map(drop),
                None => Ok(()),
            },
        )?;
        Ok(Report::of(position, &report))
    }

    fn place_with<const N: usize>(
        &self,
        py: Python<'_>,
        engine: &Mutex<Option<search::Engine<N>>>,
        cards: rules::Cards,
        first: Option<&Names>,
        time: Duration,
    ) -> PyResult<Names> {
        let setup = read_setup::<N>(cards, first)?;
        let place = |engine: &mut search::Engine<N>, stop: &AtomicBool, _: &mut dyn FnMut(())| {
            engine.place(&setup, time, stop, &mut |_| {})
        };
        let placement: Placement = run(py, engine, self.options, place, |_, ()| Ok(()))?;
        Ok(placement_names::<N>(placement))
    }
}

impl Engine {
    fn review_with<const N: usize>(
        &self,
        py: Python<'_>,
        engine: &Mutex<Option<search::Engine<N>>>,
        game: &Game,
        nodes: u64,
    ) -> PyResult<Value> {
        let replay = game.0.replay::<N>().map_err(wrong)?;
        let (start, limits) = (replay.positions[0], Limits::nodes(nodes));
        let work = |engine: &mut search::Engine<N>, stop: &AtomicBool, _: &mut dyn FnMut(())| {
            review(&start, &replay.turns, engine, &limits, stop, &mut |_, _| {})
        };
        let review = run(py, engine, self.options, work, |_, ()| Ok(()))?;
        let review = review.ok_or_else(|| wrong("the review was stopped"))?;
        Ok(review_json(&review, &game.0.players))
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (eval="network", *, hash_mib=64, threads=1))]
    fn new(eval: &str, hash_mib: usize, threads: usize) -> PyResult<Self> {
        if !(1..=MOST_HASH).contains(&hash_mib) {
            return Err(wrong(format!(
                "hash_mib is {hash_mib}; it is 1 to {MOST_HASH}"
            )));
        }
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(wrong(format!(
                "threads is {threads}; it is 1 to {MOST_THREADS}"
            )));
        }
        let options = EngineOptions {
            hash_mib,
            threads,
            eval: EvalKind::named(eval, read_file).map_err(wrong)?,
            ..EngineOptions::default()
        };
        Ok(Self {
            options,
            five: Mutex::new(None),
            six: Mutex::new(None),
        })
    }

    /// Searches for the best turn until a limit is reached, or the result is
    /// proved. At least one limit must be passed. Raises ValueError if the game is
    /// over.
    #[pyo3(signature = (position, *, nodes=None, seconds=None, depth=None))]
    fn best(
        &self,
        py: Python<'_>,
        position: Position,
        nodes: Option<u64>,
        seconds: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Report> {
        self.analyze(py, position, 1, nodes, seconds, depth, None)
    }

    /// The same for the best turns, `lines` of them. `callback` is called after
    /// each iteration; an exception that it raises ends the search.
    #[pyo3(signature = (position, lines=3, *, nodes=None, seconds=None, depth=None, callback=None))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn analyze(
        &self,
        py: Python<'_>,
        position: Position,
        lines: usize,
        nodes: Option<u64>,
        seconds: Option<f64>,
        depth: Option<u32>,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        let extent = (lines.max(1), limits(nodes, seconds, depth)?);
        if position.is_finished() {
            return Err(wrong(format!("the game is over: {}", position.text())));
        }
        match &position.0 {
            AnyBoard::Five(board) => self.search(py, &self.five, &board.position, extent, callback),
            AnyBoard::Six(board) => self.search(py, &self.six, &board.position, extent, callback),
        }
    }

    /// Reviews a game: each turn beside the best one, by the chance of winning that
    /// it gave away. Every position is searched for `nodes` nodes. Gives a
    /// dictionary: `chances` of player 0 at the start and after each turn, `turns` with
    /// the `judgement` ("best", "good", "inaccuracy", "mistake" or "blunder"), what it
    /// `lost`, the `best` turn and its `line`, and a `summary` for both players.
    #[pyo3(signature = (game, *, nodes=20_000))]
    fn review<'py>(&self, py: Python<'py>, game: &Game, nodes: u64) -> PyResult<Bound<'py, PyAny>> {
        let review = match game.0.size() {
            Some(6) => self.review_with::<6>(py, &self.six, game, nodes),
            _ => self.review_with::<5>(py, &self.five, game, nodes),
        };
        write_json(py, &review?)
    }

    /// Where to place the own workers: as the first player, or, if the workers of
    /// the `first` stand already, as the second. `cards` are the own one and that of
    /// the other player.
    #[pyo3(signature = (first=None, cards=None, size=5, *, seconds=1.0))]
    fn place(
        &self,
        py: Python<'_>,
        first: Option<Names>,
        cards: Option<Names>,
        size: usize,
        seconds: f64,
    ) -> PyResult<Names> {
        let (cards, time) = (read_cards(cards)?, duration(seconds)?);
        match size {
            5 => self.place_with(py, &self.five, cards, first.as_ref(), time),
            6 => self.place_with(py, &self.six, cards, first.as_ref(), time),
            _ => Err(wrong_size(size)),
        }
    }

    /// The value of a position for the player to move, without any search, in
    /// hundredths of a level. It means little where a turn wins at once.
    fn evaluate(&self, position: Position) -> i32 {
        at_size!(&position.0, board => static_value(self.options.eval, &board.position))
    }

    /// Forgets all earlier searches.
    fn clear(&self, py: Python<'_>) {
        fn clear<const N: usize>(engine: &Mutex<Option<search::Engine<N>>>) {
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(engine) = engine.as_mut() {
                engine.clear();
            }
        }
        py.detach(|| {
            clear(&self.five);
            clear(&self.six);
        });
    }
}
