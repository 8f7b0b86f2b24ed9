//! The player program: reads set-up arrays and boards, and answers each one.
//!
//! It keeps no game state. Boards of different games may come in any order, for either
//! seat, with or without cards. Each input gets one line: an answer on the output, or a
//! reason on the error stream.
//!
//! | to see or change | look at |
//! |---|---|
//! | reading questions and writing answers | `mod.rs` (here) |
//! | when the clock for an answer starts | `arrival.rs` |
//! | the move overhead | `overhead.rs` |
//! | the search thread | `thinker.rs` |
//! | passing the best answer so far between threads | `best_so_far.rs` |

mod arrival;
mod best_so_far;
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

/// The default time for an answer.
pub const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// The options of a player.
#[derive(Clone, Copy, Debug)]
pub struct PlayerOptions {
    /// The time for an answer, from the arrival of the question until the answer is
    /// written.
    pub time: Duration,
    /// The part of it reserved for pipes and a busy machine. `None` reserves 10 ms and a
    /// tenth of the time, or more if the player notices that it wakes up late.
    pub overhead: Option<Duration>,
    /// The maximum nodes for a turn; `None` is limited by time only.
    pub nodes: Option<u64>,
    /// Whether to search during the opponent's time too.
    pub ponder: bool,
    /// A limit on its strength.
    pub handicap: Option<Handicap>,
    /// The options of the engine that finds the turns.
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
    /// The text is not an array or object.
    #[error(transparent)]
    Stream(#[from] BadInput),
    /// The value is not a valid question.
    #[error("{0}: {1}")]
    Exchange(Location, ExchangeError),
    /// A worker on the board already stands on level 3.
    #[error("{0}: the game is over: a worker stands on level 3")]
    Won(Location),
    /// The player to move has already lost.
    #[error("{0}: the game is over: the player to move cannot move and build")]
    NoTurn(Location),
}

/// Why the player stopped before the end of its input.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Questions cannot be read.
    #[error("standard input: {0}")]
    Input(io::Error),
    /// Answers cannot be written.
    #[error("standard output: {0}")]
    Output(io::Error),
}

/// Chooses a player's answers. Its clock starts at `asked_at`.
pub trait Think {
    /// Where to place the workers.
    fn place(&mut self, setup: Setup, asked_at: Instant) -> Placement;

    /// The turn to play, or `None` without a legal one. The position must not be won yet.
    fn turn(&mut self, position: Position<5>, asked_at: Instant) -> Option<Turn>;
}

/// A player on the 5x5 board.
pub struct JsonPlayer<T = Thinker> {
    thinker: T,
    /// Whether the first question may have arrived when the thread started.
    is_asked_from_start: bool,
}

impl JsonPlayer {
    /// Creates a player that uses the engine.
    pub fn new(options: PlayerOptions) -> Self {
        Self::with_thinker(Thinker::new(options))
    }

    /// Creates the player of a program whose main thread does nothing else. The time for
    /// the first answer counts from the start of the program.
    pub fn of_program(options: PlayerOptions) -> Self {
        Self {
            is_asked_from_start: true,
            ..Self::new(options)
        }
    }
}

impl<T: Think> JsonPlayer<T> {
    /// Creates a player that gets its answers from `thinker`.
    pub const fn with_thinker(thinker: T) -> Self {
        Self {
            thinker,
            is_asked_from_start: false,
        }
    }

    /// Answers every question of `input` on `output`, and writes to `errors` why a
    /// question has no answer. Returns whether every question was answered.
    ///
    /// # Errors
    /// If reading the input or writing the output fails, for example because its reader has
    /// ended.
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
                    // Keep answering even if nothing reads the errors.
                    let _ = writeln!(errors, "santorini: {}", printable(&reason));
                }
            }
        }
        Ok(all_answered)
    }

    /// The answer to one value. Its clock starts at `asked_at`.
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

/// Writes an answer as one line and flushes it.
fn send(output: &mut impl Write, answer: &Value) -> io::Result<()> {
    output.write_all(format!("{answer}\n").as_bytes())?;
    output.flush()
}
