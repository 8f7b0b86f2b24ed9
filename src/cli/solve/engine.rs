//! `santorini solve engine`: the engine's turns compared with solved positions.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{jobs, open};
use crate::cli::CliResult;
use crate::cli::engine::{EngineArgs, ONE_THREAD};
use crate::cli::interrupt::stop_flag;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::solve::{KeptShare, ShareOptions, kept_share};
use crate::stats::win_interval;
use crate::table::percent;

/// Measure how often the engine plays a turn that keeps a win
///
/// Examples:
///   santorini solve engine 3x3.solved
///   santorini solve engine --nodes 100000 --states 200 3x4.solved
///
/// The engine searches positions of random games: positions in which some turns win
/// and others lose. It plays on 5x5 or 6x6 spaces, so the spaces beyond the small
/// board are domes. If each player has one worker, a second one is enclosed by
/// domes and cannot move. Neither changes the game.
#[derive(clap::Args)]
#[command(mut_arg("threads", |threads| threads.help(ONE_THREAD)))]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
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
pub(super) fn run(args: &Args) -> CliResult {
    let stop = stop_flag()?;
    let jobs = jobs(0, &stop);
    let mut prober = open(&args.file, jobs)?;
    let options = ShareOptions {
        engine: args.engine.options_with(1),
        nodes: args.nodes,
        states: args.states,
        seed: args.seed,
    };
    let progress = Progress::new(args.states, "positions");
    let share = kept_share(&mut prober, &options, jobs, |done| progress.set(done))?;
    progress.finish();
    print(text(&share, args.nodes))?;
    Ok(ExitCode::SUCCESS)
}

fn text(share: &KeptShare, nodes: u64) -> String {
    let mean = |count: f64| percent(count / share.states as f64);
    let with_interval = |count: u64| {
        let [low, high] = win_interval(count, share.states).unwrap_or([0.0, 1.0]);
        let (low, high) = (percent(low), percent(high));
        format!("{} (95%: {low} to {high})", mean(count as f64))
    };
    format!(
        "positions              {}\n\
         wins kept, {nodes} nodes  {}\n\
         won soonest            {}\n\
         kept by random turns   {}\n",
        share.states,
        with_interval(share.kept),
        with_interval(share.shortest),
        mean(share.at_random),
    )
}
