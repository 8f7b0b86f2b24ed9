//! What subcommands write: results on standard output, words for people on
//! standard error, and files. Nothing else of the program prints.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::CliError;
use super::engine::EvalArg;
use super::files::{ForceArgs, write_file};
use super::interrupt::stop_flag;
use super::stdout::stdout;
use crate::files::Kind;
use crate::jobs::{Jobs, default_threads};
use crate::printable::printable_lines;

/// The options of subcommands that make a part of the program by searching.
#[derive(clap::Args)]
pub struct MakingArgs {
    /// How many searches run at the same time. The default is one on each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u64,
          hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
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
    /// Makes sure that the result, a file of this kind, can be written, and is not one of
    /// those that are read; returns the flag that signals set.
    pub fn prepare(&self, kind: Kind, reads: &[PathBuf]) -> Result<Arc<AtomicBool>, CliError> {
        let uses = self.force.uses().reads(self.eval.file());
        let uses = uses.reads(reads);
        uses.replaces(self.out.as_deref(), kind).check()?;
        stop_flag()
    }

    /// The threads to work on until `stop` is set.
    pub fn jobs<'a>(&self, stop: &'a AtomicBool) -> Jobs<'a> {
        Jobs {
            threads: self.threads as usize,
            stop,
        }
    }

    /// Whether what was made would replace a file.
    pub fn replaces(&self) -> bool {
        self.out.as_ref().is_some_and(|path| path.exists())
    }

    /// Writes what was made.
    pub fn write(&self, text: &str) -> Result<(), CliError> {
        match &self.out {
            Some(path) => write_file(path, text.as_bytes()),
            None => print(text),
        }
    }
}

/// Writes text to standard output.
///
/// # Errors
/// [`CliError::Output`]; handed on to `main`, it ends the program as it should.
pub fn print(text: impl Display) -> Result<(), CliError> {
    // All at once: what is written piece by piece is sent piece by piece.
    let text = text.to_string();
    let mut output = stdout();
    let written = output.write_all(text.as_bytes());
    written
        .and_then(|()| output.flush())
        .map_err(CliError::Output)
}

/// Writes text for programs to standard output, exactly as it is unless that is
/// a terminal.
///
/// # Errors
/// As [`print`].
pub fn print_data(text: &str) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        print(printable_lines(text))
    } else {
        print(text)
    }
}

/// The width in characters of the terminal that standard output is, if it is one.
pub fn terminal_width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(width, _)| usize::from(width.0))
}

/// A line, or some, for people; what others wrote is made printable. Where
/// nobody can read it, the work goes on.
pub fn say(text: &str) {
    show(&printable_lines(text));
}

/// The same as [`say`], unless it was said before.
pub fn say_once(text: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(text.to_string()) {
        say(text);
    }
}

/// A drawing for people, which may be in colour.
pub fn show(drawing: &str) {
    let _ = writeln!(io::stderr(), "{drawing}");
}
