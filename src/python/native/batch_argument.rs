//! Arguments of a batch: its options, one or several of its games, and positions that fit
//! into them.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PySequence, PyString};
use santorini::rules::AnySize;

use crate::argument::{self, Argument, whole, wrong_type, wrong_value};
use crate::array::read_mask;
use crate::batch::Batch;
use crate::board::AnyBoard;
use crate::convert::{read_card_pair, wrong};
use crate::position::Position;
use crate::saved::Games;
use crate::stages::{Deal, Start};

/// The argument `cards`.
pub fn read_deal(cards: Option<&Argument<'_>>) -> PyResult<Deal> {
    const RIGHT: &str = "two names, \"random\" or None";
    let Some(cards) = cards else {
        return Ok(Deal::None);
    };
    if cards.is_instance_of::<PyString>() {
        return match &*argument::text("cards", cards)? {
            "random" => Ok(Deal::Random),
            _ => Err(wrong_value("cards", cards, RIGHT)),
        };
    }
    if cards.cast::<PySequence>().is_err() {
        return Err(wrong_type("cards", cards, RIGHT));
    }
    read_card_pair(cards).map(Deal::Pair)
}

/// The arguments `start` and `turns`.
pub fn read_start(start: Option<&Argument<'_>>, turns: u32) -> PyResult<Start> {
    let is_random = match start {
        None => false,
        Some(start) => match &*argument::text("start", start)? {
            "empty" => false,
            "random" => true,
            _ => return Err(wrong_value("start", start, "\"empty\" or \"random\"")),
        },
    };
    match (is_random, turns) {
        (true, _) => Ok(Start::Random(turns)),
        (false, 0) => Ok(Start::Empty),
        (false, _) => Err(wrong(format!(
            "turns is {turns}; it should be 0 unless start is \"random\""
        ))),
    }
}

impl Batch {
    /// The argument `game`.
    pub fn read_game(&self, game: &Argument<'_>) -> PyResult<usize> {
        let index = whole("game", game, i64::MIN..=i64::MAX)?;
        let index_here = usize::try_from(index).ok();
        let index_here = index_here.filter(|&index| index < self.count);
        index_here.ok_or_else(|| {
            let last = self.count - 1;
            PyIndexError::new_err(format!("game is {index}; it should be 0 to {last}"))
        })
    }

    /// The argument `game`: one game, the games of a mask, or all.
    pub fn read_games(&self, game: Option<&Argument<'_>>) -> PyResult<Vec<usize>> {
        let Some(game) = game else {
            return Ok((0..self.count).collect());
        };
        if game.is_instance_of::<PyInt>() || game.cast::<PySequence>().is_err() && !is_array(game) {
            return Ok(vec![self.read_game(game)?]);
        }
        let mask = read_mask("game", game, self.count)?;
        Ok((0..self.count).filter(|&game| mask[game]).collect())
    }

    /// A position that fits into a game of this batch.
    pub fn check_position(&self, name: &str, position: &Position) -> PyResult<()> {
        position.check_unfinished(name)?;
        let has_cards = self.setting.has_cards();
        if position.has_cards() != has_cards {
            let why = match has_cards {
                true => "have cards, and the position has none",
                false => "have no cards, and the position has",
            };
            return Err(wrong(format!("{name}: the games of this batch {why}")));
        }
        let size = self.size;
        if position.0.size() != size {
            return Err(wrong(format!(
                "{name}: the position has another size; the games of this batch have {size}x{size} spaces"
            )));
        }
        Ok(())
    }

    /// The argument `positions`: one for each game, or None.
    pub fn read_boards(&self, positions: &Argument<'_>) -> PyResult<Vec<Option<AnyBoard>>> {
        let right = format!("a list of {} positions, one for each game", self.count);
        let mut boards = Vec::new();
        let items = argument::items("positions", positions, &right)?;
        for (game, item) in items.enumerate() {
            let item = item?;
            if game == self.count {
                return Err(wrong(format!(
                    "positions has more items; it should be {right}"
                )));
            }
            if item.is_none() {
                boards.push(None);
                continue;
            }
            let name = format!("positions[{game}]");
            let position = argument::position(&name, &item)?;
            self.check_position(&name, position)?;
            boards.push(Some(position.0));
        }
        if boards.len() != self.count {
            let count = boards.len();
            return Err(wrong(format!(
                "positions has {count} items; it should be {right}"
            )));
        }
        Ok(boards)
    }
}

fn is_array(given: &Argument<'_>) -> bool {
    let array = given.cast::<PyUntypedArray>();
    array.is_ok_and(|array| array.ndim() > 0)
}

/// Puts a position that fits into a game.
pub fn put(games: &mut Games, game: usize, board: &AnyBoard) {
    match (games, board) {
        (AnySize::Five(games), AnySize::Five(board)) => games.set(game, board.position),
        (AnySize::Six(games), AnySize::Six(board)) => games.set(game, board.position),
        _ => {}
    }
}
