//! The exchange protocol, which sends JSON values over standard input and output, and the
//! protocol of TCP tournaments.
//!
//! | to see or change | look at |
//! |---|---|
//! | the JSON of boards and set-up arrays, messages for JSON that is neither | `exchange.rs` |
//! | finding values in a stream, recovery from bad input | `stream.rs` |
//! | what is wrong with text that is not JSON, and where | `bad_input.rs` |
//! | hints for usual mistakes in JSON | `json_hint.rs` |
//! | the end of a JSON value, byte by byte | `scanner.rs` |
//! | the maximum size of a value, the memory of a parsed one | `bounded.rs` |
//! | a board written by a person, in JSON or as one line | `written.rs` |
//! | the guide for authors of players, `santorini help rules` | `RULES.txt` |
//! | the lines of the TCP tournament protocol | `tcp.rs`, `TCP.txt` |
//!
//! | to add | change |
//! |---|---|
//! | a key of boards or set-up arrays | `exchange.rs` with its `KEYS`, `RULES.txt`; the players of `src/contest/new_bot/` |
//! | a line of the TCP protocol | `tcp.rs`, `TCP.txt`; the code that writes and reads it, `src/contest/server/`, `src/contest/bot/` |

use serde_json::Value;

use crate::printable::{self, printable};

mod bad_input;
pub mod bounded;
pub mod exchange;
#[cfg(feature = "program")]
pub(crate) mod json_hint;
mod scanner;
pub mod stream;
pub mod tcp;
pub(crate) mod written;

/// The environment variable that tells a player program the seconds for an answer.
pub const TIME_VARIABLE: &str = "SANTORINI_TIME";

/// The UTF-8 byte order mark, which some editors and languages write at the start of a
/// text. It is skipped at the start of all input.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The value as printable text, cut to a readable length.
pub(crate) fn excerpt(value: &Value) -> String {
    const LENGTH: usize = 40;
    printable(&printable::excerpt(&value.to_string(), LENGTH)).into_owned()
}

/// The parser's reason without its line and column.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((reason, _)) => reason.to_string(),
        None => text,
    }
}

/// Why a text of one line is not JSON, with the column but without the number of the line.
pub(crate) fn reason_in_line(error: &serde_json::Error) -> String {
    match error.column() {
        0 => reason(error),
        column => format!("{} at column {column}", reason(error)),
    }
}
