//! Planes, masks and actions of one position, as in a batch.

use numpy::{Ix1, Ix3, PyArray1};
use pyo3::prelude::*;
use santorini::at_size;
use santorini::rules::Side;

use crate::action::{Actions, decode, encode};
use crate::argument::{self, Argument, whole};
use crate::array::{Kind, Values, output};
use crate::board::{AnyBoard, Board};
use crate::illegal::{Broken, illegal};
use crate::planes::{Value, mark_planes, planes, viewer};

impl<const N: usize> Board<N> {
    pub fn action_numbers(&self) -> Actions {
        Actions::of(self.position.card(Side::Mover).is_some())
    }

    /// The actions of the legal turns, in the order of the turns.
    pub fn actions(&self) -> Vec<i64> {
        let turns = self.turns().into_iter();
        turns
            .map(|turn| encode(&self.position, turn) as i64)
            .collect()
    }

    /// The notation of an action.
    fn turn_of(&self, action: i64) -> PyResult<String> {
        let number = usize::try_from(action).ok().filter(|_| !self.is_won());
        let turns = self.action_numbers().turns;
        let turn = number.filter(|&number| number < turns);
        let turn = turn.and_then(|number| decode(&self.position, number));
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
        values.fill(T::ZERO);
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
    let has_cards = at_size!(board, board => board.position.card(Side::Mover).is_some());
    let shape = [planes(has_cards), board.size(), board.size()];
    let out = output::<T, Ix3>(py, None, &shape)?;
    let mut values = Values::of(&out)?;
    at_size!(board, board => board.fill(player, values.slice()?));
    Ok(out.into_any())
}

/// The number of all actions.
fn action_count(board: &AnyBoard) -> usize {
    match board {
        AnyBoard::Five(board) => board.action_numbers().count::<5>(),
        AnyBoard::Six(board) => board.action_numbers().count::<6>(),
    }
}

/// Which actions are legal turns.
pub fn board_mask<'py>(py: Python<'py>, board: &AnyBoard) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let out = output::<bool, Ix1>(py, None, &[action_count(board)])?;
    let mut values = Values::of(&out)?;
    let mask = values.slice()?;
    mask.fill(false);
    for action in at_size!(board, board => board.actions()) {
        mask[action as usize] = true;
    }
    Ok(out)
}

/// The action of a legal turn in notation.
pub fn action_of(board: &AnyBoard, turn: &str) -> PyResult<usize> {
    at_size!(board, board => {
        let turn = board.read_turn(turn)?;
        Ok(encode(&board.position, turn))
    })
}

/// An array over all actions of the argument `position`, with the values of some turns and
/// NaN elsewhere.
pub fn action_values<'py, T>(
    position: &Argument<'py>,
    items: &[T],
    value: impl Fn(&T) -> (Option<&str>, f32),
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let py = position.py();
    let board = &argument::position("position", position)?.0;
    let out = output::<f32, Ix1>(py, None, &[action_count(board)])?;
    let mut values = Values::of(&out)?;
    let values = values.slice()?;
    values.fill(f32::NAN);
    for item in items {
        if let (Some(turn), value) = value(item) {
            values[action_of(board, turn)?] = value;
        }
    }
    Ok(out)
}

/// The notation of a legal action.
pub fn turn_of(board: &AnyBoard, action: &Argument<'_>) -> PyResult<String> {
    let action = whole("action", action, i64::MIN..=i64::MAX)?;
    at_size!(board, board => board.turn_of(action))
}

/// A list of whole numbers as an array.
pub fn number_array<'py>(py: Python<'py>, numbers: &[i64]) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let out = output::<i64, Ix1>(py, None, &[numbers.len()])?;
    Values::of(&out)?.slice()?.copy_from_slice(numbers);
    Ok(out)
}
