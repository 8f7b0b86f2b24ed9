//! `santorini placements`: makes the placement book by long searches, and plays games from it.
//!
//! | to see or change | look at |
//! |---|---|
//! | making the book | `mod.rs` (here) |
//! | games from its placements | `play.rs` |

mod play;

use std::process::ExitCode;

use super::output::MakingArgs;
use super::progress::Progress;
use super::{CliError, CliResult};
use crate::files::Kind;
use crate::openings::{PlacementOptions, find_placements};
use crate::search::bench_signature;
use crate::shell::quoted;

/// Find the best placements by long searches
///
/// Examples:
///   santorini placements --nodes 100000     a rough book
///   santorini placements --out src/engine/search/placement/book.txt
///   santorini placements play games.txt     who wins from them
///
/// Searches each first placement, up to symmetry, with all replies, and writes the
/// best replies with their scores. In games without cards the player places its
/// workers by this book. The same options give the same book with any number of
/// threads.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    verbatim_doc_comment,
    after_long_help = "\
Without options this makes the built-in book. A line is a placement of the first
player and the best replies, each with the first player's score in hundredths of
a level. The best placement comes first."
)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// The nodes for each of the 49 first placements, and again for each of the best
    /// twelve.
    #[arg(long, value_name = "N", default_value_t = 40_000_000,
          value_parser = clap::value_parser!(u64).range(10_000..=1_000_000_000_000))]
    nodes: u64,
    /// The size of the transposition table of each thread.
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    making: MakingArgs,
}

#[derive(clap::Subcommand)]
enum What {
    Play(play::Args),
}

/// The file that this command writes.
const PLACEMENTS_FILE: Kind = Kind {
    name: "a table of placements of `santorini placements`",
    begins: |head| head.starts_with(b"# The first player's placements"),
};

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    if let Some(What::Play(args)) = &args.what {
        return play::run(args);
    }
    let making = &args.making;
    let options = PlacementOptions {
        eval: making.eval.kind,
        nodes: args.nodes,
        hash_mib: args.hash as usize,
    };
    let stop = making.prepare(PLACEMENTS_FILE, &[])?;
    let jobs = making.jobs(&stop);
    let progress = Progress::new(PlacementOptions::steps(), "placements");
    let book = find_placements(&options, &jobs, || progress.inc());
    progress.finish();
    let Some(book) = book else {
        return Err(CliError::Interrupted("; nothing is written".into()));
    };
    let Args { nodes, hash, .. } = args;
    let eval = quoted(&making.eval.to_string());
    let text = format!(
        "# The first player's placements, each with the best replies and the first player's\n\
         # score in hundredths of a level. Made by\n\
         #   santorini placements --nodes {nodes} --hash {hash} --eval {eval}\n\
         # with the engine of signature {}, as `santorini bench` prints it.\n{book}",
        bench_signature()
    );
    making.write(&text)?;
    Ok(ExitCode::SUCCESS)
}
