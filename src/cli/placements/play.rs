//! `santorini placements play`: games of the engine against itself from placements.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::engine::{jobs, threads_from};
use crate::cli::files::{ForceArgs, write_file};
use crate::cli::input::read_input;
use crate::cli::interrupt::{interrupted, stop_flag};
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::files::Kind;
use crate::openings::{MOST_PLACEMENT_GAMES, PLACEMENT_GAMES, PlacementGames};

/// Play games of the engine against itself from the placements of the book
///
/// Examples:
///   santorini placements play --games 4 --nodes 10000 games.txt
///   santorini placements play --games 100 games.txt
///   santorini placements play --cards --nodes 50000 cards.txt
///
/// Each first placement is played with its best reply, and the best twelve with the
/// second reply too. With --cards, each pair of cards is played from its best first
/// placement with the best reply. FILE holds, for each pair of placements, how many
/// games the first player won. It is rewritten after each game; the same command
/// resumes it, and with a larger --games plays more. The same options give the same
/// games.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The file to write, or to resume.
    file: PathBuf,
    /// Play with each of the 56 ordered pairs of god cards.
    #[arg(long)]
    cards: bool,
    /// The number of games from each pair of placements.
    #[arg(long, value_name = "N", default_value_t = 24,
          value_parser = clap::value_parser!(u64).range(0..=MOST_PLACEMENT_GAMES))]
    games: u64,
    /// The mean number of nodes for each turn. Each turn has from half to one and a
    /// half times as many, by chance, so that the games differ.
    #[arg(long, value_name = "N", default_value_t = 2_500_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    nodes: u64,
    /// How many games to play at the same time; 0 is one on each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
    #[command(flatten)]
    force: ForceArgs,
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The file that this command writes.
const GAMES_FILE: Kind = Kind {
    name: "a file of `santorini placements play`",
    begins: |head| head.starts_with(PLACEMENT_GAMES.as_bytes()),
};

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.force.uses();
    uses.replaces(Some(&args.file), GAMES_FILE).check()?;
    let mut games = begun(args)?;
    // Fail before the first game if the file cannot be written.
    write_file(&args.file, games.to_string().as_bytes())?;
    let stop = stop_flag()?;
    let jobs = jobs(args.threads, &stop);
    let all = args.games * games.pairs().len() as u64;
    let progress = Progress::new(all, "games");
    progress.set_begun(games.games());
    games.play(args.games, &jobs, |games| {
        progress.set(games.games());
        write_file(&args.file, games.to_string().as_bytes())
    })?;
    progress.finish();
    print(games.table())?;
    match games.games() < all {
        true => Ok(interrupted()),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// The games of the file so far.
fn begun(args: &Args) -> Result<PlacementGames, CliError> {
    let none = PlacementGames::new(args.cards, args.nodes);
    if args.force.force || !args.file.exists() {
        return Ok(none);
    }
    let text = read_input(&args.file, LARGEST)?;
    if text.is_empty() {
        return Ok(none);
    }
    none.resume(&text).map_err(|error| {
        let file = args.file.display();
        CliError::Usage(format!(
            "{file}: {error}; name another file, or use --force to start again"
        ))
    })
}
