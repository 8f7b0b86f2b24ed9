//! `santorini guard`: kills the players of a referee that was killed. Only the referee
//! starts it.

use std::process::ExitCode;

use super::CliResult;
use crate::program::guard;

/// Wait for the end of standard input, then kill the players of a referee.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The process ID of the referee.
    referee: u32,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    guard(args.referee);
    Ok(ExitCode::SUCCESS)
}
