//! The file for the games of a tournament or a rating: a new one, or one to resume.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::cli::CliError;
use crate::cli::files::{ForceArgs, open_records};
use crate::cli::interrupt::interrupted;
use crate::cli::isolate::IsolateArgs;
use crate::cli::kills;
use crate::cli::output::say;
use crate::cli::resume_command::{own_words, resuming};
use crate::files::{Destination, Uses};
use crate::printable::{listed, shown};
use crate::program::PlayerCommand;
use crate::record::{Entry, FileError, GameRecord, Reader, RecordFile, SaveError, read_games};
use crate::tournament::{FailingPlayer, Results, RunError, Settings, resumed_results};

/// The options for the file.
pub(crate) struct Records<'a> {
    pub output: Option<&'a Path>,
    pub resume: bool,
    pub force: ForceArgs,
    pub isolate: &'a IsolateArgs,
    /// Whether a resumed file may have more rounds than the options ask for.
    pub fewer_rounds: bool,
    /// The beginning of the name of a new file, if none is given.
    pub stem: &'static str,
}

/// The open file of records, with its contents so far.
pub(crate) struct Opened {
    pub file: RecordFile,
    pub path: PathBuf,
    pub entries: Vec<Entry>,
    pub results: Results,
}

impl Records<'_> {
    /// Checks that the games can be read at the end, which `option` needs.
    ///
    /// # Errors
    /// If the file is a pipe or device.
    pub(crate) fn check_readable(&self, option: &str) -> Result<(), CliError> {
        match self.output {
            Some(path) => check_readable(option, "--output", path),
            None => Ok(()),
        }
    }

    /// Reports which players ran when earlier runs with the file were killed, and arranges
    /// for a kill of this run to be noted. To be called before the first player is started.
    pub(crate) fn note_kills(&self) {
        if let Some(path) = self.output {
            kills::say_and_note(path, self.isolate);
        }
    }

    /// Checks that an existing file can be resumed with these settings: before work that would
    /// be lost otherwise.
    ///
    /// # Errors
    /// If [`Self::open`] would refuse it.
    pub(crate) fn check_resumable(&self, settings: &Settings) -> Result<(), CliError> {
        let Some(path) = self.resumed() else {
            return Ok(());
        };
        let (_, entries) = RecordFile::resume(path)?;
        self.results(path, settings, &entries.unwrap_or_default())
            .map(drop)
    }

    /// Names the players with programs newer than the file: its games may be those of older
    /// versions.
    pub(crate) fn name_newer_programs<'a>(
        &self,
        players: impl IntoIterator<Item = (&'a String, &'a PlayerCommand)>,
    ) {
        let Some(games) = self.resumed() else {
            return;
        };
        for (name, command) in players {
            if let Some(program) = command.file()
                && is_newer(&program, games).is_ok_and(|newer| newer)
            {
                let [program, games] = [&program, games].map(shown);
                say(&format!(
                    "santorini: the program of {name}, {program}, is newer than {games}: if it \
                     has changed, the games of both versions count together"
                ));
            }
        }
    }

    /// The existing file that is resumed, if there is one.
    pub(super) fn resumed(&self) -> Option<&Path> {
        self.output.filter(|path| self.resume && path.is_file())
    }

    /// The results of the games in the file.
    fn results(
        &self,
        path: &Path,
        settings: &Settings,
        entries: &[Entry],
    ) -> Result<Results, CliError> {
        resumed_results(settings, entries, self.fewer_rounds)
            .map_err(|error| CliError::Usage(format!("cannot resume {}: {error}", shown(path))))
    }

    /// Opens the file for games with these settings.
    ///
    /// # Errors
    /// If that fails, or it has other games.
    pub(crate) fn open(&self, uses: &Uses, settings: &Settings) -> Result<Opened, CliError> {
        let (mut file, path, entries) = match self.output {
            None => {
                let (file, path) = self.create_numbered(uses)?;
                kills::say_and_note(&path, self.isolate);
                (file, path, Vec::new())
            }
            Some(path) => {
                let (file, entries) = open_records(path, self.resume, self.force)?;
                (file, path.to_path_buf(), entries)
            }
        };
        let results = self.results(&path, settings, &entries)?;
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

    /// Creates the first file `STEM-N.jsonl` that does not exist and is not written for
    /// another option.
    fn create_numbered(&self, uses: &Uses) -> Result<(RecordFile, PathBuf), CliError> {
        for number in 1.. {
            let path = PathBuf::from(format!("{}-{number}.jsonl", self.stem));
            if uses.is_output(&path) {
                continue;
            }
            match RecordFile::create_unlinked(&path) {
                Ok(file) => return Ok((file, path)),
                Err(FileError::Io { cause, .. })
                    if cause.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(CliError::Failed("no file name is free".into()))
    }
}

/// Whether a program was written or put in its place after the last game was written.
fn is_newer(program: &Path, games: &Path) -> io::Result<bool> {
    let games = fs::metadata(games)?;
    // A symbolic link to it or to its folder may have been changed.
    let links = program
        .ancestors()
        .filter_map(|path| path.symlink_metadata().ok());
    let links = links.filter(Metadata::is_symlink);
    // The time of the last change, not of the last write: a file moved here keeps the latter.
    let mut changes = links
        .chain([fs::metadata(program)?])
        .map(|file| (file.ctime(), file.ctime_nsec()));
    Ok(changes.any(|change| change > (games.mtime(), games.mtime_nsec())))
}

/// Checks that the games of the option `source` can be read at the end, which `option`
/// needs.
///
/// # Errors
/// If the file is a pipe or device.
pub(crate) fn check_readable(option: &str, source: &str, path: &Path) -> Result<(), CliError> {
    match Destination::of(path) {
        Ok(Destination::Stream(_)) => Err(CliError::Usage(format!(
            "{option}: it reads the games from {source} at the end, and {} is not a file",
            shown(path)
        ))),
        _ => Ok(()),
    }
}

/// The error for a failure during the games. The last line is the command that resumes
/// them, or says that their file cannot be trusted.
pub(crate) fn failure(error: &RunError, path: &Path) -> CliError {
    if let RunError::Save(SaveError {
        cause: FileError::Changed(_),
        ..
    }) = error
    {
        let path = shown(path);
        return CliError::Failed(format!(
            "{error}\nuse --isolate full if a player may have changed it\n\
             the games in {path} cannot be resumed"
        ));
    }
    CliError::Failed(format!(
        "{error}\nwhen that is fixed, resume with:\n{}",
        resume_command(path)
    ))
}

/// Says how to resume the games in the file after Ctrl-C, and returns the exit code.
pub(crate) fn interrupted_games(path: &Path) -> ExitCode {
    say("interrupted; resume with:");
    say(&resume_command(path));
    interrupted()
}

/// The games in the file, in the order of the schedule.
pub(crate) fn games_in(path: &Path) -> Result<Vec<GameRecord>, CliError> {
    let mut games = read_games(path)?;
    games.sort_by_key(|game| game.game);
    Ok(games)
}

/// The error for a player that does not play and has ended the games. If games are
/// left, the last line is the command that resumes them.
pub(crate) fn does_not_play(failing: &FailingPlayer, path: &Path, more: bool) -> CliError {
    let path_shown = shown(path);
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

/// The players of the games in a file, for a message; empty if it cannot be read.
pub(super) fn players_in(path: &Path) -> String {
    let entries = Reader::open(path).into_iter().flatten();
    let entries: Vec<Entry> = entries.map_while(Result::ok).collect();
    let names = Settings::from_entries(&entries).map(|settings| settings.names());
    listed(&names.unwrap_or_default())
}

/// The command that resumes the games in the file: the original command line with the
/// options that it lacks.
pub(super) fn resume_command(path: &Path) -> String {
    resuming(own_words(), Some(["--output", &path.to_string_lossy()]))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_changed_link_makes_a_program_newer() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for file in ["player", "games"] {
            fs::write(path(file), "").unwrap();
        }
        sleep(Duration::from_millis(50));
        symlink("player", path("link")).unwrap();
        symlink(place.path(), path("folder")).unwrap();
        let newer = ["player", "link", "folder/player"]
            .map(|program| is_newer(&path(program), &path("games")).unwrap());
        assert_eq!(newer, [false, true, true]);
    }
}
