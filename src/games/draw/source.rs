//! Turns JSON values into scenes, game by game.
//!
//! A value is a board, a list of boards, `{"boards":[...]}`, or a game record of
//! `record/game.rs`. Set-up arrays, which a referee's output may hold, and the header of a
//! tournament file give no scene; a new game begins after them.

use serde_json::Value;

use super::scene::{Scene, Seat};
use crate::protocol::bounded::parse_whole;
use crate::protocol::excerpt;
use crate::protocol::exchange::{ExchangeError, board_size, read_board};
use crate::record::{GameRecord, HEADER_KEY, RecordError, ReplayError};
use crate::rules::Position;

/// The scenes of one JSON value; they belong to one game.
#[derive(Debug)]
pub struct Boards<S> {
    /// Empty for a set-up array or a header, and for a game that ended before its first
    /// board.
    pub scenes: Vec<S>,
    /// Whether they begin a new game.
    pub begins: bool,
    /// The number of the game in its file, if any.
    pub number: Option<u64>,
}

/// Why a JSON value cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The value has none of the drawable forms.
    #[error(
        "expected a board, a list of boards, {{\"boards\":[…]}}, a game record or a set-up \
         array, found {0}"
    )]
    Kind(String),
    /// The board has an unsupported number of rows.
    #[error("a board of {0} rows; boards have 5 or 6")]
    Size(usize),
    /// A list holds boards of both sizes.
    #[error("a board of {found} rows in a game of boards with {expected}")]
    Mixed {
        /// The rows of the deviating board.
        found: usize,
        /// The rows of the first board.
        expected: usize,
    },
    /// A single board or set-up array is invalid.
    #[error(transparent)]
    Board(#[from] ExchangeError),
    /// An element of a list is invalid.
    #[error("board {number} of the list: {cause}")]
    Listed {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong with the element.
        cause: Box<SourceError>,
    },
    /// The value has the key of a record, but is not one.
    #[error("not a game record: {0}")]
    Record(#[from] RecordError),
    /// The turns of a record cannot be replayed.
    #[error("game {game}: {cause}")]
    Replay {
        /// The number of the game.
        game: u64,
        /// The turn or start that is wrong.
        cause: ReplayError,
    },
}

/// The number of rows of the boards in a value; `None` without a board.
///
/// # Errors
/// If the number is neither 5 nor 6.
pub fn value_size(value: &Value) -> Result<Option<usize>, SourceError> {
    let list = value.get("boards").unwrap_or(value);
    let board = list.as_array().and_then(|boards| boards.first());
    let board = board.or(value.get("start")).unwrap_or(value);
    match board_size(board) {
        Some(size) if size != 5 && size != 6 => Err(SourceError::Size(size)),
        size => Ok(size),
    }
}

/// Turns the values of a stream into scenes. Keeps the last board, to find and mark the
/// turn to the next one.
#[derive(Default)]
pub struct Source<const N: usize> {
    before: Option<Position<N>>,
}

impl<const N: usize> Source<N> {
    /// Begins a new game: forgets the last board.
    pub fn begin(&mut self) {
        self.before = None;
    }

    /// The scenes of the next value of the stream.
    ///
    /// # Errors
    /// If the value cannot be drawn. Later values can still be added.
    pub fn add(&mut self, value: &Value) -> Result<Boards<Scene<N>>, SourceError> {
        let unknown = || SourceError::Kind(excerpt(value));
        if let Some(boards) = value.get("boards") {
            let boards = boards.as_array().ok_or_else(unknown)?;
            return self.list(boards, value.get("game").and_then(number));
        }
        match value {
            Value::Array(items) if items.iter().any(|item| item.get("spaces").is_some()) => {
                self.list(items, None)
            }
            Value::Array(items) if is_setup(items) => Ok(self.nothing()),
            Value::Object(_) if value.get(HEADER_KEY).is_some() => Ok(self.nothing()),
            Value::Object(object) if object.contains_key("turns") => self.record(value),
            Value::Object(object) if object.contains_key("spaces") => {
                let (scene, begins) = self.board(value)?;
                Ok(Boards {
                    scenes: vec![scene],
                    begins,
                    number: None,
                })
            }
            _ => Err(unknown()),
        }
    }

    /// A value without scenes; the next one begins a game.
    fn nothing(&mut self) -> Boards<Scene<N>> {
        self.begin();
        Boards {
            scenes: Vec::new(),
            begins: false,
            number: None,
        }
    }

    /// The scene of a board, and whether it begins a new game. It continues the game if it has
    /// the next turn number.
    fn board(&mut self, value: &Value) -> Result<(Scene<N>, bool), SourceError> {
        if let Some(found) = board_size(value).filter(|&found| found != N) {
            return Err(SourceError::Mixed { found, expected: N });
        }
        let position = read_board::<N>(value)?;
        let follows = |before: &Position<N>| before.turn() + 1 == position.turn();
        let before = self.before.replace(position).filter(follows);
        let scene = Scene::new(&position);
        Ok(match before {
            None => (scene, true),
            Some(before) => match before.turn_to(&position) {
                Some(turn) => (scene.after(&before, turn), false),
                None => (scene.noted("no legal turn leads here"), false),
            },
        })
    }

    fn list(
        &mut self,
        boards: &[Value],
        number: Option<u64>,
    ) -> Result<Boards<Scene<N>>, SourceError> {
        self.begin();
        let mut scenes = Vec::new();
        for (index, board) in boards.iter().enumerate() {
            let (scene, _) = self.board(board).map_err(|cause| SourceError::Listed {
                number: index + 1,
                cause: Box::new(cause),
            })?;
            scenes.push(scene);
        }
        self.begin();
        Ok(Boards {
            scenes,
            begins: true,
            number,
        })
    }

    fn record(&mut self, value: &Value) -> Result<Boards<Scene<N>>, SourceError> {
        self.begin();
        let record = GameRecord::from_value(value.clone())?;
        Ok(Boards {
            scenes: record_scenes(&record)?,
            begins: true,
            number: Some(record.number()),
        })
    }
}

/// The boards of a recorded game, with the players' names and the ending on the last board.
/// Empty if the game ended before its first board.
///
/// # Errors
/// If the game cannot be replayed on a board of this size.
pub fn record_scenes<const N: usize>(record: &GameRecord) -> Result<Vec<Scene<N>>, SourceError> {
    if record.start.is_none() {
        return Ok(Vec::new());
    }
    let replay = record.replay::<N>().map_err(|cause| SourceError::Replay {
        game: record.number(),
        cause,
    })?;
    let named = |position| Scene::new(position).named(record.players.clone());
    let mut scenes = vec![named(&replay.positions[0])];
    for (index, &turn) in replay.turns.iter().enumerate() {
        let before = &replay.positions[index];
        scenes.push(named(&replay.positions[index + 1]).after(before, turn));
    }
    if let Some(last) = scenes.last_mut() {
        let shown = last.winner().map(|seat| seat as u8);
        if shown.is_none() || shown != record.winner {
            *last = last.clone().noted(ending(record));
        }
    }
    Ok(scenes)
}

/// The illegal board with which a player lost a game, read from its answer; `None` if the
/// answer is not a board.
pub fn illegal_board<const N: usize>(answer: &str) -> Option<Position<N>> {
    let value: Value = parse_whole(answer.trim(), MOST_PARTS).ok()??;
    read_board(&value).ok()
}

/// The maximum number of JSON parts; a board has fewer.
const MOST_PARTS: usize = 200;

/// The note on a game whose last board does not show its end.
fn ending(record: &GameRecord) -> String {
    let winner = record
        .winner
        .and_then(|winner| record.players.get(usize::from(winner)));
    let result = winner.map_or("no winner".into(), |winner| format!("{winner} wins"));
    let why = record.why.as_ref().map(|why| format!(": {why}"));
    format!("{result}, {}{}", record.ending, why.unwrap_or_default())
}

/// A game number, as a JSON number or a string.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Whether an array looks like a set-up array or its answer: up to two players, each a card
/// or two workers.
fn is_setup(items: &[Value]) -> bool {
    let player = |item: &Value| item.is_array() || item.get("card").is_some();
    items.len() <= Seat::BOTH.len() && items.iter().all(player)
}
