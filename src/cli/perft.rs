//! `santorini perft`: counts the leaves of the game tree.

use std::path::PathBuf;
use std::process::ExitCode;

use super::board::{AnyBoard, board_in};
use super::output::print;
use super::{CliResult, standard_input};

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
    let board = board_in(&args.file)?;
    for depth in 1..=args.depth {
        let count = match &board {
            AnyBoard::Five(position) => position.perft(depth),
            AnyBoard::Six(position) => position.perft(depth),
        };
        print(format_args!("{depth} {count}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
