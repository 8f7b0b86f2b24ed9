//! The best answer so far, told by one thread and taken by another.
//!
//! Who waits for it is woken up when it is final, and not for each improvement: that
//! would interrupt the search where no core is free. Measured with 8 ms a turn on busy
//! cores: the search is interrupted 3 rather than 13 times.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Where the best answer so far is told. Dropping it says that it is final.
pub struct Teller<T> {
    best: Arc<Mutex<Option<T>>>,
    _open: Sender<Infallible>,
}

/// Where who waits finds it.
pub struct Told<T> {
    best: Arc<Mutex<Option<T>>>,
    open: Receiver<Infallible>,
}

/// Both ends for the answers to one question.
pub fn answers<T>() -> (Teller<T>, Told<T>) {
    let best = Arc::default();
    let (_open, open) = channel();
    let told = Told {
        best: Arc::clone(&best),
        open,
    };
    (Teller { best, _open }, told)
}

impl<T> Teller<T> {
    pub fn tell(&self, answer: T) {
        *self.best.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }
}

impl<T> Told<T> {
    /// The last answer told.
    pub fn take(&self) -> Option<T> {
        self.best
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Sleeps until the answer is final, or for this long; returns whether it is.
    pub fn is_final_within(&self, time: Duration) -> bool {
        self.open.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answer_told_is_taken_and_final_once_nobody_can_tell_another() {
        let (teller, told) = answers();
        assert_eq!(told.take(), None);
        teller.tell(1);
        teller.tell(2);
        assert!(!told.is_final_within(Duration::ZERO));
        assert_eq!(told.take(), Some(2));
        drop(teller);
        assert!(told.is_final_within(Duration::MAX));
    }
}
