//! `santorini review`: the turns of a game, judged.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use super::boards::{NO_BOARDS, StyleChoice, one_game};
use super::engine::{EngineArgs, ONE_THREAD};
use super::files::{ForceArgs, write_file};
use super::input::{name_of, standard_input};
use super::interrupt::{interrupted, stop_flag};
use super::output::{print, print_data, terminal_width};
use super::progress::Progress;
use super::{CliError, CliResult, parse_seconds};
use crate::at_size;
use crate::draw::{Scene, Seat};
use crate::review::{REVIEW_FILE, review, review_json, review_page, review_text};
use crate::rules::Turn;
use crate::search::{Engine, Limits};

/// Review a game: chances of winning, and every turn judged
///
/// Examples:
///   santorini review game.jsonl
///   santorini review results.jsonl --game 3 --time 1
///   santorini review results.jsonl --game 3 --html review.html
///   santorini referee ./mine ./theirs | santorini review --json
///
/// Searches each board of one game. Prints a graph of the first player's chance of
/// winning, a judgement of every turn with a better one if there is any, a summary
/// for both players, and how the game ended. It reads the same files as
/// `santorini draw`, with cards and on 6x6 too.
#[derive(clap::Args)]
#[command(mut_arg("threads", |threads| threads.help(ONE_THREAD)))]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
A turn is judged by the chance of winning that it loses compared with the best
turn:
  best         none, or less than half of 1%
  good         less than 5%, or none but a later win or an earlier loss
  inaccuracy   5% to 10%
  mistake      10% to 20%
  blunder      20% or more

The chance is that of a strong player against an equal. It is computed from the
score of the search, on a scale measured in games. A proved win counts 100%."
)]
pub(super) struct Args {
    /// A file with a game, or - for standard input.
    #[arg(default_value_os_t = standard_input())]
    file: PathBuf,
    /// The number of the game, if FILE holds several.
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// The nodes to search for each board.
    #[arg(long, value_name = "N", default_value_t = 300_000, conflicts_with = "time",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The time for each board, instead of a number of nodes.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Write a web page with the graph, the boards and the turns to FILE. It needs no
    /// other file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the review as a JSON object.
    #[arg(long)]
    json: bool,
    /// The style of the boards in text.
    #[arg(
        long,
        value_name = "STYLE",
        default_value = "auto",
        conflicts_with = "json"
    )]
    style: StyleChoice,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads([&args.file]);
    let uses = uses.reads(args.engine.files());
    uses.replaces(args.html.as_deref(), REVIEW_FILE).check()?;
    at_size!(one_game(&args.file, args.game)?, scenes => of_scenes(args, &scenes))
}

fn of_scenes<const N: usize>(args: &Args, scenes: &[Scene<N>]) -> CliResult {
    let Some(first) = scenes.first() else {
        let none = match args.game {
            Some(number) => format!(", game {number}: there is no board to review; {NO_BOARDS}"),
            None => ": there is no game to review".into(),
        };
        let file = name_of(&args.file);
        return Err(CliError::Usage(format!("{file}{none}")));
    };
    let turns = turns(scenes, &args.file)?;
    let limits = args.time.map_or(Limits::nodes(args.nodes), |time| Limits {
        may_end_early: false,
        ..Limits::time(time)
    });
    let stop = stop_flag()?;
    let mut engine = Engine::new(args.engine.options_with(1));
    let progress = Progress::new(scenes.len() as u64, "boards");
    let report = &mut |done, _| progress.set(done as u64);
    let found = review(
        first.position(),
        &turns,
        &mut engine,
        &limits,
        &stop,
        report,
    );
    progress.finish();
    let Some(review) = found else {
        return Ok(interrupted());
    };
    let names = Seat::BOTH.map(|seat| first.title(seat));
    if let Some(file) = &args.html {
        let title = names.join(" - ");
        write_file(file, review_page(&review, scenes, &title).as_bytes())?;
    }
    if args.json {
        print_data(&format!("{}\n", review_json(&review, &names)))?;
    } else {
        let text = review_text(&review, &names, args.style.style(), terminal_width());
        print(text + &end(scenes))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A line on how the game ended, after an empty one; no line if it has no end.
fn end<const N: usize>(scenes: &[Scene<N>]) -> String {
    let Some(last) = scenes.last() else {
        return String::new();
    };
    let standing = last
        .winner()
        .map(|_| last.standing(|seat| last.title(seat)));
    let end = last.note().map(String::from).or(standing);
    end.map_or_else(String::new, |end| format!("\n{end}\n"))
}

/// The turns that lead from board to board.
fn turns<const N: usize>(scenes: &[Scene<N>], file: &Path) -> Result<Vec<Turn>, CliError> {
    let turns = scenes.iter().skip(1).map(|scene| {
        let last = scene.last().map(|last| last.turn);
        last.ok_or_else(|| {
            let turn = scene.position().turn();
            CliError::Usage(format!(
                "{}: no legal turn leads to the board of turn {turn}; a review needs all boards of \
                 a game",
                name_of(file)
            ))
        })
    });
    let turns = turns.collect::<Result<Vec<Turn>, _>>()?;
    if turns.is_empty() {
        return Err(CliError::Usage(format!(
            "{}: the game has no turn to review",
            name_of(file)
        )));
    }
    Ok(turns)
}
