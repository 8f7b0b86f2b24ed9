//! Shared by all commands that write files: what they may overwrite, and opening the
//! files.

use std::path::Path;

use super::CliError;
use super::output::say;
use crate::files::{UseError, Uses, write_whole};
use crate::printable::shown;
use crate::program::StderrFile;
use crate::record::{Entry, FileError, RECORDS_FILE, RecordFile};

/// The option of all commands that write files.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct ForceArgs {
    /// Overwrite any file. Without this option, games, training data and bots are never
    /// overwritten, and other files only by a file of the same kind.
    #[arg(long)]
    pub force: bool,
}

impl ForceArgs {
    /// An empty list of a command's files. With `--force`, any of them may be overwritten.
    pub(super) fn uses(self) -> Uses {
        Uses::new(self.force)
    }
}

/// Checks that the results of interrupted work do not replace a file, which may be complete.
///
/// # Errors
/// The end of the command, which leaves the file as it is.
pub(super) fn keep_complete(path: &Path) -> Result<(), CliError> {
    match path.is_file() {
        true => Err(CliError::Interrupted(format!(
            "; nothing is written: {} stays as it was",
            shown(path)
        ))),
        false => Ok(()),
    }
}

impl From<UseError> for CliError {
    fn from(refusal: UseError) -> Self {
        match refusal {
            UseError::Io { .. } => Self::Failed(refusal.to_string()),
            _ => Self::Usage(refusal.to_string()),
        }
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Foreign(_) => Self::Usage(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// The file for the records of a tournament, which `resume` continues.
pub(super) fn uses_records(uses: Uses, path: Option<&Path>, resume: bool) -> Uses {
    match resume {
        true => uses.resumes(path),
        false => uses.begins(path, RECORDS_FILE, "resume it with --resume, or "),
    }
}

/// Opens the file for the records of a tournament and returns its entries: a new file or an
/// empty one, or with `--resume` an existing one. If that does not exist it is created, so
/// that one command can start a tournament and resume it.
pub(super) fn open_records(
    path: &Path,
    resume: bool,
    force: ForceArgs,
) -> Result<(RecordFile, Vec<Entry>), CliError> {
    if !resume {
        let file = match force.force {
            true => RecordFile::overwrite(path),
            false => RecordFile::begin(path),
        };
        return Ok((file?, Vec::new()));
    }
    let (file, entries) = RecordFile::resume(path)?;
    if file.damaged_bytes() > 0 {
        say(&format!(
            "santorini: {}: skipped the last line of {} bytes, which is damaged",
            path.display(),
            file.damaged_bytes()
        ));
    }
    let lacks = match &entries {
        None => "does not exist",
        Some(entries) if entries.is_empty() => "is empty",
        Some(_) => "",
    };
    if !lacks.is_empty() {
        say(&format!(
            "santorini: {} {lacks}: starting a new tournament",
            path.display()
        ));
    }
    Ok((file, entries.unwrap_or_default()))
}

/// Opens the file of `--stderr`, if there is one.
pub(super) fn open_stderr(path: Option<&Path>) -> Result<Option<StderrFile>, CliError> {
    let open =
        |path| StderrFile::open(path).map_err(|error| CliError::failed(path.display(), error));
    path.map(open).transpose()
}

/// Writes a file as a whole.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    write_whole(path, bytes).map_err(|error| CliError::failed(path.display(), error))
}
