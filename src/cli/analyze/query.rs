//! The queries of `analyze --batch`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::at_size;
use crate::cli::LONGEST_TIME;
use crate::protocol::exchange::read_any_board;
use crate::protocol::written::read_written_board;
use crate::rules::AnyPosition;
use crate::search::{Limits, MAX_PLY};

/// The maximum length of an id, in bytes.
const LONGEST_ID: usize = 200;

/// The maximum number of lines: there are fewer turns on any board.
pub(super) const MOST_LINES: u16 = 10_000;

/// A value of the input, unchecked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: Value,
    board: Option<Value>,
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    lines: Option<usize>,
    #[serde(default)]
    priority: i64,
    every: Option<f64>,
    #[serde(default)]
    stop: bool,
}

/// A checked value of the input.
#[derive(Debug)]
pub(super) enum BatchRequest {
    Analyze(Box<Query>),
    /// End the analysis with this id.
    Stop(Value),
}

/// A position to analyse.
#[derive(Debug)]
pub(super) struct Query {
    pub id: Value,
    pub position: AnyPosition,
    pub limits: Limits,
    pub lines: usize,
    pub priority: i64,
    /// The interval between partial results, if they are wanted.
    pub every: Option<Duration>,
}

/// The limits and lines of queries that have none.
#[derive(Clone, Copy)]
pub(super) struct Defaults {
    pub limits: Limits,
    pub lines: usize,
}

/// Reads a request. The error comes with the id, if there is one.
pub(super) fn read(value: Value, defaults: &Defaults) -> Result<BatchRequest, (Value, String)> {
    let id = value.get("id").filter(|id| is_id(id)).cloned();
    let id = id.unwrap_or(Value::Null);
    request(value, defaults).map_err(|why| (id, why))
}

fn request(value: Value, defaults: &Defaults) -> Result<BatchRequest, String> {
    if !value.is_object() {
        return Err("a query is an object, {...}".into());
    }
    let written: Written = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if !is_id(&written.id) {
        return Err(format!(
            "the id must be a whole number of at most 64 bits, or a string of at most {LONGEST_ID} \
             bytes"
        ));
    }
    if written.stop {
        return Ok(BatchRequest::Stop(written.id));
    }
    let position = match &written.board {
        None => return Err("there is no \"board\"".into()),
        Some(Value::String(text)) => read_written_board(text)?,
        Some(board) => read_any_board(board).map_err(|error| error.to_string())?,
    };
    let over = at_size!(&position, board => board.shows_win() || !board.has_turn());
    if over {
        return Err("the game is over on this board".into());
    }
    let lines = written.lines.unwrap_or(defaults.lines);
    if !(1..=MOST_LINES.into()).contains(&lines) {
        return Err(format!("lines is {lines}; use 1 to {MOST_LINES}"));
    }
    Ok(BatchRequest::Analyze(Box::new(Query {
        limits: limits(&written, defaults)?,
        every: written
            .every
            .map(|every| seconds("every", every))
            .transpose()?,
        id: written.id,
        position,
        lines,
        priority: written.priority,
    })))
}

fn is_id(id: &Value) -> bool {
    match id {
        // Other numbers would come back rounded.
        Value::Number(number) => number.is_i64() || number.is_u64(),
        Value::String(text) => text.len() <= LONGEST_ID,
        _ => false,
    }
}

/// The limits of a query: its own, if it has any.
fn limits(written: &Written, defaults: &Defaults) -> Result<Limits, String> {
    let Written {
        time, nodes, depth, ..
    } = *written;
    if (time, nodes, depth) == (None, None, None) {
        return Ok(defaults.limits);
    }
    if nodes == Some(0) {
        return Err("nodes is 0; use 1 or more".into());
    }
    if depth.is_some_and(|depth| !(1..=MAX_PLY as u32).contains(&depth)) {
        return Err(format!("depth must be 1 to {MAX_PLY}"));
    }
    Ok(Limits {
        time: time.map(|time| seconds("time", time)).transpose()?,
        nodes,
        depth,
        ..Limits::default()
    })
}

fn seconds(name: &str, value: f64) -> Result<Duration, String> {
    let most = LONGEST_TIME.as_secs_f64();
    match value > 0.0 && value <= most {
        true => Ok(Duration::from_secs_f64(value)),
        false => Err(format!(
            "{name} is {value}; use seconds above 0 and up to {most}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(value: Value) -> Result<BatchRequest, (Value, String)> {
        let limits = Limits::depth(3);
        read(value, &Defaults { limits, lines: 2 })
    }

    const BOARD: &str = "00000/00010/00000/00000/00000 b3d3 c2c4 1";

    #[test]
    fn a_query_has_its_own_limits_or_the_defaults() {
        let Ok(BatchRequest::Analyze(query)) = asked(json!({"id": 7, "board": BOARD})) else {
            panic!();
        };
        assert_eq!((query.limits, query.lines), (Limits::depth(3), 2));
        let own = json!({"id": "a", "board": BOARD, "nodes": 9, "lines": 1, "every": 0.5});
        let Ok(BatchRequest::Analyze(query)) = asked(own) else {
            panic!();
        };
        assert_eq!((query.limits, query.lines), (Limits::nodes(9), 1));
        assert_eq!(query.every, Some(Duration::from_millis(500)));
        assert!(matches!(
            asked(json!({"id": 1, "stop": true})),
            Ok(BatchRequest::Stop(_))
        ));
    }

    #[test]
    fn wrong_queries_are_explained_with_their_id() {
        let over = "00000/00030/00000/00000/00000 d2d3 c2c4 1";
        for (value, words) in [
            (json!({"id": 1}), "no \"board\""),
            (json!({"id": 1, "board": over}), "the game is over"),
            (json!({"id": 1, "board": "x"}), "it is not a board"),
            (json!({"id": 1, "board": {}}), "the board has no"),
            (
                json!({"id": 1, "board": BOARD, "node": 5}),
                "unknown field `node`",
            ),
            (
                json!({"id": 1, "board": BOARD, "nodes": 0}),
                "use 1 or more",
            ),
            (
                json!({"id": 1, "board": BOARD, "nodes": -1}),
                "invalid value",
            ),
            (json!({"id": 1, "board": BOARD, "lines": 0}), "use 1 to"),
            (
                json!({"id": 1, "board": BOARD, "depth": 0}),
                "depth must be 1",
            ),
            (
                json!({"id": 1, "board": BOARD, "time": 0.0}),
                "seconds above 0",
            ),
            (
                json!({"id": 1, "board": BOARD, "every": -1.0}),
                "seconds above 0",
            ),
        ] {
            let (id, said) = asked(value.clone()).unwrap_err();
            assert_eq!(id, json!(1), "{value}");
            assert!(said.contains(words), "{value}: {said}");
        }
        for value in [
            json!({"board": BOARD}),
            json!({"id": [], "board": BOARD}),
            json!({"id": 18_446_744_073_709_551_616.0, "board": BOARD}),
            json!([]),
        ] {
            let (id, said) = asked(value).unwrap_err();
            assert_eq!(id, Value::Null);
            assert!(!said.contains("struct"), "{said}");
        }
    }
}
