//! Output of commands: results on standard output, messages for people on standard
//! error, and files. No other code of the program prints.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use super::CliError;
use super::engine::{EvalArg, threads_from};
use super::files::{ForceArgs, write_file};
use super::interrupt::stop_flag;
use super::stdout::stdout;
use crate::files::Kind;
use crate::jobs::{Jobs, default_threads};
use crate::mutex::MutexExt as _;
use crate::printable::printable_lines;

/// The options of commands that make a book by searching.
#[derive(clap::Args)]
pub(super) struct MakingArgs {
    /// How many searches run at the same time. The default is one on each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u16,
          hide_default_value = true, value_parser = threads_from(1))]
    threads: u16,
    /// The evaluation: network, tuned, paper, or the file of a network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    pub eval: EvalArg,
    /// The file to write. The default is standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

impl MakingArgs {
    /// Checks that the result, a file of this kind, can be written and is not also read;
    /// returns the flag that signals set.
    pub(super) fn prepare(
        &self,
        kind: Kind,
        reads: &[PathBuf],
    ) -> Result<Arc<AtomicBool>, CliError> {
        let uses = self.force.uses().reads(self.eval.file());
        let uses = uses.reads(reads);
        uses.replaces(self.out.as_deref(), kind).check()?;
        stop_flag()
    }

    /// The threads, which work until `stop` is set.
    pub(super) fn jobs<'a>(&self, stop: &'a AtomicBool) -> Jobs<'a> {
        Jobs {
            threads: self.threads.into(),
            stop,
        }
    }

    /// Whether the result would replace a file.
    pub(super) fn replaces(&self) -> bool {
        self.out.as_ref().is_some_and(|path| path.exists())
    }

    /// Writes the result.
    pub(super) fn write(&self, text: &str) -> Result<(), CliError> {
        write_or_print(self.out.as_deref(), text)
    }
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

/// Says so if many games are copies of others, which the interval of the score takes for
/// new evidence.
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
