//! The opponent of the person at the keyboard.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::levels::{Handicap, Level, LevelPlayer};
use crate::program::{Player, Termination};
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

/// Stops a program after a fault. Returns the description of the fault, with the program's
/// standard error.
fn fault(player: &mut Player, ending: &Termination) -> String {
    let evidence = player.evidence();
    player.stop();
    ending.message(player.name()) + &evidence.stderr_text()
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
    /// The description of a program's fault. The program can be asked again.
    pub(crate) fn turn(
        &mut self,
        position: &Position<N>,
        stop: &AtomicBool,
    ) -> Result<Option<Turn>, String> {
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
                turn.map(Some).map_err(|ending| fault(player, &ending))
            }
        }
    }

    /// The opponent's placement; `None` without an opponent. As the second player it gets
    /// `first`, the first player's workers. The cards are its own and the other player's.
    ///
    /// # Errors
    /// The description of a program's fault.
    pub(crate) fn place(
        &mut self,
        cards: Cards,
        first: Option<Placement>,
        stop: &AtomicBool,
    ) -> Result<Option<Placement>, String> {
        match self {
            Self::Nobody => Ok(None),
            Self::Engine(engine, time) => {
                let (setup, limits) = (Setup::new(cards, first), Limits::time(*time));
                Ok(Some(engine.place(&setup, &limits, stop, &mut |_| {})))
            }
            Self::Level(player, _, time) => {
                let setup = Setup::new(cards, first);
                Ok(Some(player.place(&setup, Some(*time), stop)))
            }
            Self::Program(player) => {
                let first = first.map(|first| first.map(other_size::<N, 5>));
                let placed = (player.start(stop)).and_then(|()| player.place(cards, first, stop));
                let placed = placed.map_err(|ending| fault(player, &ending))?;
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
