//! `santorini guard`: reports which players ran when a referee was killed, and kills them.
//! Only the referee starts it.

use std::process::ExitCode;

use super::CliResult;
use super::kills::note_kill;
use super::output::say;
use crate::printable::listed;
use crate::program::{Noticed, kill_players, watch};

/// Wait for the end of standard input, then kill the players of a referee.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The process ID of the referee.
    referee: u32,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let referee = args.referee;
    watch(referee, |noticed| match noticed {
        Noticed::Stopped(names) => say(&format!(
            "santorini: this program was stopped by a signal while {} played; \
             `kill -CONT {referee}` continues it",
            listed(&names)
        )),
        Noticed::Killed(names, file) => {
            say(&format!(
                "santorini: this program was killed while {} played",
                listed(&names)
            ));
            // The line above says the same.
            let _ = file.map(|file| note_kill(&file, &names));
        }
        Noticed::Harmed(harm) => say(&format!("santorini: {harm}")),
    });
    kill_players(referee);
    Ok(ExitCode::SUCCESS)
}
