//! The command line: one file a subcommand, each with its options and help.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod analyze;
mod bench;
mod perft;

/// Player, referee, tournaments and laboratory for the board game Santorini.
///
/// Without arguments this is the tournament player: it reads set-up arrays and
/// boards in JSON from standard input and answers each on standard output.
#[derive(Parser)]
#[command(name = "santorini", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyze(analyze::Args),
    Perft(perft::Args),
    Bench(bench::Args),
}

/// Why a subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The request itself was wrong: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The request was right but could not be carried out: exit code 1.
    #[error("{0}")]
    Failed(String),
}

impl CliError {
    /// Puts what was being done in front of the cause of a failure.
    pub fn failed(doing: impl std::fmt::Display, cause: impl std::fmt::Display) -> Self {
        Self::Failed(format!("{doing}: {cause}"))
    }
}

type CliResult = Result<ExitCode, CliError>;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Analyze(args) => analyze::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    result.unwrap_or_else(|error| {
        // Standard error may be closed; there is nobody left to tell then.
        let _ = writeln!(io::stderr(), "santorini: {error}");
        ExitCode::from(match error {
            CliError::Usage(_) => 2,
            CliError::Failed(_) => 1,
        })
    })
}

/// Reads a whole file, or standard input for `-`, but no more than `limit`
/// bytes of it.
fn read_input(path: &Path, limit: u64) -> Result<String, CliError> {
    let named = |cause: io::Error| CliError::failed(path.display(), cause);
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(std::fs::File::open(path).map_err(named)?)
    };
    let mut text = String::new();
    source
        .take(limit + 1)
        .read_to_string(&mut text)
        .map_err(named)?;
    if text.len() as u64 > limit {
        return Err(CliError::Failed(format!(
            "{}: more than {limit} bytes",
            path.display()
        )));
    }
    Ok(text)
}

/// The default of a FILE argument: standard input.
fn standard_input() -> PathBuf {
    PathBuf::from("-")
}
