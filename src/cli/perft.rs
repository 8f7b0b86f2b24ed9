//! `santorini perft`: counts the leaves of the game tree.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::board::board_in;
use super::engine::jobs;
use super::input::standard_input;
use super::interrupt::stop_flag;
use super::output::print;
use super::progress::Progress;
use super::{CliError, CliResult};
use crate::at_size;
use crate::rules::Position;
use crate::solve::{PerftLimits, perft_boards};

/// Count the sequences of turns from a board
///
/// Examples:
///   santorini perft 3 board.json
///   echo '00000/00000/00000/00000/00000 b3d3 c2c4 0' | santorini perft 4
///   echo '{"players":[[[2,3],[4,3]],[[3,2],[3,4]]],"turn":0,"spaces":
///     [[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]}' |
///     santorini perft 4
///   santorini perft 3 --divide board.json
///   santorini perft 6 --table > table.jsonl
///
/// Prints a line `depth count` for each depth from 1 to DEPTH. Turns that lead to
/// the same board count once. A won game has no further turns, so a board that is
/// already won counts 0.
///
/// With --table it counts fixed boards instead, as test data for other programs:
/// one at the start of a game, one in the middle, and on 5x5 and 6x6 a late one.
/// There are sizes from 2x2 to 4x4 with one worker and, if they fit, with two, and
/// 5x5 and 6x6 with two; on 3x3, 5x5 and 6x6 also with all pairs of cards. It
/// writes a line of JSON for each, with the board and its counts. With one worker,
/// `players` holds one space for each player.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The number of turns.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// A file with one board, 5x5 or 6x6, in JSON or as one line; or - for standard
    /// input.
    #[arg(default_value_os_t = standard_input())]
    file: PathBuf,
    /// Print the count after each turn, one line `turn count` in alphabetical order, and
    /// then the total, instead of the counts of all depths.
    #[arg(long)]
    divide: bool,
    /// Count fixed boards of all sizes and with all cards.
    #[arg(long, conflicts_with_all = ["file", "divide"])]
    table: bool,
    /// With --table, skip depths with more leaves than this. Boards reached in several
    /// ways count once.
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, requires = "table",
          value_parser = clap::value_parser!(u64).range(1..))]
    leaves: u64,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    if args.table {
        return table(args);
    }
    let board = board_in(&args.file)?;
    // Not earlier: Ctrl-C must end a wait for standard input.
    let stop = stop_flag()?;
    if args.divide {
        return at_size!(&board, position => divide(position, args.depth, &stop));
    }
    for depth in 1..=args.depth {
        let progress = Progress::new(None, format!("counting depth {depth}"));
        let count = at_size!(&board, position => position.perft_until(depth, &stop));
        progress.finish();
        let count = count.ok_or_else(|| {
            CliError::Interrupted(format!(" while the turns to depth {depth} were counted"))
        })?;
        print(format_args!("{depth} {count}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the count after each turn. To find the bug of a program that miscounts, compare
/// its counts with these, play a turn whose counts differ, and repeat.
fn divide<const N: usize>(position: &Position<N>, depth: u32, stop: &AtomicBool) -> CliResult {
    let mut turns = match position.shows_win() {
        true => Vec::new(),
        false => position.turns(),
    };
    turns.sort_by_cached_key(|turn| turn.text::<N>().to_string());
    let progress = Progress::new(turns.len() as u64, "turns");
    let mut total = 0;
    for turn in turns {
        let count = match turn.wins() && depth > 1 {
            // Pan may win without a worker on level 3, which the board does not show.
            true => Some(0),
            false => position.play(turn).perft_until(depth - 1, stop),
        };
        let count =
            count.ok_or_else(|| CliError::Interrupted(" while turns were counted".into()))?;
        total += count;
        progress.suspend(|| print(format_args!("{} {count}\n", turn.text::<N>())))?;
        progress.inc();
    }
    progress.finish();
    print(format_args!("total {total}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the table.
fn table(args: &Args) -> CliResult {
    let stop = stop_flag()?;
    let jobs = jobs(0, &stop);
    let limits = PerftLimits {
        depth: args.depth,
        leaves: args.leaves,
    };
    let boards = perft_boards();
    let progress = Progress::new(boards.len() as u64, "boards");
    let all = boards.len();
    for (done, board) in boards.into_iter().enumerate() {
        let counts = board.counts(limits, &jobs);
        if jobs.is_stopped() {
            progress.finish();
            return Err(CliError::Interrupted(format!(
                " after {done} of {all} boards"
            )));
        }
        let line = serde_json::json!({"board": board.json, "perft": counts});
        progress.suspend(|| print(format_args!("{line}\n")))?;
        progress.inc();
    }
    Ok(ExitCode::SUCCESS)
}
