//! `santorini solve proofs`: finds positions of 5x5 that are proved twice.

use std::collections::HashSet;
use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{jobs, threads_from};
use crate::cli::files::{ForceArgs, keep_complete, write_file};
use crate::cli::interrupt::{interrupted, stop_flag};
use crate::cli::output::say;
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::files::Kind;
use crate::jobs::Jobs;
use crate::rules::Card;
use crate::solve::{ProofOptions, ProvedPosition, proofs_of_game};

/// Find positions of strong games whose outcome is proved twice
///
/// Examples:
///   santorini solve proofs --positions 100 --pairs 1 few.jsonl
///   santorini solve proofs src/workshop/solve/proofs.jsonl
///
/// The engine plays itself, in the base game and with all pairs of cards. From the
/// end of each game backwards, it proves positions. A forward search that knows
/// only the rules then proves each one again, with its exact distance: the shortest
/// win or the longest defence. Positions are left out if the second proof is too
/// hard, or if they are decided within four turns. The same options give the same
/// file with any number of threads. Ctrl-C writes the positions so far, unless the
/// file exists.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "`santorini bench proofs` counts how many of them the engine proves."
)]
pub(super) struct Args {
    /// The file to write, a position on each line in JSON.
    file: PathBuf,
    /// The positions of the base game.
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u32).range(0..=MOST_POSITIONS))]
    positions: u32,
    /// The positions of each of the 56 pairs of cards.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(0..=MOST_POSITIONS))]
    pairs: u32,
    /// The maximum nodes for the engine's proof of a position.
    #[arg(long, value_name = "N", default_value_t = ProofOptions::default().most_nodes,
          value_parser = clap::value_parser!(u64).range(1000..))]
    nodes: u64,
    /// The maximum nodes of the second proof, for each distance that it tries.
    #[arg(long, value_name = "N", default_value_t = ProofOptions::default().prover_nodes,
          value_parser = clap::value_parser!(u64).range(1000..))]
    second: u64,
    /// The seed of the games.
    #[arg(long, default_value_t = ProofOptions::default().seed)]
    seed: u64,
    /// How many games to play at the same time; 0 is one on each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
    #[command(flatten)]
    force: ForceArgs,
}

/// The maximum number of positions of one kind of game.
const MOST_POSITIONS: i64 = 100_000_000;

/// The file of proved positions.
const PROOFS_FILE: Kind = Kind {
    name: "a file of `santorini solve proofs`",
    begins: |head| head.starts_with(b"{\"position\":"),
};

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.force.uses();
    uses.replaces(Some(&args.file), PROOFS_FILE).check()?;
    let stop = stop_flag()?;
    let jobs = jobs(args.threads, &stop);
    let all = u64::from(args.positions) + Card::pairs().count() as u64 * u64::from(args.pairs);
    let progress = Progress::new(all, "positions");
    let proofs = find_proofs(args, jobs, &progress)?;
    progress.finish();
    if jobs.is_stopped() {
        keep_complete(&args.file)?;
    }
    let text: String = proofs.iter().map(ProvedPosition::line).collect();
    write_file(&args.file, text.as_bytes())?;
    if jobs.is_stopped() {
        let done = proofs.len();
        say(&format!(
            "santorini: stopped after {done} of {all} positions"
        ));
        return Ok(interrupted());
    }
    Ok(ExitCode::SUCCESS)
}

/// The positions wanted; fewer if the work was stopped.
fn find_proofs(
    args: &Args,
    jobs: Jobs,
    progress: &Progress,
) -> Result<Vec<ProvedPosition>, CliError> {
    let options = ProofOptions {
        seed: args.seed,
        most_nodes: args.nodes,
        prover_nodes: args.second,
    };
    let pairs = Card::pairs().map(|cards| (Some(cards), args.pairs));
    let kinds = iter::once((None, args.positions)).chain(pairs);
    let mut proofs = Vec::new();
    let mut seen = HashSet::new();
    for (cards, wanted) in kinds.filter(|&(_, wanted)| wanted > 0) {
        let mut left = wanted;
        let play = |number| proofs_of_game(&options, number, cards);
        let done = jobs.run(0..u64::MAX, play, |_, found| {
            for (position, proof) in found.map_err(Some)? {
                let is_new = seen.insert(position.symmetric_key());
                if is_new && left > 0 {
                    left -= 1;
                    proofs.push(proof);
                    progress.inc();
                }
            }
            if left > 0 { Ok(()) } else { Err(None) }
        });
        if let Err(Some(contradiction)) = done {
            return Err(CliError::Failed(contradiction));
        }
    }
    Ok(proofs)
}
