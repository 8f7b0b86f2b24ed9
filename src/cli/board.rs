//! One board from a file.

use std::path::Path;

use super::CliError;
use super::input::{name_of, read_input};
use crate::protocol::written::read_written_board;
use crate::rules::AnyPosition;

/// Evaluates an expression with the size of the board as a constant `$n`: 6, or else 5.
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

/// The maximum size of a file with a board, in bytes.
const LONGEST: u64 = 1 << 20;

/// Reads the board in a file, or on standard input for `-`.
pub(super) fn board_in(path: &Path) -> Result<AnyPosition, CliError> {
    let text = read_input(path, LONGEST)?;
    read_written_board(&text).map_err(|mut why| {
        if text.trim_start().starts_with("{\"game\":") {
            why = "it holds a game, but a board is needed: `json` in `santorini play --from FILE` \
                   prints one; `santorini review FILE` judges the game"
                .into();
        }
        CliError::Usage(format!("{}: {why}", name_of(path)))
    })
}
