//! Planes, masks and actions of one position, as in a batch.

use numpy::{Ix3, PyArray1};
use pyo3::prelude::*;
use santorini::at_size;
use santorini::rules::Side;

use crate::action::{action_count, decode, encode, turn_count};
use crate::argument::{Argument, whole};
use crate::array::{Kind, filled};
use crate::board::{AnyBoard, Board};
use crate::illegal::{Broken, illegal};
use crate::planes::{Value, mark_planes, planes, viewer};

impl<const N: usize> Board<N> {
    /// Whether the players have cards.
    pub fn has_cards(&self) -> bool {
        self.position.card(Side::Mover).is_some()
    }

    /// The number of all actions.
    pub fn action_count(&self) -> usize {
        action_count(N, self.has_cards())
    }

    /// The actions of the legal turns, in the order of the turns.
    pub fn actions(&self) -> Vec<i64> {
        let number = |turn| encode(&self.position, turn) as i64;
        self.turns().into_iter().map(number).collect()
    }

    /// The action of a legal turn in notation.
    pub fn action_of(&self, turn: &str) -> PyResult<usize> {
        Ok(encode(&self.position, self.read_turn(turn)?))
    }

    /// The notation of a legal action.
    pub fn turn_of(&self, action: i64) -> PyResult<String> {
        let number = usize::try_from(action).ok().filter(|_| !self.is_won());
        let number = number.filter(|&number| number < turn_count(self.has_cards()));
        let turn = number.and_then(|number| decode(&self.position, number));
        let turn = turn.ok_or_else(|| {
            let why = format!(
                "action {action} is not legal on the board {}",
                self.position
            );
            illegal(why, Broken::rule("illegal-action"))
        })?;
        Ok(turn.text::<N>().to_string())
    }

    fn fill<T: Value>(&self, player: Option<u8>, values: &mut [T]) {
        let mover = self.position.player() as u8;
        values.fill(T::from(0));
        mark_planes(&self.position, viewer(player, mover), values);
    }
}

/// The argument `player`.
pub fn read_player(given: Option<&Argument<'_>>) -> PyResult<Option<u8>> {
    given.map(|given| whole("player", given, 0..=1)).transpose()
}

/// The planes of a board.
pub fn board_planes<'py>(
    py: Python<'py>,
    board: &AnyBoard,
    dtype: Option<&Argument<'py>>,
    player: Option<&Argument<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let player = read_player(player)?;
    match Kind::read(dtype, None)? {
        Kind::Bytes => planes_of::<u8>(py, board, player),
        Kind::Floats => planes_of::<f32>(py, board, player),
    }
}

fn planes_of<'py, T: Value>(
    py: Python<'py>,
    board: &AnyBoard,
    player: Option<u8>,
) -> PyResult<Bound<'py, PyAny>> {
    let has_cards = at_size!(board, board => board.has_cards());
    let shape = [planes(has_cards), board.size(), board.size()];
    let array = filled::<T, Ix3>(py, None, &shape, |values| {
        at_size!(board, board => board.fill(player, values));
        Ok(())
    });
    Ok(array?.into_any())
}

/// Which actions are legal turns.
pub fn board_mask<'py>(py: Python<'py>, board: &AnyBoard) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let count = at_size!(board, board => board.action_count());
    filled(py, None, &[count], |mask| {
        mask.fill(false);
        for action in at_size!(board, board => board.actions()) {
            mask[action as usize] = true;
        }
        Ok(())
    })
}
