//! Judging a board that is said to come after another by one turn.

use serde_json::Value;

use crate::protocol::exchange::read_board;
use crate::rules::{Position, Turn};

/// The legal turn that leads from the position to the board in the JSON
/// value, and the position after it.
///
/// # Errors
/// What is wrong with the board, in words for its author.
pub fn judge<const N: usize>(
    before: &Position<N>,
    answer: &Value,
) -> Result<(Turn, Position<N>), String> {
    let after = read_board(answer).map_err(|error| error.to_string())?;
    let turn = before.turn_to(&after);
    turn.map(|turn| (turn, after))
        .ok_or_else(|| "no legal turn leads to this board".to_string())
}
