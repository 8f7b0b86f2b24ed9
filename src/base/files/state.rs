//! The state of a file, by which a change of it is noticed without reading it.

use std::fs::Metadata;

/// The state of a file, which the system changes with each write. A change within one tick
/// of the system's clock can leave it the same.
#[derive(Debug, PartialEq, Eq)]
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
