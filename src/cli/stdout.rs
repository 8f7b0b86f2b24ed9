//! Standard output, with an error if it was closed at the start.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use nix::errno::Errno;

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

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_open()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
