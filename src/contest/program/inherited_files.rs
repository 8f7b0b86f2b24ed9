//! Files that were open when this process was started, for example by a shell.

use std::fs;
use std::os::fd::{BorrowedFd, RawFd};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};

/// Keeps these files from all programs that this process starts from now on. They inherit
/// only the standard streams: files that this program opens itself are not inherited.
pub(super) fn keep_from_players() {
    let list = match cfg!(target_os = "linux") {
        true => "/proc/self/fd",
        false => "/dev/fd",
    };
    let open = fs::read_dir(list).into_iter().flatten().flatten();
    let numbers = open.filter_map(|file| file.file_name().to_str()?.parse::<RawFd>().ok());
    for number in numbers.filter(|&number| number > 2) {
        // SAFETY: the number is used for one call, which fails if the file is closed by now.
        let file = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = fcntl(file, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC));
    }
}
