//! Locks on files that only one program at a time may write.

use std::fs::{File, TryLockError};
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for a lock. If a program is killed while it starts another one, the
/// child holds the lock for a moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Locks a file until it is closed; false if another program has it locked.
///
/// # Errors
/// If the file system does not support locks.
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
