//! `santorini solve engine`: the engine's turns against the truth.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{jobs, open};
use crate::cli::CliResult;
use crate::cli::engine::EngineArgs;
use crate::cli::interrupt::{interrupted, stop_flag};
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::solve::{KeptShare, ShareOptions, kept_share};
use crate::table::percent;

/// Measure how often the engine plays a turn that keeps a win
///
/// Examples:
///   santorini solve engine 3x3.solved
///   santorini solve engine --nodes 100000 --states 200 3x4.solved
///
/// Takes positions of random games in which the player to move wins with some
/// turns and loses with others, and lets the engine search each of them. The
/// engine knows boards of 5x5 and 6x6 spaces: all other spaces are domes, and
/// where each player has one worker, another stands between domes, where it can
/// do nothing. So it is the same game.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// A file of `santorini solve`.
    file: PathBuf,
    /// The nodes to search for each turn.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The number of positions.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    states: u64,
    /// The seed of the random games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let stop = stop_flag()?;
    let jobs = jobs(0, &stop);
    let mut oracle = open(&args.file, jobs)?;
    let options = ShareOptions {
        engine: args.engine.options_with(1),
        nodes: args.nodes,
        states: args.states,
        seed: args.seed,
    };
    let progress = Progress::new(args.states, "positions");
    let share = kept_share(&mut oracle, &options, jobs, |done| progress.set(done))?;
    progress.finish();
    let Some(share) = share else {
        return Ok(interrupted());
    };
    print(text(&share, args.nodes))?;
    Ok(ExitCode::SUCCESS)
}

fn text(share: &KeptShare, nodes: u64) -> String {
    let of_all = |count: f64| percent(count / share.states as f64);
    format!(
        "positions              {}\n\
         wins kept, {nodes} nodes  {}\n\
         won soonest            {}\n\
         kept by random turns   {}\n",
        share.states,
        of_all(share.kept as f64),
        of_all(share.shortest as f64),
        of_all(share.at_random),
    )
}
