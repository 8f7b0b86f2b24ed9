//! Parses the requests of pages: questions, and actions in a live game. An argument has the
//! same type in all of them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::analysis::{MOST_LINES, MOST_SECONDS};
use super::message::{OpponentChoice, TreeEntry};
use crate::printable;
use crate::protocol::excerpt;

/// The maximum characters of an error of serde.
const LONGEST_ERROR: usize = 250;

/// Parses a request: the command `do` and its arguments.
///
/// # Errors
/// If it is no object, an argument has another type, is unknown or missing, or the command is
/// unknown.
pub(super) fn parse_request<T: DeserializeOwned>(request: Value) -> Result<T, String> {
    check_arguments(request.as_object().ok_or("a request must be an object")?)?;
    serde_json::from_value(request).map_err(|error| {
        // In the words of the protocol.
        let words = error
            .to_string()
            .replace("unknown variant", "unknown name")
            .replace("unknown field", "unknown argument")
            .replace("missing field", "missing argument")
            .replace(", there are no fields", "; this command has no arguments");
        printable::printable(&printable::excerpt(&words, LONGEST_ERROR)).into_owned()
    })
}

/// Checks the types of the arguments of a request.
///
/// # Errors
/// For the first one of another type: its name, what it must be, and its value.
fn check_arguments(request: &Map<String, Value>) -> Result<(), String> {
    if let Some(Value::Array(tree)) = request.get("tree")
        && let Some(wrong) = tree.iter().position(|entry| !is_entry(entry))
    {
        let entry = excerpt(&tree[wrong]);
        return Err(format!(
            "entry {wrong} of tree must be like {ENTRY}, not {entry}"
        ));
    }
    request.iter().try_for_each(|(name, value)| {
        expected(name, value).map_or(Ok(()), |expected| {
            Err(format!("{name} must be {expected}, not {}", excerpt(value)))
        })
    })
}

/// An entry of a game with variations.
const ENTRY: &str = r#"{"after":0,"turn":"c3-c4+b4","comment":"!"}"#;

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
        "who" => (
            OpponentChoice::deserialize(value).is_ok(),
            text("{\"level\":3} or {\"program\":0}"),
        ),
        "tree" => (value.is_array(), format!("a list of entries like {ENTRY}")),
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

/// Whether a value is an entry of a game. Serde would also accept a list of its parts.
fn is_entry(value: &Value) -> bool {
    value.is_object() && TreeEntry::deserialize(value).is_ok()
}
