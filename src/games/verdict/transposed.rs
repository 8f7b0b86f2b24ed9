//! Notices boards with rows and columns swapped.

use serde_json::Value;

use super::judge_board;
use crate::protocol::exchange::read_board;
use crate::rules::Position;

/// The part of an illegal answer in which rows and columns are swapped: with them exchanged
/// there, the answer is legal.
pub(super) fn transposed_part<const N: usize>(
    before: &Position<N>,
    answer: &Value,
) -> Option<&'static str> {
    let players = with(answer, "players", exchange);
    let spaces = with(answer, "spaces", transpose::<N>);
    let both = with(&players, "spaces", transpose::<N>);
    let is_legal = |board: &Value| judge_board(before, read_board(board), None).is_ok();
    [
        (players, "\"players\""),
        (spaces, "\"spaces\""),
        (both, "\"players\" and \"spaces\""),
    ]
    .into_iter()
    .find_map(|(board, part)| is_legal(&board).then_some(part))
}

/// The answer with a part changed.
fn with(answer: &Value, part: &str, change: impl Fn(&mut Value)) -> Value {
    let mut answer = answer.clone();
    if let Some(part) = answer.get_mut(part) {
        change(part);
    }
    answer
}

/// Exchanges the row and the column of each space.
fn exchange(value: &mut Value) {
    match value {
        Value::Array(parts) if parts.iter().all(Value::is_number) => parts.reverse(),
        Value::Array(parts) => parts.iter_mut().for_each(exchange),
        Value::Object(parts) => parts.values_mut().for_each(exchange),
        _ => {}
    }
}

/// Makes columns of the rows of a square.
fn transpose<const N: usize>(rows: &mut Value) {
    if rows.as_array().is_some_and(|rows| rows.len() == N) {
        let column = |column: usize| {
            (0..N)
                .map(|row| rows[row][column].clone())
                .collect::<Value>()
        };
        *rows = (0..N).map(column).collect();
    }
}
