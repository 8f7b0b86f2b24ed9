//! The state of a file, which tells whether it has changed without reading it.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The state of a file, which the system changes with each write. A change within one tick
/// of the system's clock can leave it the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileState {
    /// The device and the inode; on Windows, where programs see them only with the file
    /// open, the time of its creation.
    file: [u64; 2],
    /// The number of bytes.
    pub(crate) length: u64,
    changed: [i64; 2],
}

impl From<&Metadata> for FileState {
    #[cfg(unix)]
    fn from(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;

        Self {
            file: [file.dev(), file.ino()],
            length: file.len(),
            changed: [file.ctime(), file.ctime_nsec()],
        }
    }

    #[cfg(windows)]
    fn from(file: &Metadata) -> Self {
        use std::os::windows::fs::MetadataExt;

        Self {
            file: [file.creation_time(), 0],
            length: file.len(),
            changed: [file.last_write_time() as i64, 0],
        }
    }
}

/// Whether a path still leads to an open file, which may have been removed or replaced.
/// This opens nothing, so it works without the right to read and with no descriptor left.
#[cfg(unix)]
pub(crate) fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let open = FileState::from(&file.metadata()?);
    let found = std::fs::metadata(path);
    Ok(found.is_ok_and(|found| FileState::from(&found).file == open.file))
}

/// Whether a path still leads to an open file, which may have been removed or replaced.
#[cfg(windows)]
pub(crate) fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let open = same_file::Handle::from_file(file.try_clone()?)?;
    Ok(same_file::Handle::from_path(path).is_ok_and(|found| found == open))
}
