//! Who plays against the person at the keyboard.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::levels::{Handicap, Level, LevelPlayer};
use crate::program::{Evidence, Player, Termination};
use crate::rules::{Cards, Position, Square, Turn};
use crate::rules::{Placement, Setup};
use crate::search::{Engine, EngineOptions, Limits};

/// Another player.
pub enum Opponent<const N: usize> {
    /// The person plays both sides.
    Nobody,
    /// The built-in player, with the time for an answer.
    Engine(Box<Engine<N>>, Duration),
    /// The built-in player at a level, with its name and the most time for an answer.
    Level(Box<LevelPlayer<N>>, String, Duration),
    /// A player program.
    Program(Box<Player>),
}

/// What a program did wrong instead of an answer.
pub struct Fault {
    ending: Termination,
    evidence: Evidence,
}

impl Fault {
    /// Ends a program that has done something wrong.
    fn of(player: &mut Player, ending: Termination) -> Self {
        let evidence = player.evidence();
        player.stop();
        Self { ending, evidence }
    }

    /// Its description, and what the program wrote to its standard error.
    pub fn message(&self, name: &str) -> String {
        self.ending.message(name) + &self.evidence.stderr_text()
    }
}

impl<const N: usize> Opponent<N> {
    /// The built-in player.
    pub fn engine(time: Duration) -> Self {
        Self::Engine(Box::new(Engine::new(EngineOptions::default())), time)
    }

    /// The built-in player at a level of strength.
    pub fn level(level: Level, handicap: Handicap, time: Duration) -> Self {
        let player = LevelPlayer::new(handicap, EngineOptions::default());
        Self::Level(Box::new(player), format!("level {level}"), time)
    }

    /// What the opponent is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Nobody => "you",
            Self::Engine(..) => "engine",
            Self::Level(_, name, _) => name,
            Self::Program(player) => player.name(),
        }
    }

    /// Whether there is an opponent.
    pub const fn plays(&self) -> bool {
        !matches!(self, Self::Nobody)
    }

    /// The turn it makes on the board, which must not be won; `None` if there
    /// is no legal turn, or nobody to make one.
    ///
    /// # Errors
    /// What a program did wrong. It can be asked again.
    pub fn turn(
        &mut self,
        position: &Position<N>,
        stop: &AtomicBool,
    ) -> Result<Option<Turn>, Fault> {
        match self {
            Self::Nobody => Ok(None),
            Self::Engine(engine, time) => {
                let limits = Limits::time(*time);
                Ok(engine.search(position, &limits, stop, &mut |_| {}).turn())
            }
            Self::Level(player, _, time) => Ok(player.turn(position, Some(*time), stop)),
            Self::Program(player) => {
                let turn = player.turn(position, stop);
                turn.map(Some).map_err(|ending| Fault::of(player, ending))
            }
        }
    }

    /// Where it places its workers; `first` stands already if it is the
    /// second player. The cards are its own and the other player's. `None` if
    /// nobody plays.
    ///
    /// # Errors
    /// What a program did wrong.
    pub fn place(
        &mut self,
        cards: Cards,
        first: Option<Placement>,
        stop: &AtomicBool,
    ) -> Result<Option<Placement>, Fault> {
        match self {
            Self::Nobody => Ok(None),
            Self::Engine(engine, time) => {
                let setup = setup_of(cards, first);
                Ok(Some(engine.place(&setup, *time, stop, &mut |_| {})))
            }
            Self::Level(player, _, time) => Ok(Some(player.place(
                &setup_of(cards, first),
                Some(*time),
                stop,
            ))),
            Self::Program(player) => {
                let first = first.map(|first| first.map(other_size::<N, 5>));
                let placed = player.place(cards, first, stop);
                let placed = placed.map_err(|ending| Fault::of(player, ending))?;
                Ok(Some(placed.map(other_size::<5, N>)))
            }
        }
    }
}

/// The task of placing workers; `first` stand already if the second player is
/// asked.
pub(super) fn setup_of(cards: Cards, first: Option<Placement>) -> Setup {
    match first {
        None => Setup::First { cards },
        Some(first) => Setup::Second { cards, first },
    }
}

/// The square of the same row and column on a board of another size. Player
/// programs play on 5x5 only, so the size is always the same.
fn other_size<const FROM: usize, const TO: usize>(square: Square) -> Square {
    Square::at::<TO>(square.row::<FROM>(), square.column::<FROM>())
}
