//! Where a path leads: follows links, and recognizes pipes and devices.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf, is_separator};

use super::waiting::waiting;

/// The maximum number of symbolic links to follow, as on Linux.
const MOST_LINKS: usize = 40;

/// Where a path leads after following all symbolic links.
#[derive(Debug)]
pub enum Destination {
    /// A regular file, by its path without a link at its end.
    File(PathBuf),
    /// A free name in a folder, by its path without a link at its end.
    Free(PathBuf),
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

impl Destination {
    /// Where a path leads.
    ///
    /// # Errors
    /// If it leads to a folder, a socket or a disk, into a folder that does not exist, or
    /// in a circle.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_path_buf();
        for _ in 0..MOST_LINKS {
            // Fails if the path is not a link or does not exist.
            let Ok(target) = fs::read_link(&path) else {
                return Self::without_links(path);
            };
            if let Some(stream) = own_descriptor(&path) {
                return Ok(Self::Stream(stream));
            }
            path = folder_of(&path).join(target);
        }
        let cause = "too many symbolic links";
        Err(io::Error::new(io::ErrorKind::InvalidInput, cause))
    }

    /// Where a path that is not a symbolic link leads.
    fn without_links(path: PathBuf) -> io::Result<Self> {
        let found = match fs::metadata(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::free(path),
            Err(error) => return Err(error),
        };
        if found.is_file() {
            Ok(Self::File(path))
        } else if found.is_dir() {
            Err(io::ErrorKind::IsADirectory.into())
        } else if is_stream(&found) {
            Ok(Self::Stream(Stream::At(path)))
        } else {
            let cause = "not a file, pipe or character device";
            Err(io::Error::new(io::ErrorKind::InvalidInput, cause))
        }
    }

    fn free(path: PathBuf) -> io::Result<Self> {
        let spelled = path.to_string_lossy();
        if spelled.ends_with(is_separator) || spelled.ends_with("/.") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if path.file_name().is_none() {
            return Err(io::ErrorKind::NotFound.into());
        }
        fs::metadata(folder_of(&path))?;
        Ok(Self::Free(path))
    }
}

#[cfg(unix)]
fn is_stream(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    let kind = found.file_type();
    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_stream(_: &fs::Metadata) -> bool {
    false
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
#[cfg(unix)]
pub(super) fn clone_of(file: &impl std::os::fd::AsFd) -> io::Result<File> {
    file.as_fd().try_clone_to_owned().map(File::from)
}

/// A second handle of an open file, with the same file position.
#[cfg(windows)]
fn clone_of(file: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    file.as_handle().try_clone_to_owned().map(File::from)
}

/// The stream behind `/dev/stdout`, `/dev/fd/3` and the like. They lead to links in
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

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
