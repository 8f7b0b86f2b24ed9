//! What Python passes and gets: JSON, cards, squares, turns.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use santorini::rules::{Card, Cards, Placement, Setup, Square, Turn, parse_square, square_text};
use serde_json::Value;

/// An error in what was passed.
pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The error of a size that no board has.
pub fn wrong_size(size: usize) -> PyErr {
    wrong(format!("a board of {size} rows; boards have 5 or 6"))
}

/// Two names, as Python passes pairs.
pub type Names = (String, String);

/// The cards with these names.
pub fn read_cards(names: Option<Names>) -> PyResult<Cards> {
    match names {
        None => Ok([None, None]),
        Some(names) => Ok(read_card_pair(names)?.map(Some)),
    }
}

/// The cards with these names, which differ.
pub fn read_card_pair((first, second): Names) -> PyResult<[Card; 2]> {
    let read = |name: String| name.parse::<Card>().map_err(wrong);
    let pair = [read(first)?, read(second)?];
    if pair[0] == pair[1] {
        return Err(wrong("both players have the same card; theirs must differ"));
    }
    Ok(pair)
}

/// The squares with these names.
pub fn read_placement<const N: usize>((first, second): &Names) -> PyResult<Placement> {
    let read = |name: &str| {
        let last = char::from(b'a' + N as u8 - 1);
        let why = || {
            wrong(format!(
                "{name:?} is not a space; spaces are a1 to {last}{N}"
            ))
        };
        parse_square::<N>(name).ok_or_else(why)
    };
    let placement = [read(first)?, read(second)?];
    if placement[0] == placement[1] {
        return Err(wrong(format!(
            "both workers on {first}; a space holds one worker at most"
        )));
    }
    Ok(placement)
}

/// The task of placing the own workers, as the first player or after the first.
pub fn read_setup<const N: usize>(cards: Cards, first: Option<&Names>) -> PyResult<Setup> {
    let first = first.map(read_placement::<N>).transpose()?;
    Ok(match first {
        None => Setup::First { cards },
        Some(first) => Setup::Second { cards, first },
    })
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

/// The JSON value of a text of JSON, or of what `json.loads` gives for one.
pub fn read_json(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let text: String = match value.extract() {
        Ok(text) => text,
        Err(_) => {
            let json = value.py().import("json")?;
            json.call_method1("dumps", (value,))?.extract()?
        }
    };
    serde_json::from_str(&text).map_err(|error| wrong(format!("not JSON: {error}")))
}

/// What `json.loads` gives for a value.
pub fn write_json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let json = py.import("json")?;
    json.call_method1("loads", (value.to_string(),))
}
