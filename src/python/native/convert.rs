//! Conversions to and from Python: cards, squares, turns, JSON.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use santorini::rules::{
    Card, Cards, Placement, PositionError, Setup, Square, Turn, parse_square, square_text,
};
use serde_json::Value;

use crate::argument::{self, Argument, Names, pair, shown};

/// A ValueError.
pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The argument `cards`, if passed: two names.
pub fn read_cards(given: Option<&Argument<'_>>) -> PyResult<Cards> {
    match given {
        None => Ok([None, None]),
        Some(given) => Ok(read_card_pair(given)?.map(Some)),
    }
}

/// The argument `cards`: two different names.
pub fn read_card_pair(given: &Argument<'_>) -> PyResult<[Card; 2]> {
    let (first, second) = pair("cards", given, r#"("Pan", "Atlas")"#)?;
    let read = |name: String| {
        let card = shown(&name).parse::<Card>();
        card.map_err(|error| argument::wrong("cards", error))
    };
    let pair = [read(first)?, read(second)?];
    if pair[0] == pair[1] {
        let same = PositionError::SameCard(pair[0]);
        return Err(argument::wrong("cards", same));
    }
    Ok(pair)
}

/// The names of the cards of the first and the second player.
pub fn card_names(cards: Option<[Card; 2]>) -> Option<(&'static str, &'static str)> {
    cards.map(|cards| cards.map(Card::name).into())
}

/// An argument with two squares.
pub fn read_placement<const N: usize>(name: &str, given: &Argument<'_>) -> PyResult<Placement> {
    let (first, second) = pair(name, given, r#"("a1", "b2")"#)?;
    let read = |square: &str| {
        let last = char::from(b'a' + N as u8 - 1);
        let why = || {
            let square = shown(square);
            format!("{square:?} is not a space; spaces are a1 to {last}{N}")
        };
        parse_square::<N>(square).ok_or_else(|| argument::wrong(name, why()))
    };
    let placement = [read(&first)?, read(&second)?];
    if placement[0] == placement[1] {
        let why = format!("both workers on {first}; a space holds one worker at most");
        return Err(argument::wrong(name, why));
    }
    Ok(placement)
}

/// The placement task: of the first player, or of the second if `first` is passed.
pub fn read_setup<const N: usize>(cards: Cards, first: Option<&Argument<'_>>) -> PyResult<Setup> {
    let first = first.map(|first| read_placement::<N>("first", first));
    Ok(Setup::new(cards, first.transpose()?))
}

/// The names of squares.
pub fn placement_names<const N: usize>(squares: impl IntoIterator<Item = Square>) -> Names {
    let mut names = squares.into_iter().map(square_text::<N>);
    let mut next = || names.next().unwrap_or_default();
    (next(), next())
}

/// The notation of turns.
pub fn turn_names<const N: usize>(turns: &[Turn]) -> Vec<String> {
    let name = |turn: &Turn| turn.text::<N>().to_string();
    turns.iter().map(name).collect()
}

/// The Python object that `json.loads` returns for a value.
pub fn write_json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let json = py.import("json")?;
    json.call_method1("loads", (value.to_string(),))
}
