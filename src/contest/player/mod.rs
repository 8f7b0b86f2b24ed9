//! The player program: reads set-up arrays and boards, answers each.
//!
//! It keeps no state of any game: boards of different games may come in any
//! order, in either seat, with or without cards. Every input gets one line,
//! either an answer on the output or a reason on the errors.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is read and answered | `mod.rs` (here) |
//! | from when on the time for an answer counts | `arrival.rs` |
//! | how much of the time for an answer is kept back | `overhead.rs` |
//! | the searching thread | `thinker.rs` |
//! | what that tells the one that waits | `answers.rs` |

mod answers;
mod arrival;
mod overhead;
mod thinker;

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::levels::Handicap;
use crate::printable::printable;
use crate::protocol::exchange::{
    ExchangeError, KEYS, read_board, read_setup, write_board, write_setup,
};
use crate::protocol::stream::{BadInput, Framed, Framer, Location, ValueReader};
use crate::rules::{Placement, Position, Setup, Turn};
use crate::search::EngineOptions;
use arrival::Arrivals;
use thinker::Thinker;

/// How long the player takes for an answer when nothing else is said.
pub const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// How a player is set up.
#[derive(Clone, Copy, Debug)]
pub struct PlayerOptions {
    /// The time for an answer, from the arrival of the question to writing the answer.
    pub time: Duration,
    /// What of it is kept back for pipes and a busy machine; without it 10 ms and
    /// a tenth of the time, or more while the player is seen to wake up late.
    pub overhead: Option<Duration>,
    /// The nodes to search for a turn; without it what the time allows.
    pub nodes: Option<u64>,
    /// Whether to search in the opponent's time too.
    pub ponder: bool,
    /// A limit of its strength.
    pub handicap: Option<Handicap>,
    pub engine: EngineOptions,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            time: DEFAULT_TIME,
            overhead: None,
            nodes: None,
            ponder: false,
            handicap: None,
            engine: EngineOptions::default(),
        }
    }
}

/// Why an input has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    #[error(transparent)]
    Stream(#[from] BadInput),
    #[error("{0}: {1}")]
    Exchange(Location, ExchangeError),
    #[error("{0}: the game is over: a worker stands on level 3")]
    Won(Location),
    #[error("{0}: the game is over: the player to move cannot move and build")]
    NoTurn(Location),
}

/// Why the player stopped before the end of its input.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    #[error("standard input: {0}")]
    Input(io::Error),
    #[error("standard output: {0}")]
    Output(io::Error),
}

/// Finds a player's answers, in time for questions that arrived at `asked_at`.
pub trait Think {
    /// Where to place the workers.
    fn place(&mut self, setup: Setup, asked_at: Instant) -> Placement;

    /// The turn to play; `None` if there is none. Nobody has won yet.
    fn turn(&mut self, position: Position<5>, asked_at: Instant) -> Option<Turn>;
}

/// A player on the 5x5 board.
pub struct JsonPlayer<T = Thinker> {
    thinker: T,
    /// Whether the first question may have arrived when the thread started.
    is_asked_from_start: bool,
}

impl JsonPlayer {
    /// A player with the engine that has not been asked anything yet.
    pub fn new(options: PlayerOptions) -> Self {
        Self::with_thinker(Thinker::new(options))
    }

    /// The player of a program that does nothing else on its first thread: the time for
    /// the first answer counts from the start of the program.
    pub fn of_program(options: PlayerOptions) -> Self {
        Self {
            is_asked_from_start: true,
            ..Self::new(options)
        }
    }
}

impl<T: Think> JsonPlayer<T> {
    /// A player whose answers are found by `thinker`.
    pub const fn with_thinker(thinker: T) -> Self {
        Self {
            thinker,
            is_asked_from_start: false,
        }
    }

    /// Answers everything that `input` holds on `output`, and writes to
    /// `errors` why something has no answer. Returns whether everything had
    /// one.
    ///
    /// # Errors
    /// If the input cannot be read, or the output not be written, because nobody
    /// reads it any more for example.
    pub fn run(
        &mut self,
        input: impl Read,
        mut output: impl Write,
        mut errors: impl Write,
    ) -> Result<bool, PlayerError> {
        let mut reader = ValueReader::with_framer(input, Framer::with_keys(&KEYS));
        let mut all_answered = true;
        let mut arrivals = Arrivals::new(std::mem::take(&mut self.is_asked_from_start));
        while let Some(found) = reader.read().map_err(PlayerError::Input)? {
            let asked_at = arrivals.earliest();
            let answer = found
                .map_err(Unanswered::from)
                .and_then(|framed| self.answer(&framed, asked_at));
            match answer {
                Ok(answer) => {
                    send(&mut output, &answer).map_err(PlayerError::Output)?;
                    arrivals.answered();
                }
                Err(reason) => {
                    all_answered = false;
                    let reason = reason.to_string();
                    // If nobody listens, the answers are still wanted.
                    let _ = writeln!(errors, "santorini: {}", printable(&reason));
                }
            }
        }
        Ok(all_answered)
    }

    /// The answer to one value; the time for it counts from `asked_at`.
    fn answer(&mut self, framed: &Framed, asked_at: Instant) -> Result<Value, Unanswered> {
        let wrong = |error| Unanswered::Exchange(framed.at, error);
        let value = &framed.value;
        if value.is_array() {
            let setup = read_setup::<5>(value).map_err(wrong)?;
            let placement = self.thinker.place(setup, asked_at);
            return Ok(write_setup::<5>(&setup, placement));
        }
        let position: Position<5> = read_board(value).map_err(wrong)?;
        if position.shows_win() {
            return Err(Unanswered::Won(framed.at));
        }
        let turn = self.thinker.turn(position, asked_at);
        let turn = turn.ok_or(Unanswered::NoTurn(framed.at))?;
        Ok(write_board(&position.play(turn)))
    }
}

/// Writes an answer as one line and sends it off.
fn send(output: &mut impl Write, answer: &Value) -> io::Result<()> {
    output.write_all(format!("{answer}\n").as_bytes())?;
    output.flush()
}
