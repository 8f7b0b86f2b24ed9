//! `santorini uci`: a text protocol for programs that analyse.

use std::io::{self, BufReader};
use std::process::ExitCode;

use super::engine::EngineArgs;
use super::stdout::stdout;
use super::{CliError, CliResult};
use crate::uci::{self, UciError};

/// Analyse boards through a text protocol like UCI
///
/// Examples:
///   santorini uci
///   printf 'position startpos moves b3d3 c2c4\ngo nodes 100000\n' | santorini uci
///
/// Reads commands from standard input and answers on standard output, as chess
/// engines do: position, go, stop, with info lines during a search. An invalid
/// command is answered with `info string error:`. After an invalid position there
/// is no board.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    // Not locked: the search runs on a thread of its own.
    let done = uci::run(args.engine.options(), BufReader::new(io::stdin()), stdout());
    match done {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(UciError::Output(cause)) => Err(CliError::Output(cause)),
        Err(error) => Err(CliError::Failed(error.to_string())),
    }
}
