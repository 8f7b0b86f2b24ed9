//! Temporary files that become the real file when they are complete. Where the system
//! allows it they have no name, so a killed program leaves nothing behind.
//!
//! Otherwise, and for a moment while the file is put in place, it is called
//! `.santorini-XXXXXX.unfinished` and locked while its program runs. If it is not locked
//! and not written to for some minutes, its program was killed, and the next program that
//! writes to the folder removes it.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile, TempPath};

#[cfg(target_os = "linux")]
use super::nameless::{name_it, nameless};

const PREFIX: &str = ".santorini-";
const SUFFIX: &str = ".unfinished";

/// The age at which an unlocked temporary file is removed. It is not 0, since programs of
/// earlier versions do not lock their files.
const STALE: Duration = Duration::from_secs(600);

/// The maximum number of tries if another program removes the new file.
const TRIES: usize = 10;

/// A temporary file in a folder. Dropping it removes the file.
pub(super) struct Unfinished {
    file: File,
    folder: PathBuf,
    /// Its path, if it has a name.
    path: Option<TempPath>,
}

impl Unfinished {
    /// Creates a temporary file.
    ///
    /// # Errors
    /// If no file can be created in the folder.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        remove_stale(folder);
        let (file, path) = match nameless(folder)? {
            Some(file) => (file, None),
            None => named(folder).map(|(file, path)| (file, Some(path)))?,
        };
        // Without locks in the file system, the age alone protects the file.
        let _ = file.try_lock();
        Ok(Self {
            file,
            folder: folder.to_path_buf(),
            path,
        })
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Moves the file to `path`, in the same folder, and replaces a file there.
    ///
    /// # Errors
    /// If that fails. The new file is kept, and the error says where.
    pub(super) fn put_in_place(self, path: &Path) -> io::Result<()> {
        let name = match self.path {
            Some(name) => name,
            None => name_it(&self.file, &self.folder)?,
        };
        name.persist(path).map_err(|failed| {
            let cause = failed.error;
            match failed.path.keep() {
                Ok(kept) => not_in_place(&cause, &kept),
                Err(_) => cause,
            }
        })
    }
}

/// The error for a file that could not be put in place; it says where the file is.
pub(super) fn not_in_place(cause: &io::Error, new: &Path) -> io::Error {
    // Components leave out the `.` of a file in the current folder.
    let new: PathBuf = new.components().collect();
    let text = format!("{cause}; what was written is in {}", new.display());
    io::Error::new(cause.kind(), text)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

#[cfg(not(target_os = "linux"))]
fn name_it(_: &File, _: &Path) -> io::Result<TempPath> {
    unreachable!("every file has a name")
}

/// A temporary file with a name.
pub(super) fn named(folder: &Path) -> io::Result<(File, TempPath)> {
    for _ in 0..TRIES {
        let made = with_name(folder, |path| {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create_new(true).open(path)
        })?;
        let (file, path) = made.into_parts();
        let _ = file.try_lock();
        // Before the lock, another program may have removed it as a stale file.
        if is_named(&file)? {
            return Ok((file, path));
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

/// Whether an open file still has a name.
#[cfg(unix)]
fn is_named(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0)
}

/// Whether an open file still has a name. Not checked on this system.
#[cfg(not(unix))]
fn is_named(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Creates something under an unused name in a folder. The error does not contain the
/// name, which would mean nothing to the user.
pub(super) fn with_name<T>(
    folder: &Path,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<NamedTempFile<T>> {
    let mut code = None;
    let made = Builder::new()
        .prefix(PREFIX)
        .suffix(SUFFIX)
        .make_in(folder, |path| {
            make(path).inspect_err(|cause| code = cause.raw_os_error())
        });
    made.map_err(|error| code.map_or(error, io::Error::from_raw_os_error))
}

/// Removes the files that killed programs left in a folder.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if is_unfinished(&entry.file_name()) {
            // A file that cannot be removed stays.
            let _ = remove_if_stale(&entry.path());
        }
    }
}

fn is_unfinished(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes())
}

fn remove_if_stale(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::OpenOptionsExt;

        options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    }
    let file = options.open(path)?;
    let found = file.metadata()?;
    let age = found.modified()?.elapsed().unwrap_or_default();
    if found.is_file() && age >= STALE && file.try_lock().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;
    use std::time::SystemTime;

    use super::*;

    /// The sorted names of the files in a folder.
    pub(crate) fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Makes a file old enough to be stale.
    fn age(file: &File) {
        let then = SystemTime::now() - 2 * STALE;
        file.set_modified(then).unwrap();
    }

    #[test]
    fn with_and_without_a_name_it_is_put_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let without_name = || Unfinished::new(folder.path()).unwrap();
        let with_name = || {
            let (file, path) = named(folder.path()).unwrap();
            Unfinished {
                file,
                folder: folder.path().into(),
                path: Some(path),
            }
        };
        let makers: [&dyn Fn() -> Unfinished; 2] = [&without_name, &with_name];
        for (new, text) in makers.into_iter().zip(["1", "2"]) {
            let new = new();
            new.file().write_all(text.as_bytes()).unwrap();
            new.put_in_place(&path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(names(folder.path()), ["file"]);
        }
        drop([without_name(), with_name()]);
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn it_has_no_name_if_the_system_allows_it() {
        let folder = tempfile::tempdir().unwrap();
        if nameless(folder.path()).unwrap().is_some() {
            let _new = Unfinished::new(folder.path()).unwrap();
            assert!(names(folder.path()).is_empty());
        }
    }

    #[test]
    fn only_stale_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [
            ".santorini-dead00.unfinished",
            ".santorini-fresh0.unfinished",
            "mine.unfinished",
        ] {
            let file = File::create(path(name)).unwrap();
            if !name.contains("fresh") {
                age(&file);
            }
        }
        let (running, running_path) = named(folder.path()).unwrap();
        age(&running);
        let kept = running_path.file_name().unwrap().display().to_string();
        drop(Unfinished::new(folder.path()).unwrap());
        let mut left = vec![
            kept,
            ".santorini-fresh0.unfinished".into(),
            "mine.unfinished".into(),
        ];
        left.sort();
        assert_eq!(names(folder.path()), left);
    }

    #[test]
    fn an_error_names_no_unfinished_file() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("no");
        for error in [
            Unfinished::new(&nowhere).err().unwrap(),
            named(&nowhere).err().unwrap(),
        ] {
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            assert!(!error.to_string().contains("unfinished"), "{error}");
        }
    }
}
