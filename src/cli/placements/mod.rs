//! `santorini placements`: makes the placement book by long searches, and plays games from it.
//!
//! | to see or change | look at |
//! |---|---|
//! | making the book | `mod.rs` (here) |
//! | games from its placements | `play.rs` |

mod play;

use std::process::ExitCode;

use super::book_options::MakingArgs;
use super::progress::Progress;
use super::{CliError, CliResult};
use crate::eval::network::features::FeatureSet;
use crate::files::Kind;
use crate::jobs::Jobs;
use crate::openings::{CardPlacements, PlacementOptions, find_placements};
use crate::rules::Card;
use crate::search::{bench_signature, card_signature};
use crate::shell::quoted;

/// Find the best placements by long searches
///
/// Examples:
///   santorini placements --nodes 100000     a rough book
///   santorini placements --out src/engine/search/placement/book.txt
///   santorini placements --cards --out src/games/openings/card_placements.txt
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
a level. The best placement comes first. --cards makes the built-in books for
god cards: each starts with a line that names the first and the second player's
card, and has two replies for each placement. The player does not use these
books."
)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Make a book for each of the 56 ordered pairs of god cards.
    #[arg(long)]
    cards: bool,
    /// The nodes for each of the 49 first placements, and again for each of the best
    /// twelve. The default is 40,000,000, or 500,000 with --cards.
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(10_000..=1_000_000_000_000))]
    nodes: Option<u64>,
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
    begins: |head| head.starts_with(b"# The first player's placements, "),
};

/// The file that this command writes with --cards.
const CARD_PLACEMENTS_FILE: Kind = Kind {
    name: "a table of placements of `santorini placements --cards`",
    begins: |head| head.starts_with(b"# With each pair of cards, the first player's placements, "),
};

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    if let Some(What::Play(args)) = &args.what {
        return play::run(args);
    }
    let making = &args.making;
    let features = FeatureSet::for_games(args.cards);
    making.eval.expect_games::<5>(std::iter::once(features))?;
    let options = PlacementOptions {
        cards: [None, None],
        eval: making.eval.kind,
        nodes: args
            .nodes
            .unwrap_or(if args.cards { 500_000 } else { 40_000_000 }),
        hash_mib: args.hash as usize,
    };
    let (kind, signature) = match args.cards {
        true => (CARD_PLACEMENTS_FILE, card_signature()),
        false => (PLACEMENTS_FILE, bench_signature()),
    };
    let [begin, option, bench] = match args.cards {
        true => ["With each pair of cards, the", " --cards", "bench cards"],
        false => ["The", "", "bench"],
    };
    let stop = making.prepare(kind, &[])?;
    let jobs = making.jobs(&stop);
    let found = match args.cards {
        true => with_cards(&options, &jobs),
        false => without_cards(&options, &jobs),
    };
    let Some(found) = found else {
        return Err(CliError::Interrupted("; nothing is written".into()));
    };
    let (nodes, hash) = (options.nodes, args.hash);
    let eval = quoted(&making.eval.to_string());
    let text = format!(
        "# {begin} first player's placements, each with the best replies and the first player's\n\
         # score in hundredths of a level. Made by\n\
         #   santorini placements{option} --nodes {nodes} --hash {hash} --eval {eval}\n\
         # with the engine of signature {signature}, as `santorini {bench}` prints it.\n{found}"
    );
    making.write(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The text of the book; `None` if the jobs were stopped.
fn without_cards(options: &PlacementOptions, jobs: &Jobs) -> Option<String> {
    let progress = Progress::new(PlacementOptions::steps(), "placements");
    let book = find_placements(options, jobs, || progress.inc());
    progress.finish();
    Some(book?.to_string())
}

/// The text of the books of all pairs of cards; `None` if the jobs were stopped.
fn with_cards(options: &PlacementOptions, jobs: &Jobs) -> Option<String> {
    let steps = Card::pairs().count() as u64 * PlacementOptions::steps();
    let progress = Progress::new(steps, "placements");
    let books = Card::pairs().map(|pair| {
        let options = PlacementOptions {
            cards: pair.map(Some),
            ..*options
        };
        Some((pair, find_placements(&options, jobs, || progress.inc())?))
    });
    let books = books.collect::<Option<Vec<_>>>();
    progress.finish();
    Some(CardPlacements::new(books?).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_books_are_of_their_kinds() {
        let base = include_bytes!("../../engine/search/placement/book.txt");
        let cards = include_bytes!("../../games/openings/card_placements.txt");
        assert!((PLACEMENTS_FILE.begins)(base) && !(PLACEMENTS_FILE.begins)(cards));
        assert!((CARD_PLACEMENTS_FILE.begins)(cards) && !(CARD_PLACEMENTS_FILE.begins)(base));
    }
}
