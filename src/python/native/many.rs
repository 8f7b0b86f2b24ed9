//! Evaluations and searches of many positions at once, shared by threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use numpy::PyArray1;
use pyo3::prelude::*;
use santorini::mutex::MutexExt as _;
use santorini::review::chance;
use santorini::rules::Position;
use santorini::search::{Engine, EngineOptions, Limits};
use santorini::{at_size, memory};

use crate::action::encode;
use crate::argument::{self, Argument};
use crate::array::{filled, list_array};
use crate::batch::{Batch, run};
use crate::board::AnyBoard;
use crate::interruptible::Token;
use crate::saved::Games;
use crate::stages::{BatchError, room};

/// The positions that a thread takes at a time. A search takes far longer than taking one.
const EVALUATED_AT_ONCE: usize = 256;
const SEARCHED_AT_ONCE: usize = 1;

/// Many positions: a batch or a list.
enum Positions<'a> {
    Batch(&'a Games),
    List(Vec<Option<AnyBoard>>),
}

impl Positions<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Batch(games) => at_size!(games, games => games.slots.len()),
            Self::List(boards) => boards.len(),
        }
    }

    /// A position; `None` until all workers are placed.
    fn at(&self, index: usize) -> Option<AnyBoard> {
        match self {
            Self::Batch(games) => at_size!(games, games => {
                games.slots[index].stage.board().map(Into::into)
            }),
            Self::List(boards) => boards[index],
        }
    }
}

/// Calls `work` with the positions of an argument.
fn with_positions<T>(
    name: &str,
    given: &Argument<'_>,
    right: &str,
    work: impl FnOnce(&Positions<'_>) -> PyResult<T>,
) -> PyResult<T> {
    if let Ok(batch) = given.cast::<Batch>() {
        return work(&Positions::Batch(&*batch.get().read()?));
    }
    let board = |name: &str, item: &Argument<'_>| match item.is_none() {
        true => Ok(None),
        false => Ok(Some(argument::position(name, item)?.0)),
    };
    let boards = argument::list(name, given, right, board)?;
    work(&Positions::List(boards))
}

/// Fills `results` by calls of `fill` with their indices on this many threads, as far as
/// memory allows. Each thread has its own state and takes `at_once` results at a time.
fn share<T: Send, S>(
    threads: usize,
    results: &mut [T],
    at_once: usize,
    stop: &AtomicBool,
    new: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut T) + Sync,
) -> Result<(), BatchError> {
    let most = results.len().div_ceil(at_once).min(threads);
    let chunks = Mutex::new(results.chunks_mut(at_once).enumerate());
    let next = || chunks.locked().next();
    let is_stopped = || stop.load(Ordering::Relaxed);
    let work = || {
        let mut state = new();
        while !is_stopped()
            && let Some((number, chunk)) = next()
        {
            for (index, result) in chunk.iter_mut().enumerate() {
                if is_stopped() {
                    break;
                }
                fill(&mut state, number * at_once + index, result);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..memory::threads(most.saturating_sub(1)) {
            // The threads that there are do all of the work.
            if (thread::Builder::new().spawn_scoped(scope, work)).is_err() {
                break;
            }
        }
        work();
    });
    if is_stopped() {
        return Err(BatchError::Stopped);
    }
    Ok(())
}

/// The static evaluation of one position.
pub fn evaluate_one(options: &EngineOptions, board: &AnyBoard) -> i32 {
    at_size!(board, board => options.eval.value(&board.position))
}

/// The static evaluations of many positions.
pub fn evaluate<'py>(
    given: &Argument<'py>,
    options: &EngineOptions,
    token: &Token,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let py = given.py();
    let right = "a Position, a Batch or a list of positions";
    with_positions("position", given, right, |positions| {
        let count = positions.len();
        filled(py, None, &[count], |values| {
            let evaluate = |(): &mut (), index, result: &mut f32| {
                let value = positions
                    .at(index)
                    .map(|board| evaluate_one(options, &board));
                *result = value.map_or(f32::NAN, |value| value as f32);
            };
            run(py, token, count, false, |stop| {
                share(
                    options.threads,
                    values,
                    EVALUATED_AT_ONCE,
                    stop,
                    || (),
                    evaluate,
                )
            })
        })
    })
}

/// The result of the search of one position.
#[derive(Clone, Copy)]
struct Label {
    /// The best action; -1 if there is none.
    action: i64,
    /// NaN if there is no action.
    score: f32,
    chance: f32,
    depth: i64,
    nodes: i64,
}

impl Label {
    const NONE: Self = Self {
        action: -1,
        score: f32::NAN,
        chance: f32::NAN,
        depth: 0,
        nodes: 0,
    };
}

/// The result of a search that knows nothing of earlier ones.
fn label<const N: usize>(
    engine: &mut Engine<N>,
    position: &Position<N>,
    limits: &Limits,
    stop: &AtomicBool,
) -> Label {
    engine.clear();
    let report = engine.search(position, limits, stop, &mut |_| {});
    let report = engine.scored(report, position);
    let best = report.lines.first();
    let Some((line, &turn)) = best.and_then(|line| Some((line, line.turns.first()?))) else {
        return Label::NONE;
    };
    Label {
        action: encode(position, turn) as i64,
        score: line.score as f32,
        chance: chance(position, line.score) as f32,
        depth: report.depth.into(),
        nodes: report.nodes as i64,
    }
}

/// Searches many positions, each on one thread and with an empty table.
pub fn search<'py>(
    given: &Argument<'py>,
    options: &EngineOptions,
    limits: &Limits,
    token: &Token,
) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let alone = EngineOptions {
        threads: 1,
        ..*options
    };
    let right = "a Batch or a list of positions";
    with_positions("positions", given, right, |positions| {
        let count = positions.len();
        let labels = run(py, token, count, true, |stop| {
            let mut labels = room(count)?;
            labels.resize(count, Label::NONE);
            // Each thread has an engine for each board size.
            let new = || (None, None);
            let is_unfinished = |board: &AnyBoard| !at_size!(board, board => board.is_over());
            let search = |(five, six): &mut (Option<_>, Option<_>), index, result: &mut Label| {
                *result = match positions.at(index).filter(is_unfinished) {
                    Some(AnyBoard::Five(board)) => {
                        let engine = five.get_or_insert_with(|| Engine::new(alone));
                        label(engine, &board.position, limits, stop)
                    }
                    Some(AnyBoard::Six(board)) => {
                        let engine = six.get_or_insert_with(|| Engine::new(alone));
                        label(engine, &board.position, limits, stop)
                    }
                    None => Label::NONE,
                }
            };
            share(
                options.threads,
                &mut labels,
                SEARCHED_AT_ONCE,
                stop,
                new,
                search,
            )?;
            Ok(labels)
        })?;
        write(py, &labels)
    })
}

/// The arrays of labels, as a `Labels` of Python.
fn write<'py>(py: Python<'py>, labels: &[Label]) -> PyResult<Bound<'py, PyAny>> {
    let arrays = (
        list_array(py, labels.iter().map(|label| label.action))?,
        list_array(py, labels.iter().map(|label| label.score))?,
        list_array(py, labels.iter().map(|label| label.chance))?,
        list_array(py, labels.iter().map(|label| label.depth))?,
        list_array(py, labels.iter().map(|label| label.nodes))?,
    );
    py.import("santorini._labels")?
        .getattr("Labels")?
        .call1(arrays)
}
