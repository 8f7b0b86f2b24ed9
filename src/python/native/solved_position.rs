//! Positions of solved boards, as arguments from Python.

use pyo3::prelude::*;
use pyo3::types::PyString;
use santorini::at_size;
use santorini::rules::{CAP, Side, Square, square_text};
use santorini::solve::{SmallGame, SmallState};

use crate::argument::{self, Argument};
use crate::board::Board;
use crate::position::Position;

/// A position of a solved board.
pub enum SmallPosition {
    /// No turn has won the game; the player to move may have no legal turn.
    Playing(SmallState),
    /// The last turn has won the game. The text does not show that if there are cards.
    Won(String),
}

impl SmallPosition {
    /// Reads a text, or a `Position` of a `SmallBoard`.
    pub fn read(name: &str, given: &Argument<'_>, game: &SmallGame) -> PyResult<Self> {
        let text = if let Ok(position) = given.cast::<Position>() {
            let (text, is_won) = at_size!(&position.get().0, board => {
                (text_on(board, game), board.is_won())
            });
            let none = || argument::wrong(name, format!("it is not a position on {game}"));
            match (text.ok_or_else(none)?, is_won) {
                (text, true) => return Ok(Self::Won(text)),
                (text, false) => text,
            }
        } else if given.is_instance_of::<PyString>() {
            argument::owned_text(name, given)?
        } else {
            return Err(argument::wrong_type(name, given, "a text or a Position"));
        };
        let state = SmallState::parse(&text, game);
        let state = state.map_err(|error| argument::wrong(name, error))?;
        Ok(Self::Playing(state))
    }

    /// The state of a game that is not won.
    pub const fn playing(&self) -> Option<&SmallState> {
        match self {
            Self::Playing(state) => Some(state),
            Self::Won(_) => None,
        }
    }

    pub fn text(&self, game: &SmallGame) -> String {
        match self {
            Self::Playing(state) => state.text(game),
            Self::Won(text) => text.clone(),
        }
    }
}

/// The text of a board whose corner is the small board; `None` for any other board.
pub fn text_on<const N: usize>(board: &Board<N>, game: &SmallGame) -> Option<String> {
    const SIDES: [Side; 2] = [Side::Mover, Side::Other];
    let (rows, columns) = (game.shape.rows(), game.shape.columns());
    if rows > N || columns > N || board.seat_cards() != game.cards {
        return None;
    }
    let position = &board.position;
    let mut text = String::new();
    let mut workers = [const { String::new() }; 2];
    for (row, column) in (0..N).flat_map(|row| (0..N).map(move |column| (row, column))) {
        let square = Square::at::<N>(row, column);
        let level = position.level(square);
        let side = SIDES
            .into_iter()
            .find(|&side| position.workers(side).has(square));
        if row < rows && column < columns {
            if row > 0 && column == 0 {
                text.push('/');
            }
            text += &level.to_string();
            if let Some(side) = side {
                workers[side as usize] += &square_text::<N>(square);
            }
        } else {
            // A worker that can never move stands apart from the small board.
            let is_idle = side.is_some() && (row > rows || column > columns);
            if level != CAP && !is_idle {
                return None;
            }
        }
    }
    if workers.iter().any(|names| names.len() != 2 * game.workers) {
        return None;
    }
    let [mover, other] = workers;
    text += &format!(" {mover} {other}");
    for card in SIDES.iter().filter_map(|&side| position.card(side)) {
        text += &format!(" {card}");
    }
    Some(text)
}
