//! What subcommands share that work for long and write a text at the end.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use super::CliError;

/// Makes sure that the file can be written: better known now than in an hour.
pub fn check_writable(path: Option<&Path>) -> Result<(), CliError> {
    let Some(path) = path else { return Ok(()) };
    let file = File::options().append(true).create(true).open(path);
    file.map(drop)
        .map_err(|error| CliError::failed(path.display(), error))
}

/// Writes the text to the file, or to standard output if there is none.
pub fn write_out(path: Option<&Path>, text: &str) -> Result<(), CliError> {
    match path {
        Some(path) => {
            fs::write(path, text).map_err(|error| CliError::failed(path.display(), error))
        }
        None => io::stdout()
            .write_all(text.as_bytes())
            .map_err(|error| CliError::failed("standard output", error)),
    }
}

/// A progress bar with the time left on standard error, if that is a terminal.
pub fn progress_bar(length: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left");
    let bar = ProgressBar::new(length).with_message(what);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
