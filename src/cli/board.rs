//! One board in JSON, from a file or an option.

use std::path::Path;

use serde_json::Value;

use super::{CliError, read_input};
use crate::protocol::exchange::read_any_board;
use crate::rules::AnyPosition;

/// Evaluates an expression in which `$n` is a constant, the rows and columns of
/// the board: 6 or else 5. Here the size of a board becomes a type.
macro_rules! with_board_size {
    ($size:expr, $n:ident => $value:expr) => {
        if $size == 6 {
            const $n: usize = 6;
            $value
        } else {
            const $n: usize = 5;
            $value
        }
    };
}
pub(super) use with_board_size;

/// The most that is read of a file with a board, in bytes.
const LONGEST: u64 = 1 << 20;

/// Reads the board in a file, or on standard input for `-`.
pub fn board_in(path: &Path) -> Result<AnyPosition, CliError> {
    let text = read_input(path, LONGEST)?;
    let wrong = |why: String| CliError::Usage(format!("{}: {why}", path.display()));
    let value = board_value(&text).map_err(wrong)?;
    read_any_board(&value).map_err(|error| wrong(error.to_string()))
}

/// Reads the JSON of a board.
///
/// # Errors
/// What is there instead.
pub fn board_value(text: &str) -> Result<Value, String> {
    let wrong = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(_) if text.trim().is_empty() => "it is empty".to_string(),
        Err(error) => format!("not JSON: {error}"),
    };
    Err(format!(
        "{wrong}; a board is {{\"players\":…,\"spaces\":…,\"turn\":…}}"
    ))
}
