//! Merges the shares of a tournament that several machines played.

use std::path::{Path, PathBuf};

use super::results::{Results, ResultsError};
use super::settings::{Settings, SettingsError};
use crate::files::write_whole_with;
use crate::record::{Entry, FileError, GameRecord, Reader, ReplayError};
use crate::shard::Shard;

/// A whole tournament.
pub struct MergedGames {
    pub settings: Settings,
    pub results: Results,
    /// In the order of the schedule.
    pub games: Vec<GameRecord>,
    /// The files whose last line is damaged. It was skipped.
    pub damaged: Vec<PathBuf>,
}

/// Why files of games cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeGamesError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{path}: game {number}: {cause}")]
    Game {
        path: PathBuf,
        number: u64,
        cause: ReplayError,
    },
    #[error("{path}: {cause}")]
    Settings { path: PathBuf, cause: SettingsError },
    #[error("{path} and {first}: {cause}")]
    Differ {
        path: PathBuf,
        first: PathBuf,
        cause: SettingsError,
    },
    #[error("the files do not go together: {0}")]
    Results(#[from] ResultsError),
    #[error("there is no file to merge")]
    Nothing,
}

/// Merges files that hold shares of one tournament.
///
/// # Errors
/// If a file cannot be read or is damaged, or the files do not go together.
pub fn merge_games(files: &[PathBuf]) -> Result<MergedGames, MergeGamesError> {
    let first = files.first().ok_or(MergeGamesError::Nothing)?;
    let mut damaged = Vec::new();
    let (mut whole, mut games) = read(first, &mut damaged)?;
    for path in &files[1..] {
        let (settings, mut records) = read(path, &mut damaged)?;
        let same = whole.check_same(&settings, &["shard"]);
        same.map_err(|cause| MergeGamesError::Differ {
            path: path.clone(),
            first: first.clone(),
            cause,
        })?;
        whole.rounds = whole.rounds.max(settings.rounds);
        games.append(&mut records);
    }
    whole.shard = Shard::WHOLE;
    games.sort_by_key(|record| record.game);
    let mut results = Results::new(whole.names());
    for game in &games {
        results.add(game)?;
    }
    Ok(MergedGames {
        settings: whole,
        results,
        games,
        damaged,
    })
}

fn read(
    path: &Path,
    damaged: &mut Vec<PathBuf>,
) -> Result<(Settings, Vec<GameRecord>), MergeGamesError> {
    let mut reader = Reader::open(path)?;
    let entries: Vec<Entry> = reader.by_ref().collect::<Result<_, _>>()?;
    if reader.damaged() {
        damaged.push(path.to_path_buf());
    }
    let settings = Settings::from_entries(&entries);
    let settings = settings.map_err(|cause| MergeGamesError::Settings {
        path: path.to_path_buf(),
        cause,
    })?;
    let games = entries.into_iter().filter_map(|entry| match entry {
        Entry::Game(record) => Some(*record),
        Entry::Header(_) => None,
    });
    let games: Vec<GameRecord> = games.collect();
    for game in &games {
        game.check().map_err(|cause| MergeGamesError::Game {
            path: path.to_path_buf(),
            number: game.number(),
            cause,
        })?;
    }
    Ok((settings, games))
}

impl MergedGames {
    /// Writes a file of records with all games.
    ///
    /// # Errors
    /// If that fails; then the old file stays as it was.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        write_whole_with(path, |out| {
            writeln!(out, "{}", self.settings.header())?;
            for game in &self.games {
                serde_json::to_writer(&mut *out, game)?;
                writeln!(out)?;
            }
            Ok(())
        })
    }
}
