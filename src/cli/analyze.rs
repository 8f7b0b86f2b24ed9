//! `santorini analyze`: the best turns of a board, for people.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use super::engine::EngineArgs;
use super::output::print;
use super::{CliError, CliResult, read_input, standard_input};
use crate::protocol::exchange::{board_size, read_board};
use crate::rules::{Position, Turn};
use crate::search::{Engine, Limits, Line, Report, ScoreText};

/// Show the best turns of a board.
///
/// Searches one board in JSON, 5x5 or 6x6, with or without cards. After each
/// depth it prints the best turns, their scores and the expected lines of play.
/// A score is in levels of height for the player to move, or the number of
/// plies to a proved win or loss.
#[derive(clap::Args)]
#[command(before_long_help = "\
Examples:
  santorini analyze --time 5 board.json
  santorini analyze --lines 3 --threads 1 board.json
  santorini referee ./mine ./theirs | tail -n 3 | head -n 1 | santorini analyze")]
pub struct Args {
    /// A file with one board in JSON, or - for standard input.
    #[arg(default_value_os_t = standard_input())]
    file: PathBuf,
    /// How long to search.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    time: f64,
    /// The greatest depth of the search.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// The number of turns to show.
    #[arg(long, short = 'k', value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..))]
    lines: u16,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let text = read_input(&args.file, 1 << 20)?;
    let bad = |cause: &dyn std::fmt::Display| CliError::Usage(format!("bad board: {cause}"));
    let board: Value = serde_json::from_str(&text).map_err(|error| bad(&error))?;
    if board_size(&board) == Some(6) {
        analyze(args, &read_board::<6>(&board).map_err(|error| bad(&error))?)
    } else {
        analyze(args, &read_board::<5>(&board).map_err(|error| bad(&error))?)
    }
}

fn analyze<const N: usize>(args: &Args, position: &Position<N>) -> CliResult {
    let time = Duration::try_from_secs_f64(args.time)
        .map_err(|_| CliError::Usage(format!("--time {} is not a number of seconds", args.time)))?;
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
    let limits = Limits {
        time: Some(time),
        depth: args.depth,
        ..Limits::default()
    };
    let options = args.engine.options();
    let mut engine = Engine::<N>::new(options);
    let stop = AtomicBool::new(false);
    let mut shown = Ok(());
    let mut show = |report: &Report| {
        if shown.is_ok() {
            shown = print(describe(position, report));
            // Nobody waits for the rest.
            stop.store(shown.is_err(), Ordering::Relaxed);
        }
    };
    engine.search_lines(position, args.lines.into(), &limits, &stop, &mut show);
    shown.map(|()| ExitCode::SUCCESS)
}

/// The lines of a report, one row each.
fn describe<const N: usize>(position: &Position<N>, report: &Report) -> String {
    let mut text = String::new();
    for (rank, line) in report.lines.iter().enumerate() {
        let start = if rank == 0 {
            work(report)
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{start:<42} {:>3}. {:>10}  {}",
            rank + 1,
            ScoreText(line.score),
            line_text::<N>(line)
        );
    }
    debug_assert!(position.has_turn());
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

fn line_text<const N: usize>(line: &Line) -> String {
    let names: Vec<String> = line
        .turns
        .iter()
        .map(|turn: &Turn| turn.text::<N>().to_string())
        .collect();
    names.join(" ")
}
