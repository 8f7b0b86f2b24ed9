//! Recorded games for Python.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::prelude::*;
use santorini::at_size;
use santorini::mutex::MutexExt as _;
use santorini::protocol::exchange::write_board;
use santorini::record::{Ending, Entry, FileError, GameRecord, Reader, ReplayError};
use serde_json::Value;

use crate::argument::{self, Argument, Names, whole_or};
use crate::board::Board;
use crate::convert::{card_names, write_json, wrong};
use crate::position::Position;

/// The record of a game: its start, turns and players. Raises `IllegalTurn` if a turn
/// is illegal.
#[pyclass(frozen, module = "santorini")]
#[derive(Clone)]
pub struct Game(pub GameRecord);

/// The positions of a recorded game, each with the turn that led to it.
fn boards<const N: usize>(record: &GameRecord) -> Result<Vec<Position>, ReplayError>
where
    Board<N>: Into<Position>,
{
    let replay = record.replay::<N>()?;
    let mut board = Board::from(replay.positions[0]);
    let mut boards = vec![board.into()];
    for &turn in &replay.turns {
        board = board.after(turn);
        boards.push(board.into());
    }
    Ok(boards)
}

/// The error of a turn, with its index in the list.
fn at_turn(index: usize, error: PyErr, py: Python<'_>) -> PyErr {
    let why = format!("turns[{index}]: {}", error.value(py));
    let reworded = error.value(py).setattr("args", (why,));
    reworded.err().unwrap_or(error)
}

/// Plays turns. Returns the last position and the notation of the turns.
fn play_all(start: &Position, turns: &Argument<'_>) -> PyResult<(Position, Vec<String>)> {
    let right = "a list of turns, such as [\"c3-c4+b4\"]";
    let items = argument::items("turns", turns, right)?;
    let (mut last, mut texts) = (start.clone(), Vec::new());
    for (index, item) in items.enumerate() {
        let item = item?;
        let turn = argument::text(&format!("turns[{index}]"), &item)?;
        let after = last.played(&turn);
        last = after.map_err(|error| at_turn(index, error, turns.py()))?;
        texts.extend(last.last_turn());
    }
    Ok((last, texts))
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (start, turns, players=None, number=None),
        text_signature = "(start, turns, players=(\"first\", \"second\"), number=0)")]
    fn new(
        start: &Argument<'_>,
        turns: &Argument<'_>,
        players: Option<&Argument<'_>>,
        number: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let start = argument::position("start", start)?;
        let number = whole_or("number", number, 0, 0..=u64::MAX)?;
        let players =
            players.map(|players| argument::pair("players", players, r#"("Ann", "Ben")"#));
        let players = players.transpose()?;
        let players = players.unwrap_or_else(|| ("first".into(), "second".into()));
        let (last, turns) = play_all(start, turns)?;
        let winner = last.winner();
        let ending = match winner {
            None => Ending::Interrupted,
            Some(_) if last.is_won() => Ending::Win,
            Some(_) => Ending::NoTurnLeft,
        };
        let cards = at_size!(&start.0, board => board.seat_cards());
        let start = at_size!(&start.0, board => write_board(&board.position));
        Ok(Self(GameRecord {
            game: number,
            players: players.into(),
            cards,
            start: Some(start),
            turns,
            seconds: Vec::new(),
            setup_seconds: Vec::new(),
            winner,
            ending: ending.name().to_string(),
            why: None,
            pair: None,
            more: serde_json::Map::new(),
        }))
    }

    /// Reads a record from a line of a file.
    #[staticmethod]
    fn from_json(record: &Argument<'_>) -> PyResult<Self> {
        let right = "a game record in JSON (str), or the dict that json.loads gives for it";
        let value = argument::json("record", record, right)?;
        let record = GameRecord::from_value(value);
        record
            .map(Self)
            .map_err(|error| wrong(format!("record is not a game record: {error}")))
    }

    /// The record as a line of a file. All tools of Santorini read such files, to draw,
    /// count and replay the games.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(wrong)
    }

    /// The dict that `json.loads` returns for that line, with all its keys.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value: Value = serde_json::to_value(&self.0).map_err(wrong)?;
        write_json(py, &value)
    }

    /// The number of the game in its file.
    #[getter]
    fn number(&self) -> u64 {
        self.0.game
    }

    /// The names of player 0 and player 1.
    #[getter]
    fn players(&self) -> Names {
        self.0.players.clone().into()
    }

    /// The cards of player 0 and player 1, if the game had cards.
    #[getter]
    fn cards(&self) -> Option<(&'static str, &'static str)> {
        card_names(self.0.cards)
    }

    /// The number of rows; None if the game ended before both placements.
    #[getter]
    fn size(&self) -> Option<usize> {
        self.0.size()
    }

    /// The turns as written in the record.
    #[getter]
    fn turns(&self) -> Vec<String> {
        self.0.turns.clone()
    }

    /// The winner, 0 or 1, if there is one.
    #[getter]
    fn winner(&self) -> Option<u8> {
        self.0.winner
    }

    /// How the game ended: `win`, `no-turn-left`, `time-out`, ...
    #[getter]
    fn ending(&self) -> &str {
        &self.0.ending
    }

    /// The positions at the start and after each turn. Replays the game by the rules;
    /// raises ValueError if a turn is illegal.
    fn positions(&self) -> PyResult<Vec<Position>> {
        let boards = match self.0.size() {
            Some(6) => boards::<6>(&self.0),
            _ => boards::<5>(&self.0),
        };
        boards.map_err(wrong)
    }

    fn __len__(&self) -> usize {
        self.0.turns.len()
    }

    fn __repr__(&self) -> String {
        let [first, second] = &self.0.players;
        let (turns, ending) = (self.0.turns.len(), &self.0.ending);
        format!(
            "<Game {}: {first} - {second}, {turns} turns, {ending}>",
            self.0.game
        )
    }
}

/// An iterator over the games of a file, see `read_games`.
#[pyclass(frozen, module = "santorini")]
pub struct Games {
    path: PathBuf,
    reader: Mutex<Reader<BufReader<File>>>,
}

impl Games {
    fn read(&self) -> Option<Result<Game, FileError>> {
        let mut reader = self.reader.locked();
        reader.find_map(|entry| match entry {
            Ok(Entry::Header(_)) => None,
            Ok(Entry::Game(record)) => Some(Ok(Game(*record))),
            Err(error) => Some(Err(error)),
        })
    }
}

fn file_error(error: FileError) -> PyErr {
    match error {
        FileError::Io { path, cause } => argument::file_error(&path, &cause),
        _ => wrong(error),
    }
}

#[pymethods]
impl Games {
    #[new]
    fn new(path: &Argument<'_>) -> PyResult<Self> {
        let path = argument::path("path", path)?;
        let reader = Reader::open(&path).map_err(file_error)?;
        Ok(Self {
            path,
            reader: Mutex::new(reader),
        })
    }

    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        py.detach(|| self.read()).transpose().map_err(file_error)
    }

    fn __repr__(&self) -> String {
        format!("<Games of {}>", self.path.display())
    }
}
