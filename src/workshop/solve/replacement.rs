//! Solves a game again into a new file, which replaces the old one when finished.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use super::header::{SolvedFileError, io_error};
use super::run::{SolveError, SolveReport};
use crate::files::{Destination, lock, open_regular, put_in_place};

/// The path of the new file until it is finished: beside the file that `path` leads to.
pub fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = match Destination::of(path) {
        Ok(Destination::File(target) | Destination::Free(target)) => target.into_os_string(),
        _ => path.as_os_str().to_owned(),
    };
    name.push(".unfinished");
    name.into()
}

/// Solves into a file beside `path` and renames it to `path` when it is finished. Until then
/// the old file stays unchanged and locked. An unfinished file is resumed, unless `begun`
/// finds that it is damaged or holds another game.
///
/// # Errors
/// If `solve` fails, the file beside `path` was not written by this program, or a file
/// cannot be written.
pub(super) fn solve_replacement(
    path: &Path,
    begun: impl Fn(&Path) -> Result<(), SolvedFileError>,
    solve: impl FnOnce(&Path) -> Result<SolveReport, SolveError>,
) -> Result<SolveReport, SolveError> {
    let place = Destination::of(path).map_err(|cause| io_error(path, cause))?;
    let (target, old) = match place {
        Destination::File(path) => {
            let old = locked(&path)?;
            (path, Some(old))
        }
        Destination::Free(path) => (path, None),
        // A stream has no old contents.
        Destination::Stream(_) => return solve(path),
    };
    let beside = unfinished_path(&target);
    let found = begun(&beside);
    let bad_unfinished = matches!(&found, Err(SolvedFileError::Damaged { .. }));
    match found {
        Ok(()) => {}
        Err(SolvedFileError::Other { .. } | SolvedFileError::Damaged { .. }) => empty(&beside)?,
        Err(error) => return Err(error.into()),
    }
    let done = SolveReport {
        bad_unfinished,
        ..solve(&beside)?
    };
    if cfg!(windows) {
        // Windows cannot replace an open file.
        drop(old);
    }
    if done.next.is_none() {
        put_in_place(&beside, &target).map_err(|cause| io_error(&target, cause))?;
    }
    Ok(done)
}

/// A file locked against other writers while it is open.
fn locked(path: &Path) -> Result<File, SolvedFileError> {
    let failed = |cause| io_error(path, cause);
    let file = open_regular(path).map_err(failed)?;
    if lock(&file).map_err(failed)? {
        return Ok(file);
    }
    Err(SolvedFileError::InUse(path.to_path_buf()))
}

/// Empties a file, unless another program has locked it.
fn empty(path: &Path) -> Result<(), SolvedFileError> {
    let _lock = locked(path)?;
    let file = OpenOptions::new().write(true).open(path);
    let emptied = file.and_then(|file| file.set_len(0));
    emptied.map_err(|cause| io_error(path, cause))
}
