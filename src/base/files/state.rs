//! The state of a file, by which a change of it is noticed without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// The state of a file, which the system changes with each write. A change within one tick
/// of the system's clock can leave it the same.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    /// The device and the inode.
    pub(crate) file: [u64; 2],
    /// The number of bytes.
    pub(crate) length: u64,
    changed: [i64; 2],
}

impl From<&Metadata> for FileState {
    fn from(file: &Metadata) -> Self {
        Self {
            file: [file.dev(), file.ino()],
            length: file.len(),
            changed: [file.ctime(), file.ctime_nsec()],
        }
    }
}
