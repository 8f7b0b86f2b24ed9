//! `santorini placements`: the table of placements, by long searches.

use std::path::PathBuf;
use std::process::ExitCode;

use super::output::{check_writable, progress_bar, write_out};
use super::{CliError, CliResult};
use crate::book::{PlacementOptions, find_placements};
use crate::eval::EvalKind;
use crate::lab::parallel::{Jobs, default_threads};
use crate::referee::stop_on_signals;

/// Find the best placements by long searches.
///
/// Searches every first placement, up to symmetry, with all replies, and
/// writes the best replies with the scores to expect: the table that the
/// player places its workers by in games without cards. The same options give
/// the same table with any number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
Example: the table that is part of the program, made again
  santorini placements --out src/search/placement/known.txt

A row is the first player's placement, then the best replies, each with the
first player's score in hundredths of a level. The best placement comes first.")]
pub struct Args {
    /// Nodes for each of the 49 first placements, and as many again for each
    /// of the best twelve. At 4 million nodes a second and core the default
    /// takes ten minutes on one core.
    #[arg(long, value_name = "N", default_value_t = 40_000_000,
          value_parser = clap::value_parser!(u64).range(10_000..=1_000_000_000_000))]
    nodes: u64,
    /// The size of each thread's transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// How many placements are searched at the same time; without it one on
    /// each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u64,
          hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    /// What evaluates positions: network, tuned, paper, or a network's file.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: String,
    /// The file to write; without it the table goes to standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let eval: EvalKind = args
        .eval
        .parse()
        .map_err(|error| CliError::Usage(format!("--eval: {error}")))?;
    let options = PlacementOptions {
        eval,
        nodes: args.nodes,
        hash_mib: args.hash as usize,
    };
    check_writable(args.out.as_deref())?;
    let stop = stop_on_signals().map_err(|error| CliError::failed("signals", error))?;
    let jobs = Jobs {
        threads: args.threads as usize,
        stop: &stop,
    };
    let bar = progress_bar(PlacementOptions::steps(), "placements");
    let known = find_placements(&options, &jobs, || bar.inc(1));
    bar.finish_and_clear();
    let Some(known) = known else {
        return Ok(ExitCode::from(130));
    };
    let Args {
        nodes, hash, eval, ..
    } = args;
    let text = format!(
        "# The first player's placements, each with the best replies and the first player's\n\
         # score in hundredths of a level. Made by\n\
         #   santorini placements --nodes {nodes} --hash {hash} --eval {eval}\n{known}"
    );
    write_out(args.out.as_deref(), &text)?;
    Ok(ExitCode::SUCCESS)
}
