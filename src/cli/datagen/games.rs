//! `santorini datagen games`: searches recorded games.

use std::path::PathBuf;

use super::{LabelArgs, tell, write_data};
use crate::cli::board::with_board_size;
use crate::cli::files::ForceArgs;
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::eval::network::features::FeatureSet;
use crate::record::{Entry, FileError, Reader};
use crate::train::datagen::DatagenProgress;
use crate::train::recorded::RecordedGames;

/// Search the positions of recorded games, to learn from them
///
/// Example:
///   santorini datagen games --nodes 1200 --out data.bin tournament*.jsonl
///
/// The games can be of any players, as `santorini tournament` records them, so a
/// network also learns from positions that other programs lead to. Each quiet
/// position is recorded with the score of a search and the result of its game,
/// which ends where a search proves who wins. The same command resumes an
/// interrupted run.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files of game records, all with cards or all without.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write, or to resume.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    label: LabelArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let eval = &args.label.eval;
    let uses = args.force.uses().reads(&args.files).reads(eval.file());
    uses.resumes(Some(&args.out)).check()?;
    let (size, features) = kind_of_first(args)?;
    with_board_size!(size, N => {
        eval.expect_games::<N>(std::iter::once(features))?;
        search::<N>(args)
    })
}

/// The size of the board of the first game, and the features that suit its cards.
fn kind_of_first(args: &Args) -> Result<(usize, FeatureSet), CliError> {
    let failed = |error: FileError| CliError::Failed(error.to_string());
    for path in &args.files {
        for entry in Reader::open(path).map_err(failed)? {
            if let Entry::Game(record) = entry.map_err(failed)?
                && let Some(size) = record.size()
            {
                let features = match record.cards {
                    Some(_) => FeatureSet::Cards,
                    None => FeatureSet::Base,
                };
                return Ok((size, features));
            }
        }
    }
    let names = args.files.iter().map(|path| path.display().to_string());
    Err(CliError::Usage(format!(
        "{}: there is no game to learn from; `santorini tournament` records games",
        names.collect::<Vec<_>>().join(", ")
    )))
}

fn search<const N: usize>(args: &Args) -> CliResult {
    let reading = Progress::new(None, "reading the games");
    let games = RecordedGames::<N>::read(&args.files, args.label.options());
    let games = games.map_err(|error| CliError::Failed(error.to_string()))?;
    let options = args.label.datagen(u64::MAX, &args.force);
    reading.finish();
    let progress = Progress::new(None, "games");
    let report = |done: &DatagenProgress| progress.set_of(done.games, games.count());
    let done = write_data(&games, &options, &args.out, report)?;
    progress.finish();
    let how_far = format!("{} of {} games", done.games, games.count());
    tell(&done, &args.out, &how_far, args.force)
}
