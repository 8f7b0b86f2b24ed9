//! Output of commands: results on standard output, messages for people on standard
//! error, and files. No other code of the program prints.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::CliError;
use super::files::write_file;
use super::input::is_standard;
use super::stdout::stdout;
use crate::mutex::MutexExt as _;
use crate::printable::printable_lines;

/// The file of an output option; `None` for standard output: without the option, or with `-`.
pub(super) fn file_of(out: Option<&PathBuf>) -> Option<&Path> {
    out.map(PathBuf::as_path).filter(|path| !is_standard(path))
}

/// Writes text to a file or, without one, to standard output.
pub(super) fn write_or_print(file: Option<&Path>, text: &str) -> Result<(), CliError> {
    match file {
        Some(file) => write_file(file, text.as_bytes()),
        None => print(text),
    }
}

/// Writes text to standard output.
///
/// # Errors
/// [`CliError::Output`], which `main` turns into the right exit code.
pub(super) fn print(text: impl Display) -> Result<(), CliError> {
    // In one write, so that the reader does not get it in pieces.
    let text = text.to_string();
    let mut output = stdout();
    let written = output.write_all(text.as_bytes());
    written
        .and_then(|()| output.flush())
        .map_err(CliError::Output)
}

/// Writes text for programs to standard output: unchanged, but made printable on a
/// terminal.
///
/// # Errors
/// As [`print`].
pub(super) fn print_data(text: &str) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        print(printable_lines(text))
    } else {
        print(text)
    }
}

/// The width in characters of the terminal that standard output is, if it is one.
pub(super) fn terminal_width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(width, _)| usize::from(width.0))
}

/// Writes lines for people to standard error, with control characters made printable.
/// A failure is ignored.
pub(super) fn say(text: &str) {
    show(&printable_lines(text));
}

/// Warns if many games are copies of others: the interval of the score counts each as new
/// evidence.
pub(super) fn note_copies(different: u64, games: u64, advice: &str) {
    if different < games * 9 / 10 {
        say(&format!(
            "santorini: only {different} of the {games} games are different, so the interval is \
             too narrow; {advice}"
        ));
    }
}

/// Like [`say`], but repeats no message.
pub(super) fn say_once(text: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.locked();
    if said.insert(text.to_string()) {
        say(text);
    }
}

/// Writes a drawing, which may be in colour, to standard error.
pub(super) fn show(drawing: &str) {
    let _ = writeln!(io::stderr(), "{drawing}");
}
