//! Locking a mutex that a panicked thread may have held.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Adds [`Self::locked`] to [`Mutex`].
pub trait MutexExt<T: ?Sized> {
    /// Locks the mutex, poisoned or not: for data that is consistent whenever a holder can panic.
    fn locked(&self) -> MutexGuard<'_, T>;
}

impl<T: ?Sized> MutexExt<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
