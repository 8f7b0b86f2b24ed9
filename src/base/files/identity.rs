//! Recognizes one file by all its names.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::destination::{Destination, Stream, clone_of, folder_of};

/// Equal for two paths to the same place. A file or folder is known by its device and inode.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Identity {
    File([u64; 2]),
    Free { folder: [u64; 2], name: OsString },
}

fn device_and_inode(found: &Metadata) -> [u64; 2] {
    [found.dev(), found.ino()]
}

impl Identity {
    /// The identity of a file to write; `None` for a stream, which cannot be overwritten,
    /// and for a file that has just been removed.
    pub(super) fn of(place: &Destination) -> Option<Self> {
        match place {
            Destination::File(path) => Self::of_regular(&fs::metadata(path).ok()?),
            Destination::Free(path) => Some(Self::Free {
                folder: device_and_inode(&fs::metadata(folder_of(path)).ok()?),
                name: path.file_name()?.to_owned(),
            }),
            Destination::Stream(_) => None,
        }
    }

    /// The identity of the regular file behind a stream, which is only appended to. `None`
    /// for standard output and standard error: see [`Self::of_open`].
    pub(super) fn behind(stream: &Stream) -> Option<Self> {
        match stream {
            Stream::At(path) => Self::of_regular(&fs::metadata(path).ok()?),
            _ => None,
        }
    }

    /// The identity of an input file, even if the path is an open descriptor. `None` if it
    /// is not a regular file.
    pub(super) fn of_input(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(found) => Self::of_regular(&found),
            Err(_) => Self::of(&Destination::of(path).ok()?),
        }
    }

    /// The identity of an open file, such as standard input, if it is a regular file.
    pub(super) fn of_open(file: &impl AsFd) -> Option<Self> {
        let found = clone_of(file).and_then(|file| file.metadata()).ok()?;
        Self::of_regular(&found)
    }

    fn of_regular(found: &Metadata) -> Option<Self> {
        found.is_file().then(|| Self::File(device_and_inode(found)))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn identity(path: &Path) -> Option<Identity> {
        Identity::of(&Destination::of(path).unwrap())
    }

    #[test]
    fn one_file_has_one_identity_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("file"), "x").unwrap();
        fs::hard_link(path("file"), path("hard")).unwrap();
        symlink("file", path("soft")).unwrap();
        symlink("../soft", path("sub/twice")).unwrap();
        symlink("new", path("dangling")).unwrap();
        for name in ["hard", "soft", "sub/twice", "sub/../file", "./file"] {
            assert_eq!(identity(&path(name)), identity(&path("file")), "{name}");
        }
        for name in ["dangling", "sub/../new"] {
            assert_eq!(identity(&path(name)), identity(&path("new")), "{name}");
        }
        assert_ne!(identity(&path("new")), identity(&path("sub/new")));
        assert_ne!(identity(&path("new")), identity(&path("file")));
        let Destination::Free(target) = Destination::of(&path("dangling")).unwrap() else {
            panic!("the link leads to no file");
        };
        assert_eq!(target.file_name().unwrap(), "new");
    }
}
