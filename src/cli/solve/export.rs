//! `santorini solve export`: positions with their exact values as CSV.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{jobs, open, winners};
use crate::cli::files::ForceArgs;
use crate::cli::interrupt::stop_flag;
use crate::cli::output::{file_of, say, write_or_print};
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::files::Kind;
use crate::jobs::Jobs;
use crate::solve::{
    RandomStates, SAMPLE_PATIENCE, SmallGame, SmallState, SolveError, WinnerProber,
};

/// Write positions with their exact values as CSV
///
/// Examples:
///   santorini solve export 3x3.solved > 3x3.csv
///   santorini solve export --positions 100000 --out 4x4.csv 4x4.winners
///
/// Each position comes from a random game of its own, and no position comes twice.
/// The columns:
///   position  the levels row by row, the workers of the player to move, the
///             opponent's workers and, in games with cards, both cards
///   wins      1 if the player to move wins with best play, otherwise 0
///   plies     the number of turns of both players to the end, if the winner plays
///             for the soonest win and the loser for the latest; empty if FILE has
///             only the winners
///
/// Only positions that FILE keeps are written: those with few levels, if it does
/// not keep all.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file of `santorini solve`.
    file: PathBuf,
    /// The number of positions; fewer if 10,000 random games in a row have no new one.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    positions: u64,
    /// The seed of the random games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write, or - for standard output, which is the default.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

const HEAD: &str = "position,wins,plies\n";

/// The file that this command writes.
const EXPORT_FILE: Kind = Kind {
    name: "a CSV file of `santorini solve export`",
    begins: |head| head.starts_with(HEAD.as_bytes()),
};

/// The winner and, where it is known, the number of plies to the end.
type Value = (bool, Option<u32>);

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads([&args.file]);
    uses.replaces(file_of(args.out.as_ref()), EXPORT_FILE)
        .check()?;
    let stop = stop_flag()?;
    let rows = rows(args, jobs(0, &stop))?;
    let found = rows.lines().count() as u64 - 1;
    if found < args.positions {
        say(&format!(
            "santorini: found only {found} different positions: the next {SAMPLE_PATIENCE} \
             random games had no other"
        ));
    }
    write_or_print(file_of(args.out.as_ref()), &rows)?;
    Ok(ExitCode::SUCCESS)
}

/// The whole CSV text.
fn rows(args: &Args, jobs: Jobs) -> Result<String, CliError> {
    if winners::is_file(&args.file) {
        let file = winners::open(&args.file)?;
        let mut prober = WinnerProber::new(&file, jobs)?;
        let wins = |state: &SmallState| Ok((prober.wins(state)?, None));
        return valued(args, file.game(), file.kept(), jobs, wins);
    }
    let mut prober = open(&args.file, jobs)?;
    let (game, kept) = (prober.game().clone(), prober.file().kept());
    let value = |state: &SmallState| {
        let value = prober.value(state)?;
        Ok((value.wins(), Some(value.plies())))
    };
    valued(args, &game, kept, jobs, value)
}

fn valued(
    args: &Args,
    game: &SmallGame,
    kept: usize,
    jobs: Jobs,
    mut value: impl FnMut(&SmallState) -> Result<Value, SolveError>,
) -> Result<String, CliError> {
    let progress = Progress::new(args.positions, "positions");
    let mut text = HEAD.to_string();
    for state in RandomStates::new(game, kept, args.seed).take(args.positions as usize) {
        if jobs.is_stopped() {
            return Err(SolveError::Stopped.into());
        }
        let (wins, plies) = value(&state)?;
        let plies = plies.map_or_else(String::new, |plies| plies.to_string());
        // No field needs quotes.
        text += &format!("{},{},{plies}\n", state.text(game), u8::from(wins));
        progress.inc();
    }
    Ok(text)
}
