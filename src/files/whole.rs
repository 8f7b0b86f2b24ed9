//! Files that are replaced as a whole: whoever reads one finds the old content
//! or the new, also after a crash or a power failure.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::destination::{Destination, folder_of};

/// The permissions that new files are made with, less those of the umask.
const NEW_FILE: u32 = 0o666;

/// Writes a file as a whole, with the permissions of the file that it
/// replaces. A pipe or device is written to, and a symbolic link leads to the
/// file that is replaced.
///
/// # Errors
/// If that fails; then a file that was there is as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |out| out.write_all(bytes))
}

/// The same for content that is written bit by bit.
///
/// # Errors
/// As [`write_whole`], and those of `write`.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::Stream(stream) => write_all(stream.open()?, write),
        Destination::Free { path, .. } => replace(&path, None, write),
        Destination::File { path, .. } => {
            let old = fs::metadata(&path)?;
            replace(&path, Some(&old), write)
        }
    }
}

/// A new file in a folder, under a name that no one else has, which is gone
/// when the value is dropped.
///
/// # Errors
/// If it cannot be made.
pub fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new()
        .prefix(".santorini-")
        .suffix(".unfinished")
        .permissions(Permissions::from_mode(NEW_FILE))
        .tempfile_in(folder)
        .map_err(without_name)
}

/// The cause alone: the name of an unfinished file means nothing to anybody.
fn without_name(error: io::Error) -> io::Error {
    let source = error.get_ref().and_then(|inner| inner.source());
    let cause = source.and_then(|source| source.downcast_ref::<io::Error>());
    match cause.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

fn replace(
    path: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    let new = unfinished(folder)?;
    write_all(new.as_file(), write)?;
    if let Some(old) = old {
        // Only some may give files away; then the file is the writer's.
        let _ = fchown(new.as_file(), Some(old.uid()), Some(old.gid()));
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    new.persist(path).map_err(|failed| {
        let cause = failed.error;
        match failed.file.keep() {
            Ok((_, kept)) => io::Error::new(
                cause.kind(),
                format!("{cause}; what was written is in {}", kept.display()),
            ),
            Err(_) => cause,
        }
    })?;
    // So that the new name survives a power failure. Some file systems know no
    // such thing.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_all(
    file: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let written = write(&mut out).and_then(|()| out.flush());
    // What a failure left in the buffer is not to be tried again.
    let _ = out.into_parts();
    written
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_with_its_permissions_and_links_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "old").unwrap();
        fs::set_permissions(path("file"), Permissions::from_mode(0o640)).unwrap();
        symlink("file", path("link")).unwrap();
        symlink("new", path("dangling")).unwrap();
        write_whole(&path("link"), b"newer").unwrap();
        write_whole(&path("dangling"), b"first").unwrap();
        assert_eq!(fs::read(path("file")).unwrap(), b"newer");
        assert_eq!(fs::read(path("new")).unwrap(), b"first");
        assert!(path("link").is_symlink() && path("dangling").is_symlink());
        let mode = |name| fs::metadata(path(name)).unwrap().mode() & 0o7777;
        assert_eq!(mode("file"), 0o640);
        // As any new file here.
        File::create(path("plain")).unwrap();
        assert_eq!(mode("new"), mode("plain"));
        assert_eq!(
            names(folder.path()),
            ["dangling", "file", "link", "new", "plain"]
        );
    }

    #[test]
    fn a_failure_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        let failed = write_whole_with(&file, |out| {
            out.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["file"]);
        let nowhere = folder.path().join("no/file");
        assert_eq!(
            write_whole(&nowhere, b"x").unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
    }

    #[test]
    fn a_file_that_cannot_be_put_in_place_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir(&path).unwrap();
        // As if the folder had come while the file was written.
        let error = replace(&path, None, |out| out.write_all(b"hours of work")).unwrap_err();
        let text = error.to_string();
        let (_, kept) = text.split_once("what was written is in ").unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"hours of work");
    }

    #[test]
    fn devices_are_written_to() {
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        let error = write_whole(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
    }
}
