//! Players of limited strength for Python.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::prelude::*;
use santorini::levels::{self, Handicap, Level, LevelElo};
use santorini::rules::{Cards, Position};
use santorini::search::EngineOptions;

use crate::argument::{self, Argument, Names, whole};
use crate::board::AnyBoard;
use crate::convert::{placement_names, read_cards, read_setup, wrong};
use crate::interruptible::{Token, lock_until, stoppable, stopped};

/// A player of limited strength, from level 1 (beginner) to full strength, for both
/// boards, with and without cards. It errs as people do, with plausible turns. The
/// same level, seed and position give the same turn unless time runs out. Ctrl-C ends
/// its search; the event passed as `stop` ends it with `Stopped`.
///
/// level: the level, 1 to `LevelPlayer.highest`.
/// seed: the seed of its random choices.
/// seconds: the maximum time for an answer; the highest level uses all of it.
///
/// >>> turn = LevelPlayer(3).turn(position)
#[pyclass(frozen, module = "santorini")]
pub struct LevelPlayer {
    level: Level,
    time: Duration,
    handicap: Handicap,
    five: Shared<5>,
    six: Shared<6>,
}

/// A player, created at its first answer. The players of several games share it.
type Shared<const N: usize> = Arc<Mutex<Option<levels::LevelPlayer<N>>>>;

/// The transposition table in MiB; a small one is enough.
const HASH_MIB: usize = 64;

impl LevelPlayer {
    fn with<const N: usize, T: Send>(
        &self,
        py: Python<'_>,
        token: &Token,
        player: &Shared<N>,
        work: impl FnOnce(&mut levels::LevelPlayer<N>, &AtomicBool) -> T + Send,
    ) -> PyResult<T> {
        let answer = stoppable(py, token, |stop| {
            let mut player = lock_until(player, stop)?;
            let options = EngineOptions {
                hash_mib: HASH_MIB,
                ..EngineOptions::default()
            };
            let make = || levels::LevelPlayer::new(self.handicap, options);
            let player = player.get_or_insert_with(make);
            player.reseed(self.handicap.seed);
            Some(work(player, stop))
        })?;
        answer.whole()?.ok_or_else(stopped)
    }

    fn turn_of<const N: usize>(
        &self,
        py: Python<'_>,
        token: &Token,
        player: &Shared<N>,
        position: &Position<N>,
    ) -> PyResult<String> {
        let turn = self.with(py, token, player, |player, stop| {
            player.turn(position, Some(self.time), stop)
        })?;
        let turn = turn.ok_or_else(|| wrong("position: there is no legal turn"))?;
        Ok(turn.text::<N>().to_string())
    }

    fn place_on<const N: usize>(
        &self,
        py: Python<'_>,
        token: &Token,
        player: &Shared<N>,
        cards: Cards,
        first: Option<&Argument<'_>>,
    ) -> PyResult<Names> {
        let setup = read_setup::<N>(cards, first)?;
        let placement = self.with(py, token, player, |player, stop| {
            player.place(&setup, Some(self.time), stop)
        })?;
        Ok(placement_names::<N>(placement))
    }
}

#[pymethods]
impl LevelPlayer {
    #[new]
    #[pyo3(signature = (level, seed=None, *, seconds=None),
        text_signature = "(level, seed=0, *, seconds=1.0)")]
    fn new(
        level: &Argument<'_>,
        seed: Option<&Argument<'_>>,
        seconds: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let number = whole("level", level, 1..=Level::HIGHEST.number())?;
        let level = Level::new(number).expect("the range is that of the levels");
        let time = seconds.map(|seconds| argument::seconds("seconds", seconds));
        Ok(Self {
            level,
            time: time.transpose()?.unwrap_or(Duration::from_secs(1)),
            handicap: Handicap {
                strength: level.strength(),
                seed: argument::seed("seed", seed)?,
            },
            five: Shared::default(),
            six: Shared::default(),
        })
    }

    /// The same player with another seed. They share their memory.
    fn _seeded(&self, seed: &Argument<'_>) -> PyResult<Self> {
        let seed = argument::seed("seed", Some(seed))?;
        Ok(Self {
            handicap: Handicap {
                seed,
                ..self.handicap
            },
            five: Arc::clone(&self.five),
            six: Arc::clone(&self.six),
            ..*self
        })
    }

    /// The level.
    #[getter]
    const fn level(&self) -> u8 {
        self.level.number()
    }

    /// The seed of its choices.
    #[getter]
    const fn seed(&self) -> u64 {
        self.handicap.seed
    }

    /// The maximum time for an answer.
    #[getter]
    fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }

    /// The highest level, which plays at full strength.
    #[classattr]
    #[pyo3(name = "highest")]
    const HIGHEST: u8 = Level::HIGHEST.number();

    /// The engine and the levels with which `elo` was measured.
    #[classattr]
    #[pyo3(name = "measured_with")]
    const MEASURED_WITH: &'static str = levels::MEASURED_WITH;

    /// Its Elo above level 1 in the base game, measured in matches.
    #[getter]
    fn elo(&self) -> i64 {
        self.level.elo().elo.round() as i64
    }

    /// The 95% interval of `elo`.
    #[getter]
    fn elo_interval(&self) -> (i64, i64) {
        let LevelElo { elo, error } = self.level.elo();
        ((elo - error).round() as i64, (elo + error).round() as i64)
    }

    /// A short description of the level.
    #[getter]
    const fn about(&self) -> &'static str {
        self.level.about()
    }

    /// The turn the player chooses.
    #[pyo3(signature = (position, *, stop=None))]
    fn turn(
        &self,
        py: Python<'_>,
        position: &Argument<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<String> {
        let position = argument::position("position", position)?;
        let token = Token::read(stop)?;
        position.check_unfinished("position")?;
        match &position.0 {
            AnyBoard::Five(board) => self.turn_of(py, &token, &self.five, &board.position),
            AnyBoard::Six(board) => self.turn_of(py, &token, &self.six, &board.position),
        }
    }

    /// The spaces where the player places its workers, see `Engine.place`.
    #[pyo3(signature = (first=None, cards=None, size=None, *, stop=None),
        text_signature = "($self, first=None, cards=None, size=5, *, stop=None)")]
    fn place(
        &self,
        py: Python<'_>,
        first: Option<&Argument<'_>>,
        cards: Option<&Argument<'_>>,
        size: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Names> {
        let (cards, token) = (read_cards(cards)?, Token::read(stop)?);
        match argument::size(size)? {
            6 => self.place_on(py, &token, &self.six, cards, first),
            _ => self.place_on(py, &token, &self.five, cards, first),
        }
    }

    fn __repr__(&self) -> String {
        let (level, seed) = (self.level, self.handicap.seed);
        format!(
            "santorini.LevelPlayer({level}, {seed}, seconds={})",
            self.time.as_secs_f64()
        )
    }
}
