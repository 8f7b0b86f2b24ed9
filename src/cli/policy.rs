//! `santorini policy`: the values by which turns are ordered, learned.

use std::path::PathBuf;
use std::process::ExitCode;

use super::CliResult;
use super::engine::{EvalArg, threads_of};
use super::files::{ForceArgs, write_file};
use super::interrupt::{interrupted, stop_flag};
use super::output::{print, progress_bar};
use crate::jobs::Jobs;
use crate::search::policy::{POLICY_FILE, PolicyWeights};
use crate::train::policy::{FitOptions, PolicySampleOptions, fit, samples};

/// Learn the move ordering of the search.
///
/// Takes positions from searches of the base game, scores each of their turns
/// with a short search, and fits a value for each move feature: levels, workers
/// beside the turn, where it leads. The values also order turns with cards and
/// on 6x6 spaces. The same options give the same values with any number of
/// threads.
#[derive(clap::Args)]
#[command(
    before_long_help = "\
Examples:
  santorini policy --depth 3 --out policy.bin
  santorini policy --out src/search/policy/policy.bin",
    after_long_help = "\
Without options this makes the values that are part of the program.
`santorini help training` explains how to test others."
)]
pub struct Args {
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The number of positions to learn from.
    #[arg(long = "lessons", value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    samples: u64,
    /// The nodes of the searches whose positions are taken.
    #[arg(long, value_name = "N", default_value_t = 2000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The depth of the search after each turn.
    #[arg(long, value_name = "PLIES", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// How often each position is seen.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// The evaluation: network, tuned, paper, or the file of a network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: EvalArg,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many positions to search at the same time; 0 is one on each core.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    #[command(flatten)]
    force: ForceArgs,
}

/// The part of the positions that is kept for validation.
const VALIDATION: f32 = 0.1;

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads(args.eval.file());
    uses.replaces(Some(&args.out), POLICY_FILE).check()?;
    let stop = stop_flag()?;
    let jobs = Jobs {
        threads: threads_of(args.threads.into()),
        stop: &stop,
    };
    let options = PolicySampleOptions {
        eval: args.eval.kind,
        samples: args.samples,
        nodes: args.nodes,
        depth: args.depth,
        seed: args.seed,
    };
    let bar = progress_bar(args.samples, "positions");
    let samples = samples(&options, &jobs, |more| bar.inc(more));
    bar.finish_and_clear();
    let Some(samples) = samples else {
        return Ok(interrupted());
    };
    let options = FitOptions {
        epochs: args.epochs,
        validation: VALIDATION,
        seed: args.seed,
    };
    // What is learned is not lost because nobody reads how it goes.
    let mut told = Ok(());
    let values = fit(&samples, &options, |epoch| {
        let line = format_args!(
            "epoch {:>3}  loss {:.4}  {:.3} turns before the best\n",
            epoch.epoch, epoch.loss, epoch.rank
        );
        if told.is_ok() {
            told = print(line);
        }
    });
    write_file(&args.out, &PolicyWeights::to_bytes(&values))?;
    told?;
    print(format_args!("{}\n", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}
