//! What the arguments of questions must be. An argument of one name is the same in all
//! questions.

use serde_json::{Map, Value};

use super::analysis::{MOST_LINES, MOST_SECONDS};
use crate::protocol::excerpt;

/// Checks the types of the arguments of a question.
///
/// # Errors
/// For the first one of another type: its name, what it must be, and its value.
pub(super) fn check_arguments(question: &Map<String, Value>) -> Result<(), String> {
    question.iter().try_for_each(|(name, value)| {
        expected(name, value).map_or(Ok(()), |expected| {
            Err(format!("{name} must be {expected}, not {}", excerpt(value)))
        })
    })
}

/// What an argument must be, if its value has another type.
fn expected(name: &str, value: &Value) -> Option<String> {
    let text = |what: &str| what.to_string();
    let is_whole_up_to = |most| value.as_u64().is_some_and(|number| number <= most);
    let (is_right, what) = match name {
        "do" => (value.is_string(), text("the name of a command")),
        "position" | "text" => (value.is_string(), text("a string")),
        "turn" => (
            optional(value, Value::is_string),
            text("a turn like \"c3-c4+b4\""),
        ),
        "turns" => (
            is_list(value, Value::is_string),
            text("a list of turns like [\"c3-c4+b4\"]"),
        ),
        "lines" => (
            value.is_u64(),
            format!("a whole number from 1 to {MOST_LINES}"),
        ),
        "depth" => (
            value.is_null() || is_whole_up_to(u32::MAX.into()),
            format!("a whole number from 1 to {}", u32::MAX),
        ),
        "seconds" => (
            value.is_number(),
            format!("a number above 0, at most {MOST_SECONDS}"),
        ),
        "seed" | "what" | "number" => (
            value.is_u64(),
            format!("a whole number from 0 to {}", u64::MAX),
        ),
        "size" => (value.is_u64(), text("5 or 6")),
        "seat" => (value.is_u64(), text("0 or 1")),
        "yes" => (value.is_boolean(), text("true or false")),
        "squares" => (is_pair(value), text("two spaces like [\"c2\",\"c4\"]")),
        "first" => (
            optional(value, is_pair),
            text("two spaces like [\"c2\",\"c4\"]"),
        ),
        "cards" => (
            optional(value, is_pair),
            text("two cards like [\"Pan\",\"Atlas\"]"),
        ),
        "players" => (
            optional(value, is_pair),
            text("two names like [\"ann\",\"bob\"]"),
        ),
        "who" => (is_opponent(value), text("{\"level\":3} or {\"program\":0}")),
        "tree" => (
            is_list(value, is_entry),
            text("a list of entries like {\"after\":0,\"turn\":\"c3-c4+b4\",\"comment\":\"!\"}"),
        ),
        _ => return None,
    };
    (!is_right).then_some(what)
}

fn optional(value: &Value, is_right: fn(&Value) -> bool) -> bool {
    value.is_null() || is_right(value)
}

fn is_list(value: &Value, is_right: fn(&Value) -> bool) -> bool {
    value
        .as_array()
        .is_some_and(|list| list.iter().all(is_right))
}

fn is_pair(value: &Value) -> bool {
    is_list(value, Value::is_string) && value.as_array().is_some_and(|list| list.len() == 2)
}

/// Whether a value is an object with numbers where an opponent has them.
fn is_opponent(value: &Value) -> bool {
    let is_right = |key| value.get(key).is_none_or(Value::is_u64);
    value.is_object() && is_right("level") && is_right("program")
}

/// Whether a value is an object with the right types where an entry of a game has them.
fn is_entry(value: &Value) -> bool {
    let is_right =
        |key, is_right: fn(&Value) -> bool| value.get(key).is_none_or(|it| optional(it, is_right));
    value.is_object()
        && is_right("after", Value::is_u64)
        && is_right("turn", Value::is_string)
        && is_right("comment", Value::is_string)
}
