//! `santorini duel merge`: joins the shares of a match that several machines played.

use std::path::PathBuf;
use std::process::ExitCode;

use super::show;
use crate::arena::{LONGEST_SHARE, MatchShare, join};
use crate::cli::input::read_input;
use crate::cli::output::say;
use crate::cli::{CliError, CliResult};

/// Join the shares of a match and print its outcome
///
/// Example:
///   santorini duel merge part-*.json
///
/// The files must be shares of one match: the same engines, limits, openings,
/// seed and number of pairs.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The files of `santorini duel --shard --output`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print the outcome as a JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let mut shares = Vec::new();
    for path in &args.files {
        let share = read_input(path, LONGEST_SHARE)?.parse::<MatchShare>();
        let named = |error| CliError::Usage(format!("{}: {error}", path.display()));
        shares.push(share.map_err(named)?);
    }
    let (settings, score) = join(&shares).map_err(|(index, error)| {
        CliError::Usage(format!("{}: {error}", args.files[index].display()))
    })?;
    let played = score.pairs().count();
    let pairs = settings.pairs;
    show(&score.outcome(settings.names, None), args.json)?;
    if played < pairs {
        say(&format!(
            "{} of {pairs} pairs are missing; are these all the files?",
            pairs - played
        ));
    }
    Ok(ExitCode::SUCCESS)
}
