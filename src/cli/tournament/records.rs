//! The file that keeps the games of a tournament or a rating: a new one, or one
//! that is gone on with.

use std::io;
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::cli::again::{own_words, resuming};
use crate::cli::files::{ForceArgs, open_records};
use crate::files::{Destination, Uses};
use crate::record::{Entry, FileError, RecordFile};
use crate::tournament::{FailingPlayer, Results, RunError, Settings};

/// What the options say of the file.
pub struct Records<'a> {
    pub output: Option<&'a Path>,
    pub resume: bool,
    pub force: ForceArgs,
    /// Whether the rounds are only the most that there may be, so that they may be
    /// fewer than before.
    pub rounds_bound: bool,
    /// How the name of a new file begins, if none is given.
    pub stem: &'static str,
}

/// The file of records, with what it holds already.
pub struct Opened {
    pub file: RecordFile,
    pub path: PathBuf,
    pub entries: Vec<Entry>,
    pub results: Results,
}

impl Records<'_> {
    /// Makes sure that the games can be read when all are over, as `option` asks.
    ///
    /// # Errors
    /// If the file is a pipe or device.
    pub fn check_readable(&self, option: &str) -> Result<(), CliError> {
        match self.output.map(|path| (path, Destination::of(path))) {
            Some((path, Ok(Destination::Stream(_)))) => Err(CliError::Usage(format!(
                "{option}: at the end the games are read from the file of --output, which {} is not",
                path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Opens the file for games with these settings.
    ///
    /// # Errors
    /// If that fails, or it holds other games.
    pub fn open(&self, uses: &Uses, settings: &Settings) -> Result<Opened, CliError> {
        let (mut file, path, entries) = match self.output {
            None => {
                let (file, path) = self.create_numbered(uses)?;
                (file, path, Vec::new())
            }
            Some(path) => {
                let (file, entries) = open_records(path, self.resume, self.force)?;
                (file, path.to_path_buf(), entries)
            }
        };
        let results = self.read_back(settings, &path, &entries)?;
        let known = Settings::from_entries(&entries);
        if known.as_ref() != Ok(settings) {
            file.append(&settings.header())?;
        }
        Ok(Opened {
            file,
            path,
            entries,
            results,
        })
    }

    /// Makes the first file `STEM-N.jsonl` that there is not yet, and that
    /// nothing else will be written to.
    fn create_numbered(&self, uses: &Uses) -> Result<(RecordFile, PathBuf), CliError> {
        for number in 1.. {
            let path = PathBuf::from(format!("{}-{number}.jsonl", self.stem));
            if uses.write_to(&path) {
                continue;
            }
            match RecordFile::create(&path) {
                Ok(file) => return Ok((file, path)),
                Err(FileError::Io { cause, .. })
                    if cause.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(CliError::Failed("no file name is left".into()))
    }

    /// The results of the games that are there already, if they belong here.
    fn read_back(
        &self,
        settings: &Settings,
        path: &Path,
        entries: &[Entry],
    ) -> Result<Results, CliError> {
        let mut results = Results::new(settings.names());
        if entries.is_empty() {
            return Ok(results);
        }
        let wrong = |cause: &dyn std::fmt::Display| {
            CliError::Usage(format!("cannot go on with {}: {cause}", path.display()))
        };
        let known = Settings::from_entries(entries).map_err(|error| wrong(&error))?;
        settings
            .check_same(&known, &[])
            .map_err(|error| wrong(&error))?;
        if !self.rounds_bound {
            let checked = settings.check_rounds(&known);
            checked.map_err(|error| wrong(&error))?;
        }
        for entry in entries {
            if let Entry::Game(record) = entry {
                let named = |error| wrong(&format_args!("game {}: {error}", record.number()));
                record.check().map_err(named)?;
                results.add(record).map_err(|error| wrong(&error))?;
            }
        }
        Ok(results)
    }
}

/// A failure during the games, its last line the command that goes on.
pub fn failure(error: &RunError, path: &Path) -> CliError {
    CliError::Failed(format!(
        "{error}\nwhen that is mended, this goes on with the tournament:\n{}",
        resume_command(path)
    ))
}

/// A player ended the games because it does not play. If there are more games, the
/// last line is the command that resumes them.
pub fn does_not_play(failing: &FailingPlayer, path: &Path, more: bool) -> CliError {
    let path_shown = path.display();
    let next = match more {
        true => format!(
            "the games end here; fix the player, or use --keep-going to play the rest anyway. \
             The games so far are in {path_shown}; this resumes them:\n{}",
            resume_command(path)
        ),
        false => format!("fix the player and play again; the games are in {path_shown}"),
    };
    CliError::Failed(format!("{failing}\n{next}"))
}

/// The command that goes on with the games in the file: the command line that
/// was given, with what it lacks.
pub fn resume_command(path: &Path) -> String {
    resuming(own_words(), Some(["--output", &path.to_string_lossy()]))
}
