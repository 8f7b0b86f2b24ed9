//! `santorini solve prove`: proves the positions of a file again.

use std::convert::Infallible;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{jobs, threads_from};
use crate::cli::input::read_input;
use crate::cli::interrupt::{interrupted, stop_flag};
use crate::cli::output::{print, say};
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::jobs::Jobs;
use crate::rules::Position;
use crate::solve::{BUILT_IN, Proof, ProvedPosition};

/// Prove positions of 5x5 again by a forward search that knows only the rules
///
/// Examples:
///   santorini solve prove
///   santorini solve prove --nodes 1000000 mine.jsonl
///
/// Each win or loss is proved within its distance and disproved within less: the
/// distance is the shortest win or the longest defence. This is depth-first
/// proof-number search, without an evaluation and with exact pruning only. It
/// reports each position whose value differs from the file; the exit code is then
/// 1. Positions that it cannot decide do not count.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file of positions, as `santorini solve proofs` writes it. The default is
    /// the positions that are part of the program.
    file: Option<PathBuf>,
    /// The maximum number of nodes for a proof.
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many positions to prove at the same time; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 28;

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let (name, text) = match &args.file {
        Some(path) => (path.display().to_string(), read_input(path, LARGEST)?),
        None => ("the positions of this program".into(), BUILT_IN.into()),
    };
    let proofs = ProvedPosition::read(&text);
    let proofs = proofs.map_err(|cause| CliError::Usage(format!("{name}: {cause}")))?;
    if proofs.is_empty() {
        return Err(CliError::Usage(format!("{name}: it has no position")));
    }
    let stop = stop_flag()?;
    let jobs = jobs(args.threads, &stop);
    let results = prove(&proofs, args.nodes, jobs);
    if jobs.is_stopped() {
        return Ok(interrupted());
    }
    let count = |kind| results.iter().filter(|&&result| result == kind).count();
    let [nearer, wrong] = [Proof::Nearer, Proof::Wrong].map(count);
    print(format_args!(
        "{} proved with their distance\n\
         {} proved within their distance, whether within less is open\n\
         {nearer} proved, but decided sooner than they say\n\
         {wrong} disproved\n\
         {} open: --nodes allows more\n",
        count(Proof::Exact),
        count(Proof::Within),
        count(Proof::Open),
    ))?;
    match nearer + wrong {
        0 => Ok(ExitCode::SUCCESS),
        other => Err(CliError::Failed(format!(
            "{name}: {other} of {} positions have another value than it says",
            proofs.len()
        ))),
    }
}

/// Proves all positions and reports those with another value; fewer if the work is stopped.
fn prove(proofs: &[(Position<5>, ProvedPosition)], nodes: u64, jobs: Jobs) -> Vec<Proof> {
    let progress = Progress::new(proofs.len() as u64, "positions");
    let mut results = Vec::new();
    let prove = |number: u64| {
        let (position, proof) = &proofs[number as usize];
        Proof::of(position, proof.wins, proof.plies, nodes)
    };
    let Ok(()) = jobs.run(0..proofs.len() as u64, prove, |number, result| {
        progress.inc();
        let (_, proof) = &proofs[number as usize];
        let fault = match result {
            Proof::Nearer => Some("it is decided sooner than a"),
            Proof::Wrong => Some("it is no"),
            Proof::Exact | Proof::Within | Proof::Open => None,
        };
        if let Some(fault) = fault {
            let (position, value) = (&proof.position, proof.value());
            progress.suspend(|| say(&format!("{position}: {fault} {value}")));
        }
        results.push(result);
        Ok::<(), Infallible>(())
    });
    results
}
