//! Merges the shares of a tournament that several machines played.

use std::path::{Path, PathBuf};

use super::results::{Results, ResultsError};
use super::resume::ResumeError;
use super::settings::{Settings, SettingsError};
use crate::files::write_whole_with;
use crate::record::{Entry, FileError, GameRecord, Reader};
use crate::shard::Shard;

/// A whole tournament.
pub struct MergedGames {
    /// The settings without a share.
    pub settings: Settings,
    /// The results of all games together.
    pub results: Results,
    /// In the order of the schedule.
    pub games: Vec<GameRecord>,
    /// The files whose last line is damaged. It was skipped.
    pub damaged: Vec<PathBuf>,
}

/// Why files of games cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeGamesError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The header of a file cannot be used, or a game contradicts the rules.
    #[error("{path}: {cause}")]
    Share {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: ResumeError,
    },
    /// Two files come from different tournaments.
    #[error("{path} and {first}: {cause}")]
    Differ {
        /// The file that differs.
        path: PathBuf,
        /// The file it was compared with.
        first: PathBuf,
        /// The settings that differ.
        cause: SettingsError,
    },
    /// The games of the files contradict each other.
    #[error("the files cannot be merged: {0}")]
    Results(#[from] ResultsError),
    /// The list of files is empty.
    #[error("there is no file to merge")]
    Nothing,
}

/// Merges files that hold shares of one tournament.
///
/// # Errors
/// If a file cannot be read or is damaged before its last line, or the files cannot be merged.
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
    let wrong = |cause: ResumeError| MergeGamesError::Share {
        path: path.to_path_buf(),
        cause,
    };
    let settings = Settings::from_entries(&entries).map_err(|cause| wrong(cause.into()))?;
    let games = entries.into_iter().filter_map(|entry| match entry {
        Entry::Game(record) => Some(*record),
        Entry::Header(_) => None,
    });
    let games: Vec<GameRecord> = games.collect();
    for game in &games {
        let checked = game.check();
        checked.map_err(|cause| wrong(ResumeError::Game(game.number(), cause)))?;
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
