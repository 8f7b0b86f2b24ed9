//! Files without a name (`O_TMPFILE`), which vanish with the program that writes them. Only
//! Linux has them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::fcntl::{AT_FDCWD, AtFlags, OFlag};
use nix::libc::{EINVAL, EISDIR, ENOENT, EOPNOTSUPP};
use nix::unistd::linkat;
use tempfile::TempPath;

use super::unfinished::{named, with_name};

/// A file without a name; `None` if the system does not support it.
pub(super) fn nameless(folder: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let opened = options.custom_flags(OFlag::O_TMPFILE.bits()).open(folder);
    let file = match opened {
        Ok(file) => file,
        Err(error) => {
            return match error.raw_os_error() {
                Some(EOPNOTSUPP | EISDIR | ENOENT | EINVAL) => Ok(None),
                _ => Err(error),
            };
        }
    };
    let has_link = fs::symlink_metadata(descriptor_path(&file)).is_ok();
    Ok(has_link.then_some(file))
}

/// Gives a file a name in a folder; if the file system does not allow that, copies it.
pub(super) fn name_it(file: &File, folder: &Path) -> io::Result<TempPath> {
    let from = descriptor_path(file);
    let link = |path: &Path| {
        linkat(AT_FDCWD, &from, AT_FDCWD, path, AtFlags::AT_SYMLINK_FOLLOW).map_err(io::Error::from)
    };
    if let Ok(linked) = with_name(folder, link) {
        return Ok(linked.into_temp_path());
    }
    let (mut copy, path) = named(folder)?;
    let mut file = file;
    file.rewind()?;
    io::copy(&mut file, &mut copy)?;
    copy.set_permissions(file.metadata()?.permissions())?;
    copy.sync_all()?;
    Ok(path)
}

/// The path of an open file in `/proc`.
fn descriptor_path(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}
