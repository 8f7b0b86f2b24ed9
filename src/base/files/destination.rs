//! Where a path leads: recognizes one file by all its names, and pipes and devices.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::waiting::waiting;

/// The maximum number of symbolic links to follow, as on Linux.
const MOST_LINKS: usize = 40;

/// A file or folder by its device and inode, regardless of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl From<&Metadata> for FileId {
    fn from(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
        }
    }
}

/// Where a path leads after following all symbolic links.
#[derive(Debug)]
pub enum Destination {
    /// A regular file. The path has no link at its end.
    File {
        /// The absolute path without links.
        path: PathBuf,
        /// The device and inode, to recognize the file under other names.
        id: FileId,
    },
    /// A free name in a folder. The path has no link at its end.
    Free {
        /// The absolute path without links.
        path: PathBuf,
        /// The folder that will hold the file.
        folder: FileId,
        /// The last part of the path.
        name: OsString,
    },
    /// A stream, which is written to and never replaced.
    Stream(Stream),
}

/// A pipe, a device, or an open descriptor of this program.
#[derive(Debug)]
pub enum Stream {
    StandardOutput,
    StandardError,
    At(PathBuf),
}

/// Equal for two paths to the same place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    File(FileId),
    Free { folder: FileId, name: OsString },
}

impl Destination {
    /// Where a path leads.
    ///
    /// # Errors
    /// If it leads to a folder, a socket or a disk, into a folder that does not exist, or
    /// in a circle.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = match follow(path)? {
            End::Path(path) => path,
            End::Stream(stream) => return Ok(Self::Stream(stream)),
        };
        let found = match fs::metadata(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::free(path),
            Err(error) => return Err(error),
        };
        let kind = found.file_type();
        if kind.is_file() {
            let id = FileId::from(&found);
            Ok(Self::File { path, id })
        } else if kind.is_fifo() || kind.is_char_device() {
            Ok(Self::Stream(Stream::At(path)))
        } else if kind.is_dir() {
            Err(io::ErrorKind::IsADirectory.into())
        } else {
            let cause = "not a file, pipe or character device";
            Err(io::Error::new(io::ErrorKind::InvalidInput, cause))
        }
    }

    fn free(path: PathBuf) -> io::Result<Self> {
        let spelled = path.as_os_str().as_bytes();
        if spelled.ends_with(b"/") || spelled.ends_with(b"/.") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let name = path.file_name().ok_or(io::ErrorKind::NotFound)?.to_owned();
        let folder = FileId::from(&fs::metadata(folder_of(&path))?);
        Ok(Self::Free { path, folder, name })
    }

    /// The regular file behind this place, even if it is an open descriptor of this
    /// program; such a file is only appended to. `None` for standard output and standard
    /// error: see [`Identity::of_open`].
    pub fn written_file(&self) -> Option<Identity> {
        match self {
            Self::Stream(Stream::At(path)) => {
                let found = fs::metadata(path).ok()?;
                found
                    .is_file()
                    .then(|| Identity::File(FileId::from(&found)))
            }
            _ => self.identity(),
        }
    }

    /// The identity of a file to write; `None` for a stream, which cannot be overwritten.
    pub fn identity(&self) -> Option<Identity> {
        match self {
            Self::File { id, .. } => Some(Identity::File(*id)),
            Self::Free { folder, name, .. } => Some(Identity::Free {
                folder: *folder,
                name: name.clone(),
            }),
            Self::Stream(_) => None,
        }
    }
}

impl Identity {
    /// The identity of an input file, even if the path is an open descriptor. `None` if it
    /// is not a regular file.
    pub fn of_input(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(found) => found.is_file().then(|| Self::File(FileId::from(&found))),
            Err(_) => Destination::of(path).ok()?.identity(),
        }
    }

    /// The identity of an open file, such as standard input, if it is a regular file.
    pub fn of_open(file: &impl AsFd) -> Option<Self> {
        let found = clone_of(file).and_then(|file| file.metadata()).ok()?;
        found.is_file().then(|| Self::File(FileId::from(&found)))
    }
}

impl Stream {
    /// Opens it for writing. Opening a pipe waits for a reader.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn open(&self) -> io::Result<File> {
        match self {
            Self::StandardOutput => clone_of(&io::stdout()),
            Self::StandardError => clone_of(&io::stderr()),
            Self::At(path) => waiting(|| OpenOptions::new().append(true).open(path)),
        }
    }
}

/// A second handle of an open file, with the same file position.
fn clone_of(file: &impl AsFd) -> io::Result<File> {
    let clone: OwnedFd = file.as_fd().try_clone_to_owned()?;
    Ok(clone.into())
}

/// The end of a chain of symbolic links.
enum End {
    Path(PathBuf),
    Stream(Stream),
}

fn follow(path: &Path) -> io::Result<End> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        // Fails if the path is not a link or does not exist.
        let Ok(target) = fs::read_link(&path) else {
            return Ok(End::Path(path));
        };
        if let Some(stream) = own_descriptor(&path) {
            return Ok(End::Stream(stream));
        }
        path = folder_of(&path).join(target);
    }
    let cause = "too many symbolic links";
    Err(io::Error::new(io::ErrorKind::InvalidInput, cause))
}

/// The stream behind `/dev/stdout`, `/dev/fd/3` and the like. They are links to links in
/// `/proc/self/fd`, whose targets may be outdated names.
fn own_descriptor(link: &Path) -> Option<Stream> {
    let folder = fs::canonicalize(folder_of(link)).ok()?;
    let own = fs::canonicalize("/proc/self").ok()?;
    if !folder.starts_with(own) || folder.file_name()? != "fd" {
        return None;
    }
    Some(match link.file_name()?.to_str()? {
        "1" => Stream::StandardOutput,
        "2" => Stream::StandardError,
        _ => Stream::At(link.to_path_buf()),
    })
}

/// The folder of the file that a path names.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn identity(path: &Path) -> Option<Identity> {
        Destination::of(path).unwrap().identity()
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
        let Destination::Free { path: target, .. } = Destination::of(&path("dangling")).unwrap()
        else {
            panic!("the link leads to no file");
        };
        assert_eq!(target.file_name().unwrap(), "new");
    }

    #[test]
    fn devices_pipes_and_own_descriptors_are_streams() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let link = folder.path().join("link");
        symlink("/dev/full", &link).unwrap();
        for path in [&pipe, &link, Path::new("/dev/null")] {
            assert!(matches!(
                Destination::of(path),
                Ok(Destination::Stream(Stream::At(_)))
            ));
        }
        for name in ["/dev/stdout", "/proc/self/fd/1", "/proc/thread-self/fd/1"] {
            let place = Destination::of(name.as_ref());
            assert!(
                matches!(place, Ok(Destination::Stream(Stream::StandardOutput))),
                "{name}: {place:?}"
            );
        }
    }

    #[test]
    fn invalid_paths_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        symlink("circle", path("circle")).unwrap();
        for name in ["", "new/", "new/.", "no/new", "circle"] {
            assert!(Destination::of(&path(name)).is_err(), "{name}");
        }
        assert!(Destination::of("".as_ref()).is_err());
        assert!(Destination::of("..".as_ref()).is_err());
    }
}
