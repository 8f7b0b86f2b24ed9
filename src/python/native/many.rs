//! Evaluations and searches of many positions at once, shared by threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use numpy::{Element, Ix1, PyArray1};
use pyo3::prelude::*;
use santorini::mutex::MutexExt as _;
use santorini::review::chance;
use santorini::rules::{AnyPosition, AnySize, Position};
use santorini::search::{Engine, EngineOptions, Limits};
use santorini::{at_size, memory};

use crate::action::encode;
use crate::argument::{self, Argument};
use crate::array::{Values, output};
use crate::batch::Batch;
use crate::batch_options::{FEW, run};
use crate::board::AnyBoard;
use crate::interruptible::Token;
use crate::saved::Games;
use crate::stage::Stage;
use crate::stages::{Undone, room};

/// The positions that a thread takes at a time. A search takes far longer than taking one.
const EVALUATED_AT_ONCE: usize = 256;
const SEARCHED_AT_ONCE: usize = 1;

/// Many positions: those of a batch, or a list.
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
    fn at(&self, index: usize) -> Option<AnyPosition> {
        match self {
            Self::Batch(games) => at_size!(games, games => {
                Some(games.slots[index].stage.board()?.position.into())
            }),
            Self::List(boards) => {
                Some(at_size!(boards[index].as_ref()?, board => board.position.into()))
            }
        }
    }

    /// A position in which the game is not over.
    fn unfinished_at(&self, index: usize) -> Option<AnyPosition> {
        let is_over = match self {
            Self::Batch(games) => at_size!(games, games => {
                matches!(games.slots[index].stage, Stage::Over(_))
            }),
            Self::List(boards) => at_size!(boards[index].as_ref()?, board => {
                board.is_won() || !board.position.has_turn()
            }),
        };
        self.at(index).filter(|_| !is_over)
    }
}

/// Calls `work` with the positions of an argument.
fn with_positions<T>(
    (name, given, right): (&str, &Argument<'_>, &str),
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
/// memory allows. Each thread has its own state.
fn share<T: Send, S>(
    threads: usize,
    (results, at_once): (&mut [T], usize),
    stop: &AtomicBool,
    new: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut T) + Sync,
) -> Result<(), Undone> {
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
        return Err(Undone::Stopped);
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
    with_positions(("position", given, right), |positions| {
        let count = positions.len();
        let out = output::<f32, Ix1>(py, None, &[count])?;
        let mut values = Values::of(&out)?;
        let results = (values.slice()?, EVALUATED_AT_ONCE);
        let value = |index| {
            let position = positions.at(index)?;
            Some(at_size!(&position, position => options.eval.value(position)))
        };
        run(py, token, (count, count > FEW), |stop| {
            share(
                options.threads,
                results,
                stop,
                || (),
                |(), index, result| {
                    *result = value(index).map_or(f32::NAN, |value| value as f32);
                },
            )
        })?;
        Ok(out)
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

/// The engines of one thread, one for each size of boards.
struct Engines {
    options: EngineOptions,
    five: Option<Engine<5>>,
    six: Option<Engine<6>>,
}

impl Engines {
    const fn new(options: EngineOptions) -> Self {
        Self {
            options,
            five: None,
            six: None,
        }
    }

    fn label(&mut self, position: &AnyPosition, limits: &Limits, stop: &AtomicBool) -> Label {
        match position {
            AnySize::Five(position) => {
                let new = || Engine::new(self.options);
                let engine = self.five.get_or_insert_with(new);
                label(engine, position, limits, stop)
            }
            AnySize::Six(position) => {
                let new = || Engine::new(self.options);
                let engine = self.six.get_or_insert_with(new);
                label(engine, position, limits, stop)
            }
        }
    }
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
    with_positions(("positions", given, right), |positions| {
        let count = positions.len();
        let labels = run(py, token, (count, true), |stop| {
            let mut labels = room(count)?;
            labels.resize(count, Label::NONE);
            let results = (&mut labels[..], SEARCHED_AT_ONCE);
            let new = || Engines::new(alone);
            share(
                options.threads,
                results,
                stop,
                new,
                |engines, index, result| {
                    if let Some(position) = positions.unfinished_at(index) {
                        *result = engines.label(&position, limits, stop);
                    }
                },
            )?;
            Ok(labels)
        })?;
        write(py, &labels)
    })
}

/// The arrays of labels, as a `Labels` of Python.
fn write<'py>(py: Python<'py>, labels: &[Label]) -> PyResult<Bound<'py, PyAny>> {
    let arrays = (
        column(py, labels, |label| label.action)?,
        column(py, labels, |label| label.score)?,
        column(py, labels, |label| label.chance)?,
        column(py, labels, |label| label.depth)?,
        column(py, labels, |label| label.nodes)?,
    );
    py.import("santorini._labels")?
        .getattr("Labels")?
        .call1(arrays)
}

fn column<'py, T: Element>(
    py: Python<'py>,
    labels: &[Label],
    value: impl Fn(&Label) -> T,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    let out = output::<T, Ix1>(py, None, &[labels.len()])?;
    let mut values = Values::of(&out)?;
    (values.slice()?.iter_mut().zip(labels)).for_each(|(result, label)| *result = value(label));
    Ok(out)
}
