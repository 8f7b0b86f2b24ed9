//! `santorini check`: does one legal turn lead from a board to the next?

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;

use super::board::with_board_size;
use super::input::{name_of, open, standard_input};
use super::output::{print_data, say};
use super::{CliError, CliResult};
use crate::printable::printable;
use crate::protocol::exchange::{board_size, read_board};
use crate::protocol::json_hint;
use crate::protocol::stream::{Framed, Framer, InputFault, ValueReader};
use crate::verdict::judge;

/// Check turns: does one legal turn lead from a board to the next?
///
/// Example: a worker climbs three levels at once
///   santorini check --why <<'END'
///   "too high"
///   {"players":[[[2,3],[4,4]],[[2,5],[3,5]]],"turn":18,
///    "spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]]}
///   {"players":[[[2,5],[3,5]],[[2,3],[4,3]]],"turn":19,
///    "spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]]}
///   END
///
///   On standard output:
///   "too high"
///   "invalid"
///
///   On standard error:
///   "too high": the worker on d4 (4,4) cannot step to c4 (4,3): from level 0 to 3
///
/// Reads JSON values until the end of input, three for each turn: a string that
/// describes it, the board before it and the board after it. Prints the
/// description as a JSON string, and "ok" or "invalid" on the next line. Boards
/// may have cards, and may be 5x5 or 6x6. The exit code is 0, also for invalid
/// turns, and 1 if the input is not made of such values.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Explain on standard error which rule each invalid turn breaks.
    #[arg(long)]
    why: bool,
    /// The file with the descriptions and boards, or - for standard input.
    #[arg(default_value_os_t = standard_input())]
    file: PathBuf,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let mut values = Values::open(&args.file)?;
    while let Some(description) = values.description()? {
        let before = values.board("before")?;
        let after = values.board("after")?;
        let verdict = judge_values(&before, &after);
        let word = if verdict.is_ok() { "ok" } else { "invalid" };
        print_data(&format!("{description}\n\"{word}\"\n"))?;
        if let (true, Err(broken)) = (args.why, verdict) {
            say(&printable(&format!("{description}: {broken}")));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks that a legal turn leads from one board to the other.
fn judge_values(before: &Value, after: &Value) -> Result<(), String> {
    fn judge_sized<const N: usize>(before: &Value, after: &Value) -> Result<(), String> {
        let before =
            read_board::<N>(before).map_err(|error| format!("the board before: {error}"))?;
        judge(&before, after).map_err(|broken| broken.to_string())?;
        Ok(())
    }
    with_board_size!(board_size(before).unwrap_or(5), N => judge_sized::<N>(before, after))
}

/// The values of the input: a string, two boards, and so on.
struct Values {
    /// The name of the input in errors.
    name: String,
    reader: ValueReader<Box<dyn io::Read>>,
}

impl Values {
    fn open(path: &Path) -> Result<Self, CliError> {
        Ok(Self {
            name: name_of(path),
            reader: ValueReader::with_framer(open(path)?, Framer::with_strings()),
        })
    }

    /// The next value; `expected` says what it should be.
    fn next(&mut self, expected: &str) -> Result<Option<Framed>, CliError> {
        let failed = |error: &dyn std::fmt::Display| CliError::failed(&self.name, error);
        let found = self.reader.read().map_err(|error| failed(&error))?;
        found.transpose().map_err(|bad| match bad.fault {
            InputFault::Bare(found) => {
                failed(&format!("{}: expected {expected}, found {found}", bad.at))
            }
            InputFault::NotJson { .. } => match json_hint::hint(self.reader.unread()) {
                Some(hint) => failed(&format!("{bad}; {hint}")),
                None => failed(&bad),
            },
            _ => failed(&bad),
        })
    }

    /// The next description; `None` at the end of the input.
    fn description(&mut self) -> Result<Option<Value>, CliError> {
        let expected = "a string that describes the next turn";
        match self.next(expected)? {
            Some(framed) if !framed.value.is_string() => Err(CliError::failed(
                &self.name,
                format!(
                    "{}: expected {expected}, found a board or an array",
                    framed.at
                ),
            )),
            found => Ok(found.map(|framed| framed.value)),
        }
    }

    /// The board before or after a turn.
    fn board(&mut self, which: &str) -> Result<Value, CliError> {
        let expected = format!("the board {which} the turn");
        let wrong = match self.next(&expected)? {
            Some(framed) if !framed.value.is_string() => return Ok(framed.value),
            Some(framed) => format!("{}: expected {expected}, found a string", framed.at),
            None => format!("the input ends where {expected} should be"),
        };
        Err(CliError::failed(&self.name, wrong))
    }
}
