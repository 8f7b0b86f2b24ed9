//! `santorini player`, and `santorini` without arguments: the player program.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use super::engine::{EngineArgs, THREADS_VARIABLE};
use super::level::{LevelArgs, levels_help};
use super::output::say;
use super::stdout::stdout;
use super::{CliError, CliResult, parse_seconds};
use crate::jobs::{MOST_THREADS, default_threads};
use crate::memory;
use crate::player::{DEFAULT_TIME, JsonPlayer, PlayerOptions};
use crate::protocol::TIME_VARIABLE;
use crate::search::EngineOptions;

/// Answer boards in JSON: the player program, with options
///
/// Examples:
///   echo '[]' | santorini player --time 0.5
///   echo '[{"card":"Pan"},{"card":"Atlas"}]' | santorini player
///   santorini player --threads 1 --eval network.bin < boards.json
///   santorini tournament './santorini player --level 3' ./santorini
///
/// Without options it is the same as `santorini` without arguments. It reads
/// set-up arrays and boards from standard input and answers each with a line on
/// standard output. A value that it cannot answer is reported on standard error
/// and skipped. The exit code is 0 if all values were answered, otherwise 1.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = levels_help(
        "`santorini help rules` explains the JSON of boards and set-up arrays."
    )
)]
pub(super) struct Args {
    /// The time for an answer. The default is the value of the environment
    /// variable SANTORINI_TIME, or else 2.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// The part of the time limit that is not used for search, at most 70% of it.
    /// Without this option it is 10 ms plus 10% of the limit, or more on a machine with
    /// long scheduling delays, up to 90%.
    #[arg(long, value_name = "SECONDS", value_parser = parse_overhead)]
    overhead: Option<Duration>,
    /// The nodes to search for each turn, for games that do not depend on the speed of
    /// the machine. The time limit still holds.
    #[arg(long, value_name = "N", conflicts_with = "level",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search in the opponent's time too. Use it only if each player has its own cores;
    /// otherwise it slows the opponent down.
    #[arg(long, conflicts_with_all = ["nodes", "level"])]
    ponder: bool,
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    play(PlayerOptions {
        time: args.time.unwrap_or_else(time_from_environment),
        overhead: args.overhead,
        nodes: args.nodes,
        ponder: args.ponder,
        handicap: args.level.handicap(),
        engine: args.engine.options(),
    })
}

/// Runs the program as a tournament starts it: without arguments.
pub(super) fn run_without_arguments() -> CliResult {
    // Without this line a person at a terminal would see nothing at all.
    if io::stdin().is_terminal() {
        say(
            "santorini: reading set-up arrays and boards in JSON; try [] or press Ctrl-D.\n\
             `santorini help` lists everything else that this program does.",
        );
    }
    play(PlayerOptions {
        time: time_from_environment(),
        engine: engine_from_environment(),
        ..PlayerOptions::default()
    })
}

/// Reads a time, or 0.
fn parse_overhead(text: &str) -> Result<Duration, String> {
    match text.trim().parse() {
        Ok(0.0) => Ok(Duration::ZERO),
        _ => parse_seconds(text).map_err(|error| format!("{error}, or 0 for none")),
    }
}

/// With fewer bytes of memory than this the player does not start.
const LEAST_MEMORY: usize = 1 << 20;

fn play(options: PlayerOptions) -> CliResult {
    if !memory::is_left(LEAST_MEMORY) {
        let message = "not even 1 MiB of memory is left to play with; raise the memory limit \
                       (ulimit -v, ulimit -d, or the limit of the container)";
        return Err(CliError::Failed(message.into()));
    }
    let mut player = JsonPlayer::of_program(options);
    match player.run(io::stdin().lock(), stdout(), io::stderr()) {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => Ok(ExitCode::FAILURE),
        Err(error) => Err(CliError::Failed(error.to_string())),
    }
}

/// The time for an answer, from the environment. An invalid value must not cost a
/// game: it is reported, and the default is used.
fn time_from_environment() -> Duration {
    let Some(text) = std::env::var_os(TIME_VARIABLE) else {
        return DEFAULT_TIME;
    };
    parse_seconds(&text.to_string_lossy()).unwrap_or_else(|error| {
        let default = DEFAULT_TIME.as_secs();
        say(&format!(
            "santorini: {TIME_VARIABLE}: {error}; playing with {default} seconds"
        ));
        DEFAULT_TIME
    })
}

/// The engine options of a player without arguments.
fn engine_from_environment() -> EngineOptions {
    let mut options = EngineOptions {
        threads: default_threads(),
        ..EngineOptions::default()
    };
    let Some(text) = std::env::var_os(THREADS_VARIABLE) else {
        return options;
    };
    match text.to_string_lossy().parse() {
        Ok(threads @ 1..=MOST_THREADS) => options.threads = threads,
        _ => {
            say(&format!(
                "santorini: {THREADS_VARIABLE}: {text:?} is not a number of threads from 1 to \
                 {MOST_THREADS}; playing with {}",
                options.threads
            ));
        }
    }
    options
}
