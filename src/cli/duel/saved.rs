//! The file with the outcome of a match or a share of it. It is written from time to
//! time during the match, and the same command resumes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::arena::{LONGEST_SHARE, MatchScore, MatchSettings, MatchShare};
use crate::cli::CliError;
use crate::cli::files::write_file;
use crate::cli::input::read_input;
use crate::cli::output::say;
use crate::shard::Shard;

/// The time between two writes.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// The pairs played, and of how many unless a test decides that.
pub(super) fn counted(score: &MatchScore, all: Option<u64>) -> String {
    let played = score.pairs().count();
    match all {
        None => format!("{played} pairs"),
        Some(all) => format!("{played} of {all} pairs"),
    }
}

/// A match and the file for its outcome.
pub(super) struct SavedMatch {
    path: Option<PathBuf>,
    /// The share, with the score last passed to `save`.
    share: MatchShare,
    /// When it was last written in this run.
    saved: Option<Instant>,
}

impl SavedMatch {
    /// A match that is saved to `path`, if there is one.
    pub(super) fn new(path: Option<&Path>, settings: MatchSettings, shard: Shard) -> Self {
        Self {
            path: path.map(Path::to_path_buf),
            share: MatchShare {
                settings,
                shard,
                score: MatchScore::default(),
            },
            saved: None,
        }
    }

    /// The score in the file; no games if there is no such file.
    ///
    /// # Errors
    /// If the file is of another match.
    pub(super) fn begun(&self) -> Result<MatchScore, CliError> {
        let is_begun = |path: &&PathBuf| {
            fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0)
        };
        let Some(path) = self.path.as_ref().filter(is_begun) else {
            return Ok(MatchScore::default());
        };
        let refused = |error| {
            CliError::Usage(format!(
                "{}: {error}; name another file, or use --force to overwrite it",
                path.display()
            ))
        };
        let found: MatchShare = read_input(path, LONGEST_SHARE)?.parse().map_err(refused)?;
        let MatchShare {
            settings, shard, ..
        } = &self.share;
        let score = found.score_of(settings, *shard).map_err(refused)?;
        let all = settings.pairs.map(|all| shard.share_of(all));
        let has = counted(&score, all);
        say(&format!(
            "santorini: {} has {has}; resuming",
            path.display()
        ));
        Ok(score)
    }

    /// Writes the score to a file, for the first time or if the last time was long ago; a
    /// pipe gets it at the end. Errors are ignored here: the write at the end reports them.
    pub(super) fn save_now_and_then(&mut self, score: &MatchScore) {
        let is_due = self.saved.is_none_or(|saved| saved.elapsed() >= SAVE_EVERY);
        if is_due && !self.is_stream() {
            self.saved = Some(Instant::now());
            let _ = self.save(score);
        }
    }

    /// Whether the path leads to a pipe or a device.
    fn is_stream(&self) -> bool {
        let found = self.path.as_ref().and_then(|path| fs::metadata(path).ok());
        found.is_some_and(|found| !found.is_file())
    }

    /// Writes the score.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(&mut self, score: &MatchScore) -> Result<(), CliError> {
        self.share.score = *score;
        match &self.path {
            Some(path) => write_file(path, self.share.text().as_bytes()),
            None => Ok(()),
        }
    }
}
