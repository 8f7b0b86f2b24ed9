//! Waiting that may never end: for the other end of a pipe, or for input. During it a
//! signal ends the program at once instead of asking it to stop.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use crate::mutex::MutexExt as _;

static IS_WAITING: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The number of waiting threads.
static WAITING: Mutex<usize> = Mutex::new(0);

/// Whether the program is waiting now, for the handlers of signals.
#[cfg(feature = "program")]
pub fn is_waiting() -> Arc<AtomicBool> {
    Arc::clone(&IS_WAITING)
}

/// Runs a call that may wait without a limit.
pub fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    /// Stops waiting, also after a panic.
    struct Stop;
    impl Drop for Stop {
        fn drop(&mut self) {
            count(|waiting| waiting - 1);
        }
    }
    count(|waiting| waiting + 1);
    let _stop = Stop;
    wait()
}

fn count(change: impl FnOnce(usize) -> usize) {
    let mut waiting = WAITING.locked();
    *waiting = change(*waiting);
    IS_WAITING.store(*waiting > 0, Ordering::SeqCst);
}

/// Opens a file for reading. Opening a pipe waits for a writer.
///
/// # Errors
/// If it cannot be opened.
pub fn open_input(path: &Path) -> io::Result<File> {
    waiting(|| File::open(path))
}

/// Opens a file for random access.
///
/// # Errors
/// If it cannot be opened, or is a pipe or a device.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    expect_regular(path)?;
    File::open(path)
}

/// Checks that a path leads to a regular file, if it exists.
///
/// # Errors
/// If it is a pipe, a device or a folder.
pub(crate) fn expect_regular(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "a pipe or device; a regular file is needed here",
        )),
        _ => Ok(()),
    }
}

#[cfg(all(test, feature = "program"))]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_known_until_the_last_wait_ends() {
        let is_waiting = || is_waiting().load(Ordering::SeqCst);
        waiting(|| {
            waiting(|| assert!(is_waiting()));
            assert!(is_waiting());
        });
        let panicked = std::panic::catch_unwind(|| waiting(|| panic!("as a test")));
        assert!(panicked.is_err());
    }
}
