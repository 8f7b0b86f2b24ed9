//! A channel for the best answer so far, from a search thread to the thread that waits.
//!
//! The receiver wakes up when the answer is final, not at each improvement. Waking it
//! would interrupt the search if no core is free: with 8 ms a turn on busy cores, the
//! search is interrupted 3 times instead of 13.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::mutex::MutexExt as _;

/// The sending end. Dropping it makes the last answer final.
pub(super) struct BestSender<T> {
    best: Arc<Mutex<Option<T>>>,
    _open: Sender<Infallible>,
}

/// The receiving end.
pub(super) struct BestReceiver<T> {
    best: Arc<Mutex<Option<T>>>,
    open: Receiver<Infallible>,
}

/// Creates both ends for one question.
pub(super) fn best_so_far<T>() -> (BestSender<T>, BestReceiver<T>) {
    let best = Arc::default();
    let (_open, open) = channel();
    let receiver = BestReceiver {
        best: Arc::clone(&best),
        open,
    };
    (BestSender { best, _open }, receiver)
}

impl<T> BestSender<T> {
    /// Replaces the best answer so far.
    pub(super) fn send(&self, answer: T) {
        *self.best.locked() = Some(answer);
    }
}

impl<T> BestReceiver<T> {
    /// Takes the last answer sent, if any.
    pub(super) fn take(&self) -> Option<T> {
        self.best.locked().take()
    }

    /// Waits until the answer is final, at most for `time`. Returns whether it is final.
    pub(super) fn is_final_within(&self, time: Duration) -> bool {
        self.open.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answer_is_final_once_the_sender_is_dropped() {
        let (sender, receiver) = best_so_far();
        assert_eq!(receiver.take(), None);
        sender.send(1);
        sender.send(2);
        assert!(!receiver.is_final_within(Duration::ZERO));
        assert_eq!(receiver.take(), Some(2));
        drop(sender);
        assert!(receiver.is_final_within(Duration::MAX));
    }
}
