//! Players at a level of strength as Python sees them.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use santorini::levels::{self, Handicap, Level};
use santorini::rules::{Cards, Position};
use santorini::search::EngineOptions;

use crate::board::AnyBoard;
use crate::convert::{Names, placement_names, read_cards, read_setup, wrong, wrong_size};
use crate::engine::duration;
use crate::position;

/// A player at a level of strength, from 1, a beginner, to 10, full strength; on both
/// boards, with and without cards. It errs as people do, by plausible turns. The same
/// level, seed and position give the same turn, unless the time is over sooner.
///
/// level: the level, 1 to 10.
/// seed: that of its choices.
/// seconds: the most time for an answer; level 10 takes all of it.
///
/// >>> LevelPlayer(3).turn(position)
#[pyclass(frozen, module = "santorini")]
pub struct LevelPlayer {
    level: Level,
    seconds: f64,
    time: Duration,
    handicap: Handicap,
    five: Mutex<Option<levels::LevelPlayer<5>>>,
    six: Mutex<Option<levels::LevelPlayer<6>>>,
}

/// The table of a player that has no need of a large one.
const OPTIONS: fn() -> EngineOptions = || EngineOptions {
    hash_mib: 64,
    ..EngineOptions::default()
};

impl LevelPlayer {
    fn with<const N: usize, T: Send>(
        &self,
        py: Python<'_>,
        player: &Mutex<Option<levels::LevelPlayer<N>>>,
        work: impl FnOnce(&mut levels::LevelPlayer<N>, &AtomicBool) -> T + Send,
    ) -> T {
        py.detach(|| {
            let mut player = player.lock().unwrap_or_else(PoisonError::into_inner);
            let make = || levels::LevelPlayer::new(self.handicap, OPTIONS());
            work(player.get_or_insert_with(make), &AtomicBool::new(false))
        })
    }

    fn turn_of<const N: usize>(
        &self,
        py: Python<'_>,
        player: &Mutex<Option<levels::LevelPlayer<N>>>,
        position: &Position<N>,
    ) -> Option<String> {
        let turn = self.with(py, player, |player, stop| {
            player.turn(position, Some(self.time), stop)
        });
        Some(turn?.text::<N>().to_string())
    }

    fn place_on<const N: usize>(
        &self,
        py: Python<'_>,
        player: &Mutex<Option<levels::LevelPlayer<N>>>,
        cards: Cards,
        first: Option<&Names>,
    ) -> PyResult<Names> {
        let setup = read_setup::<N>(cards, first)?;
        let placement = self.with(py, player, |player, stop| {
            player.place(&setup, Some(self.time), stop)
        });
        Ok(placement_names::<N>(placement))
    }
}

#[pymethods]
impl LevelPlayer {
    #[new]
    #[pyo3(signature = (level, seed=0, *, seconds=1.0))]
    fn new(level: u8, seed: u64, seconds: f64) -> PyResult<Self> {
        let none = || wrong(format!("level {level}; levels are 1, a beginner, to 10"));
        let level = Level::new(level).ok_or_else(none)?;
        Ok(Self {
            level,
            seconds,
            time: duration(seconds)?,
            handicap: Handicap {
                strength: level.strength(),
                seed,
            },
            five: Mutex::new(None),
            six: Mutex::new(None),
        })
    }

    /// The level.
    #[getter]
    const fn level(&self) -> u8 {
        self.level.number()
    }

    /// Its Elo above level 1 in the base game, measured in matches.
    #[getter]
    fn elo(&self) -> u32 {
        self.level.elo()
    }

    /// What it is like, in some words.
    #[getter]
    const fn about(&self) -> &'static str {
        self.level.about()
    }

    /// The turn that it plays.
    fn turn(&self, py: Python<'_>, position: position::Position) -> PyResult<String> {
        let over = || wrong(format!("the game is over: {}", position.text()));
        if position.is_finished() {
            return Err(over());
        }
        let turn = match &position.0 {
            AnyBoard::Five(board) => self.turn_of(py, &self.five, &board.position),
            AnyBoard::Six(board) => self.turn_of(py, &self.six, &board.position),
        };
        turn.ok_or_else(over)
    }

    /// Where it places its workers, see `Engine.place`.
    #[pyo3(signature = (first=None, cards=None, size=5))]
    fn place(
        &self,
        py: Python<'_>,
        first: Option<Names>,
        cards: Option<Names>,
        size: usize,
    ) -> PyResult<Names> {
        let cards = read_cards(cards)?;
        match size {
            5 => self.place_on(py, &self.five, cards, first.as_ref()),
            6 => self.place_on(py, &self.six, cards, first.as_ref()),
            _ => Err(wrong_size(size)),
        }
    }

    fn __repr__(&self) -> String {
        let (level, seed) = (self.level, self.handicap.seed);
        format!(
            "santorini.LevelPlayer({level}, {seed}, seconds={})",
            self.seconds
        )
    }
}
