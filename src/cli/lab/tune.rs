//! `santorini lab tune`: fits the weights of the heuristic by playing.

use std::process::ExitCode;

use super::{CliError, CliResult, Work};
use crate::cli::interrupt::stop_flag;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::eval::Weights;
use crate::jobs::Jobs;
use crate::lab::tune::{Tuning, WeightTuner};
use crate::seeds::derive_seed;
use crate::stats::{PairCounts, estimate, likelihood_of_superiority, los_text};

/// Fit the weights of the heuristic by games of alpha-beta
///
/// Examples:
///   santorini lab tune --depth 2
///   santorini lab tune --depth 3 --steps 200 --match-pairs 100
///
/// Starts with the weights of the study and prints the weights after each tenth of
/// the steps. At the end it prints the fitted weights, which are the mean over the
/// second half of the steps, and their score in matches against the study's
/// weights and the built-in weights. The weight of height is fixed, since only the
/// ratios of the five weights matter.
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
    let jobs = args.work.jobs(&stop);
    let weights = fit(tuning, &jobs)?;
    print(format_args!("agent     {}\n", tuning.agent(weights)))?;
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
        print_match(name, &pairs)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Does all steps and prints the weights after each tenth of them.
fn fit(tuning: Tuning, jobs: &Jobs) -> Result<Weights, CliError> {
    let mut tuner = WeightTuner::new(tuning, Weights::PAPER);
    print("step      height  centre  mobility  distance  win\n")?;
    print_weights("study", Weights::PAPER)?;
    let progress = Progress::new(u64::from(tuning.steps), "steps");
    for step in 1..=tuning.steps {
        if !tuner.step(jobs) {
            return Err(CliError::Interrupted(String::new()));
        }
        progress.inc();
        if step % (tuning.steps / 10) == 0 {
            progress.suspend(|| print_weights(&step.to_string(), tuner.current()))?;
        }
    }
    progress.finish();
    let fitted = tuner.fitted();
    print_weights("fitted", fitted)?;
    print("fitted: the mean over the second half of the steps\n")?;
    Ok(fitted)
}

fn print_weights(name: &str, weights: Weights) -> Result<(), CliError> {
    let Weights {
        height,
        centre,
        mobility,
        distance,
        win,
    } = weights;
    print(format_args!(
        "{name:<9} {height:<7} {centre:<7} {mobility:<9} {distance:<9} {win}\n"
    ))
}

fn print_match(opponent: &str, pairs: &PairCounts) -> Result<(), CliError> {
    let (Some(score), Some(elo)) = (pairs.score(), estimate(pairs)) else {
        return Ok(());
    };
    print(format_args!(
        "match     {:.1}% of {} games against {opponent}: {}, stronger with probability {}\n",
        100.0 * score,
        2 * pairs.count(),
        elo.text(0),
        los_text(likelihood_of_superiority(pairs))
    ))
}
