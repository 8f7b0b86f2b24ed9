//! Files that are replaced as a whole: a reader sees the old content or the new, even
//! after a crash or a power failure.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::destination::{Destination, folder_of};
use super::unfinished::{Unfinished, not_in_place};

/// Writes a file as a whole, with the permissions of the file that it replaces. Pipes and
/// devices are written to, and symbolic links are followed.
///
/// # Errors
/// If that fails. An existing file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |out| out.write_all(bytes))
}

/// The same, for content that is written in pieces.
///
/// # Errors
/// As [`write_whole`], and the errors of `write`.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::Stream(stream) => write_all(stream.open()?, write),
        Destination::Free(path) => replace(&path, None, write),
        Destination::File(path) => {
            let old = fs::metadata(&path)?;
            replace(&path, Some(&old), write)
        }
    }
}

fn replace(
    path: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    let new = Unfinished::new(folder)?;
    write_all(new.file(), write)?;
    make_like(new.file(), old)?;
    new.put_in_place(path)?;
    sync_folder(folder);
    Ok(())
}

/// Moves a finished file to `path`, in the same folder, and replaces the file there, whose
/// permissions it gets.
///
/// # Errors
/// If that fails. Both files then keep their contents.
pub fn put_in_place(new: &Path, path: &Path) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // Flushing needs the right to write on Windows.
    make_like(&File::options().write(true).open(new)?, old.as_ref())?;
    fs::rename(new, path).map_err(|cause| not_in_place(&cause, new))?;
    sync_folder(folder_of(path));
    Ok(())
}

/// Gives a file the permissions of the file that it replaces, and flushes it to disk.
fn make_like(new: &File, old: Option<&Metadata>) -> io::Result<()> {
    if let Some(old) = old {
        give_to_owner(new, old);
        new.set_permissions(old.permissions())?;
    }
    new.sync_all()
}

/// Gives a file to the owner of another one. That needs privileges; without them the file
/// keeps its own.
#[cfg(unix)]
fn give_to_owner(new: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let _ = fchown(new, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn give_to_owner(_: &File, _: &Metadata) {}

/// Flushes the entries of a folder to disk. Not all file systems support that.
pub(crate) fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

fn write_all(
    file: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let written = write(&mut out).and_then(|()| out.flush());
    // After a failure the rest of the buffer must not be written on drop.
    let _ = out.into_parts();
    written
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::super::unfinished::tests::names;
    use super::*;

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
        // Like any new file.
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
        // As if the folder had been created while the file was written.
        let error = replace(&path, None, |out| out.write_all(b"hours of work")).unwrap_err();
        let text = error.to_string();
        let (_, kept) = text.split_once("what was written is in ").unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"hours of work");
    }

    #[test]
    fn a_new_file_gets_the_permissions_of_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, "old").unwrap();
        fs::set_permissions(&old, Permissions::from_mode(0o640)).unwrap();
        fs::write(&new, "new").unwrap();
        put_in_place(&new, &old).unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"new");
        assert_eq!(fs::metadata(&old).unwrap().mode() & 0o7777, 0o640);
        assert_eq!(names(folder.path()), ["old"]);
        fs::create_dir(&new).unwrap();
        let error = put_in_place(&old, &new).unwrap_err().to_string();
        assert!(error.contains("what was written is in "), "{error}");
        assert_eq!(names(folder.path()), ["new", "old"]);
    }

    #[test]
    fn devices_are_written_to() {
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        let error = write_whole(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
    }
}
