//! `santorini lab levels`: matches between the levels of strength.

use std::convert::Infallible;
use std::process::ExitCode;

use super::{CliResult, Work};
use crate::cli::CliError;
use crate::cli::interrupt::{interrupted, stop_flag};
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::jobs::Jobs;
use crate::lab::ladder::{Rung, RungScore};
use crate::levels::{Level, measured_with};
use crate::stats::rating_text;

/// Measure the levels of strength by matches between neighbours
///
/// Examples:
///   santorini lab levels
///   santorini lab levels --from 3 --to 5 --games 1000
///   santorini lab play --first level:number=4,nodes=3000 \
///       --second level:number=3 --swap
///
/// Each level plays the level below, and level 1 plays alphabeta:depth=1. Both
/// place their workers themselves; seats are swapped after every game. Prints the
/// share of games won with its 95% interval, and the Elo above the first level
/// measured. The same seed gives the same games. The last line has the signature of the
/// engine, as `santorini bench` prints it, and a checksum of the levels.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The lowest level to measure.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::LOWEST)]
    from: Level,
    /// The highest level to measure.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::HIGHEST)]
    to: Level,
    /// The games of each match.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    #[command(flatten)]
    work: Work,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let levels: Vec<Level> = Level::all()
        .filter(|level| (args.from..=args.to).contains(level))
        .collect();
    if levels.is_empty() {
        return Err(CliError::Usage(format!(
            "--from {} --to {}: there is no level between",
            args.from, args.to
        )));
    }
    let stop = stop_flag()?;
    let jobs = Jobs {
        threads: args.work.jobs as usize,
        stop: &stop,
    };
    let progress = Progress::new(args.games * levels.len() as u64, "games");
    print(HEAD)?;
    let mut elo = Some(0.0);
    for &level in &levels {
        let rung = Rung::new(level, args.work.seed);
        let mut score = RungScore::default();
        let take = |_, won| {
            progress.inc();
            score.add(won);
            Ok::<(), Infallible>(())
        };
        let _ = jobs.run(0..args.games, |game| rung.wins(game), take);
        if level > args.from {
            elo = elo.zip(score.elo()).map(|(below, [step, ..])| below + step);
        }
        progress.suspend(|| print(row(&rung, score, elo)))?;
        if jobs.is_stopped() {
            return Ok(interrupted());
        }
    }
    progress.finish();
    print(format_args!("measured with {}\n", measured_with()))?;
    Ok(ExitCode::SUCCESS)
}

const HEAD: &str =
    "level    nodes  turns  chance  looks  against            won         score           Elo\n";

/// The row of a level in the table.
fn row(rung: &Rung, score: RungScore, elo: Option<f64>) -> String {
    let strength = rung.level.strength();
    let share = score.share().map_or("-".into(), |share| {
        let [share, low, high] = share.map(|share| 100.0 * share);
        format!("{share:.0}% ({low:.0} to {high:.0})")
    });
    let elo = elo.filter(|elo| elo.is_finite());
    format!(
        "{:>5}  {:>7}  {:>5}  {:>6}  {:>4.0}%  {:<17}  {:<10}  {share:<14}  {}\n",
        rung.level,
        strength.nodes,
        strength.lines,
        strength.temperature,
        100.0 * strength.attention,
        rung.opponent,
        format!("{} of {}", score.won, score.games),
        elo.map_or("-".into(), rating_text),
    )
}
