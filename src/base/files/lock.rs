//! Locks on files that only one program at a time may write.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for a lock. If a program is killed while it starts another one, the
/// child holds the lock for a moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Opens a file for reading and writing, or creates it, and locks it until it is closed;
/// `None` if another program has it locked.
///
/// # Errors
/// If it cannot be opened, or the file system does not support locks.
pub fn open_locked(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path)?;
    Ok(lock(&file)?.then_some(file))
}

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
