//! What all subcommands share that write files: what they may overwrite, and
//! how the files are opened.

use std::fs;
use std::path::Path;

use super::CliError;
use super::output::say;
use crate::files::{UseError, Uses, write_whole};
use crate::record::{Entry, FileError, RECORDS_FILE, RecordFile};

/// The option of all subcommands that write files.
#[derive(clap::Args, Clone, Copy)]
pub struct ForceArgs {
    /// Overwrite any file. Without this option games, training data and bots are
    /// never overwritten, and other files only by one of the same kind.
    #[arg(long)]
    pub force: bool,
}

impl ForceArgs {
    /// No files yet, which are to be used as `--force` says.
    pub fn uses(self) -> Uses {
        Uses::new(self.force)
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

/// The file that keeps the records of a tournament, gone on with if `resume` says so.
pub fn uses_records(uses: Uses, path: Option<&Path>, resume: bool) -> Uses {
    match resume {
        true => uses.resumes(path),
        false => uses.begins(path, RECORDS_FILE, "--resume goes on with it; or "),
    }
}

/// Takes away a new record file to which nothing was written.
pub fn forget(path: &Path) {
    if fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0) {
        // What went wrong before is told; this could add nothing.
        let _ = fs::remove_file(path);
    }
}

/// Opens the file that keeps the records of a tournament, and gives what it
/// holds: a new file, or with `--resume` one that is gone on with. If that does
/// not exist, then the same command can begin a tournament and go on with it.
pub fn open_records(
    path: &Path,
    resume: bool,
    force: ForceArgs,
) -> Result<(RecordFile, Vec<Entry>), CliError> {
    if !resume {
        let file = match force.force {
            true => RecordFile::overwrite(path),
            false => RecordFile::create(path),
        };
        return Ok((file?, Vec::new()));
    }
    let (file, entries) = RecordFile::resume(path)?;
    if file.damaged_bytes() > 0 {
        say(&format!(
            "santorini: {}: its last line is damaged: the {} bytes of it are left out",
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
            "santorini: {} {lacks}: a new tournament begins",
            path.display()
        ));
    }
    Ok((file, entries.unwrap_or_default()))
}

/// Writes a file as a whole.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    write_whole(path, bytes).map_err(|error| CliError::failed(path.display(), error))
}
