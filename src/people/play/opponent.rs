//! The opponent of the person at the keyboard.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::levels::{Handicap, Level, LevelPlayer};
use crate::program::{Evidence, Player, Termination};
use crate::rules::{Cards, Placement, Position, Setup, Square, Turn};
use crate::search::{Engine, EngineOptions, Limits};

/// An opponent.
pub(crate) enum Opponent<const N: usize> {
    /// The person plays both sides.
    Nobody,
    /// The built-in player, with its time for an answer.
    Engine(Box<Engine<N>>, Duration),
    /// The built-in player at a level, with its name and maximum time for an answer.
    Level(Box<LevelPlayer<N>>, String, Duration),
    /// A player program.
    Program(Box<Player>),
}

/// The fault of a player program.
pub(crate) struct OpponentFault {
    ending: Box<Termination>,
    evidence: Evidence,
}

impl OpponentFault {
    /// Stops a program after a fault.
    fn of(player: &mut Player, ending: Termination) -> Self {
        let evidence = player.evidence();
        player.stop();
        let ending = Box::new(ending);
        Self { ending, evidence }
    }

    /// The description of the fault, with the program's standard error.
    pub(crate) fn message(&self, name: &str) -> String {
        self.ending.message(name) + &self.evidence.stderr_text()
    }
}

impl<const N: usize> Opponent<N> {
    /// The built-in player at full strength.
    pub(crate) fn engine(time: Duration) -> Self {
        Self::Engine(Box::new(Engine::new(EngineOptions::default())), time)
    }

    /// The built-in player at a level of strength.
    pub(crate) fn level(level: Level, handicap: Handicap, time: Duration) -> Self {
        let player = LevelPlayer::new(handicap, EngineOptions::default());
        Self::Level(Box::new(player), format!("level {level}"), time)
    }

    /// The opponent's name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Nobody => "you",
            Self::Engine(..) => "engine",
            Self::Level(_, name, _) => name,
            Self::Program(player) => player.name(),
        }
    }

    /// Whether there is an opponent.
    pub(crate) const fn plays(&self) -> bool {
        !matches!(self, Self::Nobody)
    }

    /// The opponent's turn; `None` if there is no legal turn or no opponent. The board
    /// must not be won.
    ///
    /// # Errors
    /// A program's fault. It can be asked again.
    pub(crate) fn turn(
        &mut self,
        position: &Position<N>,
        stop: &AtomicBool,
    ) -> Result<Option<Turn>, OpponentFault> {
        match self {
            Self::Nobody => Ok(None),
            Self::Engine(engine, time) => {
                let limits = Limits::time(*time);
                Ok(engine.search(position, &limits, stop, &mut |_| {}).turn())
            }
            Self::Level(player, _, time) => Ok(player.turn(position, Some(*time), stop)),
            Self::Program(player) => {
                let turn = player
                    .start(stop)
                    .and_then(|()| player.turn(position, stop));
                turn.map(Some)
                    .map_err(|ending| OpponentFault::of(player, ending))
            }
        }
    }

    /// The opponent's placement; `None` without an opponent. As the second player it gets
    /// `first`, the first player's workers. The cards are its own and the other player's.
    ///
    /// # Errors
    /// A program's fault.
    pub(crate) fn place(
        &mut self,
        cards: Cards,
        first: Option<Placement>,
        stop: &AtomicBool,
    ) -> Result<Option<Placement>, OpponentFault> {
        match self {
            Self::Nobody => Ok(None),
            Self::Engine(engine, time) => {
                let (setup, limits) = (Setup::new(cards, first), Limits::time(*time));
                Ok(Some(engine.place(&setup, &limits, stop, &mut |_| {})))
            }
            Self::Level(player, _, time) => Ok(Some(player.place(
                &Setup::new(cards, first),
                Some(*time),
                stop,
            ))),
            Self::Program(player) => {
                let first = first.map(|first| first.map(other_size::<N, 5>));
                let placed = (player.start(stop)).and_then(|()| player.place(cards, first, stop));
                let placed = placed.map_err(|ending| OpponentFault::of(player, ending))?;
                Ok(Some(placed.map(other_size::<5, N>)))
            }
        }
    }
}

/// Converts a square to another board size. Programs play only on 5x5, so the sizes are
/// always equal.
fn other_size<const FROM: usize, const TO: usize>(square: Square) -> Square {
    Square::at::<TO>(square.row::<FROM>(), square.column::<FROM>())
}
