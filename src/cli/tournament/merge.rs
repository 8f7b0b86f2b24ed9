//! `santorini tournament merge`: joins the shares of a tournament that several
//! machines played.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{ShowArgs, show, write_report};
use crate::cli::output::say;
use crate::cli::{CliError, CliResult};
use crate::files::write_whole_with;
use crate::record::{Entry, GameRecord, Reader};
use crate::shard::Shard;
use crate::tournament::{Results, Settings, TournamentSummary};

/// Join the shares of a tournament and print its table
///
/// Examples:
///   santorini tournament merge part-*.jsonl
///   santorini tournament merge --html report.html --output all.jsonl \
///       part-*.jsonl
///
/// The files must be shares of one tournament, with the same players, time limit,
/// cards, openings and seed. The table is the same as if one machine had played.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The files of `santorini tournament --shard`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write all games to this new file, in the order of the schedule.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    show: ShowArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let uses = args.show.uses().reads(&args.files);
    uses.creates(args.output.as_deref()).check()?;
    let (settings, games) = join(&args.files)?;
    let mut results = Results::new(settings.names());
    for game in &games {
        let added = results.add(game);
        added.map_err(|error| {
            CliError::Usage(format!("the files do not belong together: {error}"))
        })?;
    }
    if let Some(path) = &args.output {
        write(path, &settings, &games)?;
    }
    let summary = TournamentSummary::of(&settings, &results);
    write_report(&args.show, &settings, &summary, &games)?;
    show(&args.show, &summary)?;
    if summary.games < summary.scheduled && settings.sprt.is_none() {
        say(&format!(
            "{} of {} games are missing; are these all the files?",
            summary.scheduled - summary.games,
            summary.scheduled
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The tournament of the files, and its games in the order of the schedule.
fn join(files: &[PathBuf]) -> Result<(Settings, Vec<GameRecord>), CliError> {
    let mut whole: Option<Settings> = None;
    let mut games = Vec::new();
    for path in files {
        let (settings, mut records) = read(path)?;
        let joined = match whole {
            None => settings,
            Some(whole) => {
                let same = whole.check_same(&settings, &["shard"]);
                same.map_err(|error| {
                    CliError::Usage(format!(
                        "{} and {}: {error}",
                        path.display(),
                        files[0].display()
                    ))
                })?;
                Settings {
                    rounds: whole.rounds.max(settings.rounds),
                    ..whole
                }
            }
        };
        whole = Some(Settings {
            shard: Shard::WHOLE,
            ..joined
        });
        games.append(&mut records);
    }
    games.sort_by_key(|record| record.game);
    match whole {
        Some(settings) => Ok((settings, games)),
        None => Err(CliError::Usage("there is no file to join".into())),
    }
}

fn read(path: &Path) -> Result<(Settings, Vec<GameRecord>), CliError> {
    let failed = |error: &dyn std::fmt::Display| CliError::Failed(error.to_string());
    let mut reader = Reader::open(path).map_err(|error| failed(&error))?;
    let entries: Vec<Entry> = reader
        .by_ref()
        .collect::<Result<_, _>>()
        .map_err(|error| failed(&error))?;
    if reader.damaged() {
        say(&format!(
            "{}: skipped the last line, which is damaged",
            path.display()
        ));
    }
    let settings = Settings::from_entries(&entries)
        .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))?;
    let games = entries.into_iter().filter_map(|entry| match entry {
        Entry::Game(record) => Some(*record),
        Entry::Header(_) => None,
    });
    let games: Vec<GameRecord> = games.collect();
    for game in &games {
        let (path, number) = (path.display(), game.number());
        let named = |error| CliError::Failed(format!("{path}: game {number}: {error}"));
        game.check().map_err(named)?;
    }
    Ok((settings, games))
}

/// Writes a file of records.
fn write(path: &Path, settings: &Settings, games: &[GameRecord]) -> Result<(), CliError> {
    let written = write_whole_with(path, |out| {
        writeln!(out, "{}", settings.header())?;
        for game in games {
            serde_json::to_writer(&mut *out, game)?;
            writeln!(out)?;
        }
        Ok(())
    });
    written.map_err(|error| CliError::failed(path.display(), error))
}
