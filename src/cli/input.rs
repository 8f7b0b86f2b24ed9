//! Input of commands: a file, or standard input for `-`.

use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use super::CliError;
use super::output::say;
use crate::files::{open_input, read_all};
use crate::printable::shown;
use crate::protocol::BYTE_ORDER_MARK;

/// The default of a FILE argument: standard input.
pub(super) fn standard_input() -> PathBuf {
    PathBuf::from("-")
}

/// Whether a FILE argument is `-`, which stands for standard input or output.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of an input in messages.
pub(super) fn name_of(path: &Path) -> String {
    match is_standard(path) {
        true => "standard input".into(),
        false => shown(path),
    }
}

/// Opens a file, or standard input. On a terminal a message says that it is read.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read>, CliError> {
    if !is_standard(path) {
        let file = open_input(path).map_err(|cause| CliError::failed(name_of(path), cause))?;
        return Ok(Box::new(file));
    }
    let input = io::stdin();
    if input.is_terminal() {
        say("santorini: reading standard input; press Ctrl-D at its end");
    }
    Ok(Box::new(input.lock()))
}

/// Reads a whole file, or standard input, of at most `limit` bytes. Skips a byte order
/// mark at the beginning.
pub(super) fn read_input(path: &Path, limit: u64) -> Result<String, CliError> {
    let named = |cause: io::Error| CliError::failed(name_of(path), cause);
    let mut bytes = read_all(open(path)?, limit).map_err(named)?;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes).map_err(|_| CliError::failed(name_of(path), "not text in UTF-8"))
}
