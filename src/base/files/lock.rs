//! Files that one program at a time writes to.

use std::fs::{File, TryLockError};
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a lock is waited for. A program that is killed while it starts
/// another one leaves its lock to that for a moment, until it runs.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long is waited between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Locks a file until it is closed; false if another program has it locked.
///
/// # Errors
/// If the file system knows no locks.
pub fn lock(file: &File) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(cause)) => return Err(cause),
            Err(TryLockError::WouldBlock) if begun.elapsed() >= PATIENCE => return Ok(false),
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
        }
    }
}
