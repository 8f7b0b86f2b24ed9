//! Resuming a tournament: the results of the games that its file has.

use super::results::{Results, ResultsError};
use super::settings::{Settings, SettingsError};
use crate::record::{Entry, ReplayError};

/// Why a file cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The header is missing or of another tournament.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A game, by its number, contradicts the rules.
    #[error("game {0}: {1}")]
    Game(u64, ReplayError),
    /// The records contradict the settings or each other.
    #[error(transparent)]
    Results(#[from] ResultsError),
}

/// Replays the games of a file by the rules, and adds up their results. With `fewer_rounds`
/// the settings may have fewer rounds than the file.
///
/// # Errors
/// If the file is of a tournament with other settings, or a game is damaged.
pub fn resumed_results(
    settings: &Settings,
    entries: &[Entry],
    fewer_rounds: bool,
) -> Result<Results, ResumeError> {
    let mut results = Results::new(settings.names());
    if entries.is_empty() {
        return Ok(results);
    }
    let known = Settings::from_entries(entries)?;
    settings.check_same(&known, &[])?;
    if !fewer_rounds {
        settings.check_rounds(&known)?;
    }
    for entry in entries {
        if let Entry::Game(record) = entry {
            let wrong = |error| ResumeError::Game(record.number(), error);
            record.check().map_err(wrong)?;
            results.add(record)?;
        }
    }
    Ok(results)
}
