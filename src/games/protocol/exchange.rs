//! The JSON values of the exchange protocol: boards and set-up arrays.
//!
//! Values are read by hand from [`serde_json::Value`], so that errors say what is wrong and
//! where in words that a student understands.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use super::excerpt;
use crate::rules::{
    AnyPosition, Card, MOST_TURN, Placement, Position, PositionError, Setup, Side, Space, Square,
};

/// Why a JSON value is neither a board nor a set-up array.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// A part of the value has the wrong type, length or range.
    #[error("{at}: expected {expected}, found {found}")]
    Shape {
        /// The path to the part, such as `spaces[2]`.
        at: String,
        /// What the protocol has there.
        expected: String,
        /// What was found, and what to write instead if that is clear.
        found: String,
    },
    /// The object lacks a key that every board has.
    #[error("the board has no {0:?}; a board is {{\"players\":…,\"spaces\":…,\"turn\":…}}")]
    MissingKey(&'static str),
    /// One space is listed for two workers.
    #[error("{}", PositionError::SharedSpace(*.0))]
    BothOn(Space),
    /// A card has a name that the rules do not know.
    #[error(transparent)]
    Card(#[from] crate::rules::UnknownCard),
    /// The board is complete, but cannot occur.
    #[error(transparent)]
    Rules(#[from] PositionError),
}

/// The keys of boards and players that are read; all others are ignored.
pub const KEYS: [&str; 5] = ["players", "spaces", "turn", "card", "tokens"];

/// Reads a board of `N`x`N` spaces. Unknown keys are ignored.
///
/// # Errors
/// If the value does not have the form of a board, or is not a valid position. A board on
/// which the game is over is valid.
pub fn read_board<const N: usize>(value: &Value) -> Result<Position<N>, ExchangeError> {
    let Value::Object(board) = value else {
        return Err(shape("the value", "a board (a JSON object)", value));
    };
    let key = |name| board.get(name).ok_or(ExchangeError::MissingKey(name));
    let levels = read_levels::<N>(key("spaces")?)?;
    let [mover, other] = read_array(key("players")?, "players", "players")?;
    let turn = read_turn(key("turn")?)?;
    let (mover_card, mover) = read_player::<N>(mover, "players[0]")?;
    let (other_card, other) = read_player::<N>(other, "players[1]")?;
    Ok(Position::new(
        &levels,
        [mover, other],
        [mover_card, other_card],
        turn,
    )?)
}

/// Reads a board of 6x6 spaces if it has six rows, otherwise one of 5x5.
///
/// # Errors
/// As [`read_board`].
pub fn read_any_board(value: &Value) -> Result<AnyPosition, ExchangeError> {
    match board_size(value) {
        Some(6) => read_board(value).map(AnyPosition::Six),
        _ => read_board(value).map(AnyPosition::Five),
    }
}

/// The number of rows of a board; `None` if the value has no `spaces`.
pub fn board_size(value: &Value) -> Option<usize> {
    Some(value.get("spaces")?.as_array()?.len())
}

/// The JSON value of a board.
pub fn write_board<const N: usize>(position: &Position<N>) -> Value {
    let spaces = position.levels().map(Vec::from).to_vec();
    let player = |side| write_player::<N>(position.card(side), position.workers(side));
    json!({
        "players": [player(Side::Mover), player(Side::Other)],
        "spaces": spaces,
        "turn": position.turn(),
    })
}

/// Reads a set-up array, with or without cards.
///
/// # Errors
/// If the value is not a set-up array, both cards are equal, or two workers share a space.
pub fn read_setup<const N: usize>(value: &Value) -> Result<Setup, ExchangeError> {
    let Value::Array(players) = value else {
        return Err(shape("the value", "a set-up array", value));
    };
    match players.as_slice() {
        [] => Ok(Setup::new([None; 2], None)),
        [first] if first.is_array() => {
            let first = read_tokens::<N>(first, "the first player")?;
            Ok(Setup::new([None; 2], Some(first)))
        }
        [mine, theirs] if mine.is_array() && theirs.is_array() => Err(shape(
            "the set-up array",
            "at most one player: without cards, a board follows once both have placed",
            value,
        )),
        [mine, theirs] => {
            let own = read_card(mine, "the first player")?;
            let other = read_card(theirs, "the second player")?;
            if mine.get("tokens").is_some() {
                return Err(shape(
                    "the first player, which is to place its workers",
                    "no \"tokens\"",
                    mine,
                ));
            }
            if own == other {
                return Err(PositionError::SameCard(own).into());
            }
            let cards = [Some(own), Some(other)];
            let tokens = theirs.get("tokens");
            let first = tokens.map(|it| read_tokens::<N>(it, "the second player's tokens"));
            Ok(Setup::new(cards, first.transpose()?))
        }
        _ => Err(shape(
            "the set-up array",
            "no player, one player [[r,c],[r,c]], or two players with cards",
            value,
        )),
    }
}

/// The answer to a set-up array: the players in the order of the protocol. `own` is the
/// asked player's placement. The first player's workers keep their order.
pub fn write_setup<const N: usize>(setup: &Setup, own: Placement) -> Value {
    let player = write_player::<N>;
    match *setup {
        Setup::First {
            cards: [Some(mine), Some(others)],
        } => json!([{ "card": others }, player(Some(mine), own)]),
        Setup::First { .. } => json!([player(None, own)]),
        Setup::Second {
            cards: [mine, others],
            first,
        } => json!([player(others, first), player(mine, own)]),
    }
}

/// The JSON value of a player whose workers are placed.
fn write_player<const N: usize>(
    card: Option<Card>,
    workers: impl IntoIterator<Item = Square>,
) -> Value {
    let tokens: Vec<[usize; 2]> = workers
        .into_iter()
        .map(|square| [square.row::<N>() + 1, square.column::<N>() + 1])
        .collect();
    match card {
        None => json!(tokens),
        Some(card) => json!({ "card": card, "tokens": tokens }),
    }
}

fn shape(at: impl Into<String>, expected: impl Into<String>, found: &Value) -> ExchangeError {
    ExchangeError::Shape {
        at: at.into(),
        expected: expected.into(),
        found: excerpt(found),
    }
}

/// The same for a value that should be a number in this range, or several of them, with a
/// hint if one is in quotes or not in plain digits. The parser gives the value of a number,
/// not its text, so `0e0` is shown as 0.0.
fn number_shape(
    at: impl Into<String>,
    expected: impl Into<String>,
    found: &Value,
    range: RangeInclusive<u64>,
) -> ExchangeError {
    let values = found
        .as_array()
        .map_or(std::slice::from_ref(found), Vec::as_slice);
    let hint = values.iter().find_map(|value| {
        let (number, fault) = match value {
            Value::Number(number) if number.is_f64() => {
                let value = number.as_f64()?;
                let is_whole = value.fract() == 0.0 && (0.0..1e10).contains(&value);
                let fault = "without a sign, a point or an exponent".to_string();
                (is_whole.then_some(value as u64)?, fault)
            }
            Value::String(text) => (text.trim().parse().ok()?, format!("not {value}")),
            _ => return None,
        };
        let is_right = range.contains(&number);
        is_right.then(|| format!("; write {number}, {fault}"))
    });
    let kind = if found.is_f64() { "the number " } else { "" };
    ExchangeError::Shape {
        at: at.into(),
        expected: expected.into(),
        found: format!("{kind}{}{}", excerpt(found), hint.unwrap_or_default()),
    }
}

fn read_array<'a, const LENGTH: usize>(
    value: &'a Value,
    at: &str,
    of: &str,
) -> Result<&'a [Value; LENGTH], ExchangeError> {
    let array = value.as_array();
    let array = array.and_then(|items| items.as_slice().try_into().ok());
    array.ok_or_else(|| shape(at, format!("an array of {LENGTH} {of}"), value))
}

fn read_levels<const N: usize>(value: &Value) -> Result<[[u8; N]; N], ExchangeError> {
    let mut levels = [[0; N]; N];
    for (row, values) in read_array::<N>(value, "spaces", "rows")?.iter().enumerate() {
        let at = format!("spaces, row {}", row + 1);
        for (column, level) in read_array::<N>(values, &at, "levels")?.iter().enumerate() {
            let read = level.as_u64().filter(|&level| level <= 4);
            levels[row][column] = read.ok_or_else(|| {
                let at = format!("{at}, column {}", column + 1);
                wrong_level(at, level)
            })? as u8;
        }
    }
    Ok(levels)
}

/// The error for a wrong level, with a hint if it is one more than a dome.
fn wrong_level(at: String, level: &Value) -> ExchangeError {
    let expected = "a level from 0 to 4";
    match level.as_u64() {
        Some(5) => ExchangeError::Shape {
            at,
            expected: expected.into(),
            found: "5; a dome (level 4) cannot be built on".into(),
        },
        _ => number_shape(at, expected, level, 0..=4),
    }
}

fn read_turn(value: &Value) -> Result<u32, ExchangeError> {
    let turn = value.as_u64().and_then(|turn| u32::try_from(turn).ok());
    let turn = turn.filter(|&turn| turn <= MOST_TURN);
    turn.ok_or_else(|| {
        let expected = format!("a whole number from 0 to {MOST_TURN}");
        number_shape("turn", expected, value, 0..=u64::from(MOST_TURN))
    })
}

fn read_player<const N: usize>(
    value: &Value,
    at: &str,
) -> Result<(Option<Card>, Placement), ExchangeError> {
    if !value.is_object() {
        return Ok((None, read_tokens::<N>(value, at)?));
    }
    if value.get("card").is_none() {
        let expected = "[[row,column],[row,column]], or with a card \
                        {\"card\":NAME,\"tokens\":[[row,column],[row,column]]}";
        return Err(shape(at, expected, value));
    }
    let card = read_card(value, at)?;
    let tokens = value.get("tokens").unwrap_or(&Value::Null);
    Ok((
        Some(card),
        read_tokens::<N>(tokens, &format!("{at}, tokens"))?,
    ))
}

fn read_card(value: &Value, at: &str) -> Result<Card, ExchangeError> {
    let name = value.get("card").and_then(Value::as_str);
    // No name is longer, and errors must not repeat a long text.
    let name = name.filter(|name| name.len() <= 40);
    let name = name.ok_or_else(|| shape(at, "a player {\"card\":NAME}", value))?;
    Ok(name.parse()?)
}

fn read_tokens<const N: usize>(value: &Value, at: &str) -> Result<Placement, ExchangeError> {
    let [first, second] = read_array(value, at, "spaces [row,column]")?;
    let placement = [read_space::<N>(first, at)?, read_space::<N>(second, at)?];
    if placement[0] == placement[1] {
        return Err(ExchangeError::BothOn(Space::of::<N>(placement[0])));
    }
    Ok(placement)
}

fn read_space<const N: usize>(value: &Value, at: &str) -> Result<Square, ExchangeError> {
    let dimension = |value: &Value| value.as_u64().filter(|d| (1..=N as u64).contains(d));
    let space = match value.as_array().map(Vec::as_slice) {
        Some([row, column]) => dimension(row).zip(dimension(column)),
        _ => None,
    };
    let (row, column) = space.ok_or_else(|| {
        let counted = match value.as_array() {
            Some(numbers) if numbers.contains(&json!(0)) => " (not 0)",
            _ => "",
        };
        let expected = format!("a space [row,column], each from 1{counted} to {N}");
        match value.is_array() {
            true => number_shape(at, expected, value, 1..=N as u64),
            false => shape(at, expected, value),
        }
    })?;
    Ok(Square::at::<N>(row as usize - 1, column as usize - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_in_a_wrong_form_get_a_hint() {
        let spaces = [[0; 5]; 5];
        let mut board = json!({
            "players": [[[1, 1], [5, 5]], [[1, 5], [5, 1]]], "spaces": spaces, "turn": 0,
        });
        let mut error_with = |pointer: &str, value: Value| {
            let place = board.pointer_mut(pointer).unwrap();
            let right = std::mem::replace(place, value);
            let error = read_board::<5>(&board).unwrap_err().to_string();
            *board.pointer_mut(pointer).unwrap() = right;
            error
        };
        let plain = "; write 2, without a sign, a point or an exponent".to_string();
        for (pointer, value, hint) in [
            (
                "/spaces/0/0",
                json!(2.0),
                &*format!("found the number 2.0{plain}"),
            ),
            (
                "/spaces/0/0",
                json!(-0.0),
                "; write 0, without a sign, a point or an exponent",
            ),
            ("/spaces/0/0", json!("2"), "; write 2, not \"2\""),
            ("/players/0/0", json!([1, 2.0]), &plain),
            ("/turn", json!("7"), "; write 7, not \"7\""),
        ] {
            let error = error_with(pointer, value);
            assert!(error.ends_with(hint), "{error}");
        }
        // No other number would do, or no number is wanted.
        for (pointer, value) in [
            ("/spaces/0/0", json!(7.0)),
            ("/spaces/0/0", json!(1.5)),
            ("/players/0/0", json!([1, "9"])),
            ("/players/0", json!("12")),
            ("/players/0/0", json!("3")),
            ("/turn", json!(-1)),
        ] {
            let error = error_with(pointer, value);
            assert!(!error.contains("; write"), "{error}");
        }
        let tokens = error_with("/players/1", json!({"tokens": [[1, 5], [5, 1]]}));
        let form = "players[1]: expected [[row,column],[row,column]], or with a card ";
        assert!(tokens.starts_with(form), "{tokens}");
    }
}
