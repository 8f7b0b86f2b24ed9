//! Standard output, with an error if it was closed at the start. While its reader does not
//! read, a signal ends the program.

use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::files::waiting;

/// Whether standard output was closed when the program was started.
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Runs before the start-up of Rust, which replaces a closed output by /dev/null: after
/// that, no write would fail.
// SAFETY: the section is a list of such functions, and this one uses nothing that is
// set up later.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    use nix::fcntl::{FcntlArg, fcntl};

    let closed = fcntl(io::stdout(), FcntlArg::F_GETFD).is_err();
    WAS_CLOSED.store(closed, Ordering::Relaxed);
}

/// Standard output; an error if it was closed.
pub(super) struct Stdout(io::Stdout);

/// Standard output of this process.
pub(super) fn stdout() -> Stdout {
    Stdout(io::stdout())
}

/// Checks that standard output was not closed.
///
/// # Errors
/// If it was.
pub(super) fn check_open() -> io::Result<()> {
    if WAS_CLOSED.load(Ordering::Relaxed) {
        return Err(Errno::EBADF.into());
    }
    Ok(())
}

/// The bytes that a pipe with room takes without waiting: the PIPE_BUF of POSIX on Linux, less
/// the 1024 bytes that the standard library may hold back.
const AT_ONCE: usize = 4096 - 1024;

/// Waits until standard output takes more bytes.
fn wait_for_room() {
    let output = io::stdout();
    let look = |limit: PollTimeout| {
        let mut polled = [PollFd::new(output.as_fd(), PollFlags::POLLOUT)];
        poll(&mut polled, limit)
    };
    if look(PollTimeout::ZERO) == Ok(0) {
        waiting(|| while look(PollTimeout::NONE) == Err(Errno::EINTR) {});
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_open()?;
        wait_for_room();
        self.0.write(&bytes[..bytes.len().min(AT_ONCE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        wait_for_room();
        self.0.flush()
    }
}
