//! `santorini analyze`: the best turns of a board, for people and as JSON.
//!
//! | to see or change | look at |
//! |---|---|
//! | the options, one board, the text | `mod.rs` |
//! | a report as JSON | `json.rs` |
//! | many boards: reading and answering queries | `batch.rs` |
//! | the form of a query; queries by priority | `query.rs`, `queue.rs` |

mod batch;
mod json;
mod query;
mod queue;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::board::board_in;
use super::engine::EngineArgs;
use super::input::standard_input;
use super::interrupt::stop_flag;
use super::output::{print, print_data, say};
use super::progress::Progress;
use super::{CliError, CliResult, parse_seconds};
use crate::at_size;
use crate::rules::Position;
use crate::search::{Engine, Limits, Report, ScoreText, win_in};
use query::{Defaults, MOST_LINES};

/// Show the best turns of a board
///
/// Examples:
///   santorini analyze --time 5 board.json
///   santorini analyze --lines 3 --threads 1 board.json
///   echo '00000/00010/00000/00000/00000 b3d3 c2c4 1' | santorini analyze
///   santorini referee ./mine ./theirs | tail -n 3 | head -n 1 | \
///       santorini analyze
///   santorini analyze --batch < queries.jsonl
///
/// Searches one board, 5x5 or 6x6, with or without cards. After each depth it
/// prints the best turns, their scores and principal variations. A score is in
/// levels of height, from the view of the player to move, or the number of plies
/// to a proved win or loss.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
With --batch each value of the input is a query:

  {\"id\":1,\"board\":\"00000/00010/00000/00000/00000 b3d3 c2c4 1\",\"nodes\":10000}

  id        a whole number or a string; the answer has it too
  board     a board in JSON, or a string with a board as one line
  time, nodes, depth
            limits of the search; without any, --time and --depth
  lines     the number of turns, otherwise --lines
  priority  a whole number; higher ones are answered first, default 0
  every     seconds between partial answers, given after a depth is complete
  stop      true: end the query with this id; its answer is the result so far.
            If it has its answer already, nothing happens

One query runs on each thread, with a part of the transposition table that is
empty at the start, so the answer to a query limited by nodes or depth is always
the same. Answers come as they are ready, an object on each line:

  {\"depth\":5,\"id\":1,\"lines\":[{\"plies\":null,\"score\":0.2,
   \"turn\":\"b3-c3+d4\",\"variation\":[...]}],\"nodes\":10002,\"partial\":false,
   \"seconds\":0.1}

score is in levels of height for the player to move; of a proved win or loss it
is null, and plies has the number of plies to it, negative for a loss. There are
fewer lines than asked for if there are fewer legal turns, or if the given turns
win at once: then no others are searched, and depth and nodes are 0. An invalid
query is answered by {\"id\":...,\"error\":...}, and the exit code is then 1. At
the end of the input, the program answers all open queries before it exits.
Ctrl-C ends the queries that are being searched, with the results so far."
)]
pub(super) struct Args {
    /// A file with one board, in JSON or as one line, or - for standard input.
    #[arg(default_value_os_t = standard_input())]
    file: PathBuf,
    /// How long to search.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_seconds)]
    time: Duration,
    /// The maximum depth of the search.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// The number of turns to show, at most 10000.
    #[arg(long, short = 'k', value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_LINES)))]
    lines: u16,
    /// Print the final result only, as a JSON object; after Ctrl-C the result so far.
    #[arg(long)]
    json: bool,
    /// Read many queries in JSON, and answer them on all cores as they come.
    #[arg(long, conflicts_with = "json")]
    batch: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    if args.batch {
        let defaults = Defaults {
            limits: limits(args),
            lines: args.lines.into(),
        };
        return batch::run(&args.file, args.engine.options(), defaults);
    }
    at_size!(&board_in(&args.file)?, position => analyze(args, position))
}

fn analyze<const N: usize>(args: &Args, position: &Position<N>) -> CliResult {
    if position.shows_win() {
        return Err(CliError::Usage(
            "the game is over: a worker stands on level 3".into(),
        ));
    }
    if !position.has_turn() {
        return Err(CliError::Usage(
            "the game is over: the player to move has no turn".into(),
        ));
    }
    let limits = limits(args);
    let options = args.engine.options();
    let mut engine = Engine::<N>::new(options);
    // Not earlier: Ctrl-C must end a wait for standard input.
    let stop = stop_flag()?;
    let mut shown = Ok(());
    let progress = Progress::new(None, "searching");
    let mut show = |report: &Report| {
        if shown.is_ok() && !args.json {
            shown = progress.suspend(|| print(describe::<N>(report)));
            // The output is closed, so stop. (Ctrl-C may have set the flag before.)
            stop.fetch_or(shown.is_err(), Ordering::Relaxed);
        }
    };
    let report = engine.search_lines(position, args.lines.into(), &limits, &stop, &mut show);
    progress.finish();
    shown?;
    if args.json {
        print_data(&format!("{}\n", json::report_json::<N>(&report)))?;
    }
    if stop.load(Ordering::Relaxed) {
        let depth = report.depth;
        return Err(CliError::Interrupted(format!(" after depth {depth}")));
    }
    if let Some(why) = why_fewer(position, &report, args.lines.into()) {
        say(&format!("santorini: {why}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The limits that the options give.
fn limits(args: &Args) -> Limits {
    Limits {
        time: Some(args.time),
        depth: args.depth,
        ..Limits::default()
    }
}

/// Why the report has fewer lines than requested; `None` if it has all.
fn why_fewer<const N: usize>(
    position: &Position<N>,
    report: &Report,
    asked: usize,
) -> Option<String> {
    let shown = report.lines.len();
    let turns = position.turns().len();
    if shown >= asked {
        return None;
    }
    if turns <= shown {
        return Some(format!(
            "fewer than {asked} lines: there are {turns} legal turns"
        ));
    }
    // With a win at once the search skips all other turns.
    let wins = report.lines.iter().all(|line| line.score == win_in(1));
    wins.then(|| {
        format!("fewer than {asked} lines: these turns win at once, so no others were searched")
    })
}

/// The lines of a report, one row each.
fn describe<const N: usize>(report: &Report) -> String {
    let mut text = String::new();
    for (rank, line) in report.lines.iter().enumerate() {
        let start = match rank {
            0 => work(report),
            _ => String::new(),
        };
        let score = ScoreText(line.score);
        let turns = line.turns.iter().map(|turn| turn.text::<N>().to_string());
        let turns = turns.collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "{start:<42} {:>3}. {score:>10}  {turns}", rank + 1);
    }
    text
}

fn work(report: &Report) -> String {
    let seconds = report.time.as_secs_f64();
    let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
    format!(
        "depth {:>2} {:>11} nodes {seconds:>6.2} s {speed:>4.1} M/s",
        report.depth, report.nodes
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::NEVER;
    use crate::search::EngineOptions;

    /// Why a search of a board for this many lines shows fewer.
    fn told(board: &str, lines: usize) -> Option<String> {
        let position: Position<5> = board.parse().unwrap();
        let mut engine = Engine::new(EngineOptions::default());
        let limits = Limits::depth(1);
        let report = engine.search_lines(&position, lines, &limits, &NEVER, &mut |_| {});
        why_fewer(&position, &report, lines)
    }

    #[test]
    fn fewer_lines_than_requested_are_explained() {
        let win = "00000/00030/00200/00000/00000 c3a1 e1e5 10";
        assert_eq!(told(win, 1), None);
        assert!(told(win, 3).unwrap().contains("win at once"));
        let open = "00000/00000/00000/00000/00000 c2c4 b3d3 0";
        assert_eq!(told(open, 3), None);
        assert!(told(open, 1000).unwrap().contains("legal turns"));
    }
}
