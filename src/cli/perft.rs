//! `santorini perft`: counts the leaves of the game tree.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;

use super::output::print;
use super::{CliError, CliResult, read_input, standard_input};
use crate::protocol::exchange::{board_size, read_board};

/// Count the ways to play a number of turns from a board.
///
/// Prints a line `depth count` for each depth from 1 to DEPTH. Turns that lead
/// to the same board count once; a game that is won has no further turns.
#[derive(clap::Args)]
#[command(before_long_help = "\
Examples:
  santorini perft 3 board.json
  echo '{\"players\":[[[2,3],[4,3]],[[3,2],[3,4]]],\"turn\":0,\"spaces\":
    [[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]}' |
    santorini perft 4")]
pub struct Args {
    /// The number of turns.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// A file with one board in JSON, 5x5 or 6x6, or - for standard input.
    #[arg(default_value_os_t = standard_input())]
    file: PathBuf,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let text = read_input(&args.file, 1 << 20)?;
    let bad = |cause: &dyn std::fmt::Display| CliError::Usage(format!("bad board: {cause}"));
    let board: Value = serde_json::from_str(&text).map_err(|error| bad(&error))?;
    let count: Box<dyn Fn(u32) -> u64> = if board_size(&board) == Some(6) {
        let position = read_board::<6>(&board).map_err(|error| bad(&error))?;
        Box::new(move |depth| position.perft(depth))
    } else {
        let position = read_board::<5>(&board).map_err(|error| bad(&error))?;
        Box::new(move |depth| position.perft(depth))
    };
    for depth in 1..=args.depth {
        print(format_args!("{depth} {}\n", count(depth)))?;
    }
    Ok(ExitCode::SUCCESS)
}
