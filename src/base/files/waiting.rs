//! Waiting for somebody else: the other end of a pipe that is not open yet, or input that
//! does not come. A signal then ends the program at once, even if it would otherwise end
//! in good order: it might wait for ever.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

static IS_WAITING: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// How many threads wait.
static WAITING: Mutex<usize> = Mutex::new(0);

/// Whether the program waits at this moment, for those who handle signals.
#[cfg(feature = "program")]
pub fn is_waiting() -> Arc<AtomicBool> {
    Arc::clone(&IS_WAITING)
}

/// Does what may take as long as somebody else likes.
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
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    *waiting = change(*waiting);
    IS_WAITING.store(*waiting > 0, Ordering::SeqCst);
}

/// Opens a file to read. A pipe is open once something writes to it.
///
/// # Errors
/// If it cannot be opened.
pub fn open_input(path: &Path) -> io::Result<File> {
    waiting(|| File::open(path))
}

/// Opens a file in which the program reads here and there.
///
/// # Errors
/// If it cannot be opened, or is a pipe or a device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    expect_regular(path)?;
    File::open(path)
}

/// Makes sure that what is at a path is a regular file, if anything is there.
///
/// # Errors
/// If it is a pipe, a device or a folder.
pub fn expect_regular(path: &Path) -> io::Result<()> {
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
    fn it_is_known_while_somebody_waits() {
        let is_waiting = || is_waiting().load(Ordering::SeqCst);
        waiting(|| {
            waiting(|| assert!(is_waiting()));
            assert!(is_waiting());
        });
        let panicked = std::panic::catch_unwind(|| waiting(|| panic!("as a test")));
        assert!(panicked.is_err());
    }
}
