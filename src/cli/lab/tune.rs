//! `santorini lab tune`: fits the weights of the heuristic by playing.

use std::io::{self, Write};
use std::process::ExitCode;

use super::{CliError, CliResult, Work};
use crate::cli::interrupt::stop_flag;
use crate::cli::progress::Progress;
use crate::cli::stdout::stdout;
use crate::eval::Weights;
use crate::jobs::Jobs;
use crate::lab::tune::{Tuning, WeightTuner};
use crate::seeds::derive_seed;
use crate::stats::{PairCounts, estimate, likelihood_of_superiority};

/// Fit the weights of the heuristic by games of alpha-beta
///
/// Examples:
///   santorini lab tune --depth 2
///   santorini lab tune --depth 3 --steps 200 --match-pairs 100
///
/// Starts with the weights of the study and prints the weights after each tenth of
/// the steps. At the end it prints the fitted weights and their score in matches
/// against the study's weights and the built-in weights. The weight of height is
/// fixed, since only the ratios of the five weights matter.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The depth of alpha-beta in all games.
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// The number of steps.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    steps: u32,
    /// The pairs of games in each step.
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// The pairs of games in each match at the end.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    match_pairs: u64,
    #[command(flatten)]
    work: Work,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let tuning = Tuning {
        depth: args.depth,
        steps: args.steps,
        pairs: args.pairs,
        seed: args.work.seed,
    };
    let stop = stop_flag()?;
    let jobs = Jobs {
        threads: args.work.jobs as usize,
        stop: &stop,
    };
    let mut out = stdout();
    let weights = fit(tuning, &jobs, &mut out)?;
    writeln!(out, "agent     {}", tuning.agent(weights)).map_err(CliError::Output)?;
    let opponents = [
        ("the study's weights", Weights::PAPER),
        ("the built-in weights (eval=tuned)", Weights::TUNED),
    ];
    for (number, (name, opponent)) in (0..).zip(opponents) {
        let seed = derive_seed(tuning.seed, &[2, number]);
        let progress = Progress::new(args.match_pairs, "pairs of games");
        let both = [weights, opponent];
        let pairs = tuning.compare(both, args.match_pairs, seed, &jobs, &mut || progress.inc());
        progress.finish();
        if pairs.count() < args.match_pairs {
            return Err(CliError::Interrupted(String::new()));
        }
        print_match(name, &pairs, &mut out).map_err(CliError::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Does all steps and prints the weights after each tenth of them.
fn fit(tuning: Tuning, jobs: &Jobs, out: &mut impl Write) -> Result<Weights, CliError> {
    let mut tuner = WeightTuner::new(tuning, Weights::PAPER);
    writeln!(out, "step      height  centre  mobility  distance  win").map_err(CliError::Output)?;
    print_weights("study", Weights::PAPER, out).map_err(CliError::Output)?;
    let progress = Progress::new(u64::from(tuning.steps), "steps");
    for step in 1..=tuning.steps {
        if !tuner.step(jobs) {
            return Err(CliError::Interrupted(String::new()));
        }
        progress.inc();
        if step % (tuning.steps / 10) == 0 {
            let printed =
                progress.suspend(|| print_weights(&step.to_string(), tuner.current(), out));
            printed.map_err(CliError::Output)?;
        }
    }
    progress.finish();
    let fitted = tuner.fitted();
    print_weights("fitted", fitted, out).map_err(CliError::Output)?;
    Ok(fitted)
}

fn print_weights(name: &str, weights: Weights, out: &mut impl Write) -> io::Result<()> {
    let Weights {
        height,
        centre,
        mobility,
        distance,
        win,
    } = weights;
    writeln!(
        out,
        "{name:<9} {height:<7} {centre:<7} {mobility:<9} {distance:<9} {win}"
    )
}

fn print_match(opponent: &str, pairs: &PairCounts, out: &mut impl Write) -> io::Result<()> {
    let (Some(score), Some(elo)) = (pairs.score(), estimate(pairs)) else {
        return Ok(());
    };
    writeln!(
        out,
        "match     {:.1}% of {} games against {opponent}: {}, stronger with probability {:.1}%",
        100.0 * score,
        2 * pairs.count(),
        elo.text(0),
        100.0 * likelihood_of_superiority(pairs)
    )
}
