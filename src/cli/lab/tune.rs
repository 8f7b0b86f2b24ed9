//! `santorini lab tune`: fits the weights of the heuristic to played games.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{CliError, CliResult, Work, progress_bar};
use crate::eval::Weights;
use crate::lab::agent::derive_seed;
use crate::lab::parallel::Jobs;
use crate::lab::tune::{Fitted, Tuning};
use crate::referee::stop_on_signals;
use crate::tournament::stats::{Estimate, PairCounts, estimate, likelihood_of_superiority};

/// Fit the weights of the heuristic to games that alpha-beta plays itself.
///
/// Prints the weights after each round, then matches of the last ones against
/// the study's weights: as printed, and with the same weight of a win, so that
/// only the four fitted weights differ.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  santorini lab tune --depth 2 --games 4000 --pairs 1000")]
pub struct Args {
    /// Plies that alpha-beta searches, in the games and in the matches.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// Games played for each round.
    #[arg(long, value_name = "N", default_value_t = 4000,
          value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    games: u64,
    /// Times that games are played and weights fitted to them.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Pairs of games in each match.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,
    #[command(flatten)]
    work: Work,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let tuning = Tuning {
        start: Weights::PAPER,
        depth: args.depth,
        games: args.games,
        rounds: args.rounds,
        seed: args.work.seed,
    };
    let stop = stop_on_signals().map_err(|error| CliError::failed("signals", error))?;
    let jobs = Jobs {
        threads: args.work.jobs as usize,
        stop: &stop,
    };
    let mut out = io::stdout().lock();
    let written = |error| CliError::failed("standard output", error);
    let weights = fit(&tuning, &jobs, &mut out)?;
    writeln!(out, "agent     {}", tuning.agent(weights)).map_err(written)?;
    let paper_with_win = Weights {
        win: weights.win,
        ..Weights::PAPER
    };
    for (number, (name, opponent)) in [
        ("study", Weights::PAPER),
        ("study, win", paper_with_win),
        ("built in", Weights::TUNED),
    ]
    .into_iter()
    .enumerate()
    {
        let seed = derive_seed(tuning.seed, &[1, number as u64]);
        let bar = progress_bar(args.pairs, "pairs of games");
        let pairs = tuning.compare([weights, opponent], args.pairs, seed, &jobs, &mut || {
            bar.inc(1)
        });
        bar.finish_and_clear();
        check(&stop)?;
        print_match(name, &pairs, &mut out).map_err(written)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fits the weights round after round and prints each.
fn fit(tuning: &Tuning, jobs: &Jobs, out: &mut impl Write) -> Result<Weights, CliError> {
    let written = |error| CliError::failed("standard output", error);
    let Weights {
        height,
        centre,
        mobility,
        distance,
        win,
    } = tuning.start;
    writeln!(
        out,
        "{:<9} height  centre    mobility  distance  win      loss",
        "round"
    )
    .map_err(written)?;
    writeln!(
        out,
        "{:<9} {height:<7} {centre:<9} {mobility:<9} {distance:<9} {win}",
        "study"
    )
    .map_err(written)?;
    let mut weights = tuning.start;
    for round in 0..tuning.rounds {
        let bar = progress_bar(tuning.games, "games");
        let fitted = tuning.round(round, weights, jobs, &mut || bar.inc(1));
        bar.finish_and_clear();
        check(jobs.stop)?;
        let fitted = fitted.map_err(|error| CliError::Failed(error.to_string()))?;
        if let Some(fitted) = fitted {
            weights = fitted.weights;
            print_round(round + 1, &fitted, out).map_err(written)?;
        }
    }
    Ok(weights)
}

fn check(stop: &AtomicBool) -> Result<(), CliError> {
    if stop.load(Ordering::Relaxed) {
        return Err(CliError::Failed("interrupted".into()));
    }
    Ok(())
}

fn print_round(round: u32, fitted: &Fitted, out: &mut impl Write) -> io::Result<()> {
    let Weights {
        height,
        centre,
        mobility,
        distance,
        win,
    } = fitted.weights;
    let with_error = |weight: i32, error: f64| format!("{weight} ± {error:.0}");
    let [centre, mobility, distance] = [
        with_error(centre, fitted.errors[0]),
        with_error(mobility, fitted.errors[1]),
        with_error(distance, fitted.errors[2]),
    ];
    writeln!(
        out,
        "{round:<9} {height:<7} {centre:<9} {mobility:<9} {distance:<9} {win:<8} {:.4} ({} boards)",
        fitted.loss, fitted.samples
    )
}

fn print_match(opponent: &str, pairs: &PairCounts, out: &mut impl Write) -> io::Result<()> {
    let (Some(score), Some(Estimate { elo, low, high })) = (pairs.score(), estimate(pairs)) else {
        return Ok(());
    };
    let better = likelihood_of_superiority(pairs);
    writeln!(
        out,
        "match     against {opponent:<10} {:.1}% of {} games, Elo {elo:+.0} [{low:+.0}, {high:+.0}], \
         better with probability {:.1}%",
        100.0 * score,
        2 * pairs.count(),
        100.0 * better
    )
}
