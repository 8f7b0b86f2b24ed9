//! The commands of questions, and what their arguments must be. An argument of one name is
//! the same in all questions.

use serde_json::{Map, Value};

use super::analysis::{MOST_LINES, MOST_SECONDS};
use crate::printable::listed;
use crate::protocol::excerpt;

/// The commands with their arguments; `?` marks optional ones.
const COMMANDS: [(&str, &str); 15] = [
    ("hello", ""),
    ("look", "position turn?"),
    ("read", "text"),
    ("explain", "position turn"),
    ("play", "position who seed?"),
    ("place", "size cards? first? who seed?"),
    ("analyze", "position lines? seconds depth?"),
    ("compare", "position seconds depth?"),
    ("placements", "cards? first?"),
    ("review", "position turns players?"),
    ("puzzles", ""),
    ("game", "value"),
    ("record", "position tree players"),
    ("svg", "position turn? players?"),
    ("stop", "what"),
];

/// Checks the command of a question and the names of its arguments.
///
/// # Errors
/// If the command is unknown, has an unknown argument, or lacks one.
pub(super) fn check_command(question: &Map<String, Value>) -> Result<(), String> {
    let given = question.get("do");
    let is_given = |name: &str| given.is_some_and(|it| it == name);
    let Some((name, arguments)) = COMMANDS.iter().find(|(name, _)| is_given(name)) else {
        let names = COMMANDS.map(|(name, _)| name).join(", ");
        let given = given.map_or("missing".into(), excerpt);
        return Err(format!("do must be one of {names}; it is {given}"));
    };
    let mut known = vec!["do"];
    for argument in arguments.split_whitespace() {
        match argument.strip_suffix('?') {
            Some(optional) => known.push(optional),
            None if question.contains_key(argument) => known.push(argument),
            None => return Err(format!("{name} needs the argument {argument}")),
        }
    }
    match question.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let key = excerpt(&key.as_str().into());
            let has = match &known[1..] {
                [] => "it has none".into(),
                own => format!("it has {}", listed(own)),
            };
            Err(format!("{name} has no argument {key}; {has}"))
        }
    }
}

/// Checks the types of the arguments of a question.
///
/// # Errors
/// For the first one of another type: its name, what it must be, and its value.
pub(super) fn check_arguments(question: &Map<String, Value>) -> Result<(), String> {
    if let Some(Value::Array(tree)) = question.get("tree")
        && let Some(wrong) = tree.iter().position(|entry| !is_entry(entry))
    {
        let entry = excerpt(&tree[wrong]);
        return Err(format!(
            "entry {wrong} of tree must be like {ENTRY}, not {entry}"
        ));
    }
    question.iter().try_for_each(|(name, value)| {
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
        "who" => (is_opponent(value), text("{\"level\":3} or {\"program\":0}")),
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

/// Whether a value is an object with a number of one kind.
fn is_opponent(value: &Value) -> bool {
    let is_number = |key| value.get(key).is_some_and(Value::is_u64);
    let is_one = value.as_object().is_some_and(|object| object.len() == 1);
    is_one && (is_number("level") || is_number("program"))
}

/// Whether a value is an object that has only parts of an entry of a game, with their types.
fn is_entry(value: &Value) -> bool {
    let is_part = |(key, value): (&String, &Value)| match key.as_str() {
        "after" => optional(value, Value::is_u64),
        "turn" | "comment" => optional(value, Value::is_string),
        _ => false,
    };
    value
        .as_object()
        .is_some_and(|entry| entry.iter().all(is_part))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::message::Question;
    use super::*;

    /// The names in the error for an unknown one.
    fn expected_names(question: Value) -> Vec<String> {
        let error = serde_json::from_value::<Question>(question).unwrap_err();
        let text = error.to_string();
        let (_, names) = text.split_once(", ").unwrap();
        let names = names.split('`').skip(1).step_by(2);
        names.map(String::from).collect()
    }

    #[test]
    fn the_commands_are_those_of_questions() {
        let names = COMMANDS.map(|(name, _)| name);
        assert_eq!(expected_names(json!({ "do": "?" })), names);
        for (name, arguments) in COMMANDS {
            let own = arguments.replace('?', "");
            let own: Vec<&str> = own.split_whitespace().collect();
            assert_eq!(expected_names(json!({ "do": name, "?": 0 })), own, "{name}");
            let needed = arguments.split_whitespace().find(|it| !it.ends_with('?'));
            let read = serde_json::from_value::<Question>(json!({ "do": name }));
            let error = read.err().map(|error| error.to_string());
            assert_eq!(error, needed.map(|it| format!("missing field `{it}`")));
        }
    }
}
