//! Long work that Ctrl-C ends.
//!
//! It is done on a thread of its own, without Python's lock. Meanwhile the thread
//! that asked for it hands messages to Python, and looks for Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::convert::wrong;

/// How often Ctrl-C is looked for.
const PATIENCE: Duration = Duration::from_millis(50);

/// Does `work` on another thread, without Python's lock. `heard` is called with
/// what it sends, with the lock. An error of `heard`, and Ctrl-C, set the flag that
/// `work` looks at.
pub fn interruptible<M: Send, T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool, &mut dyn FnMut(M)) -> T + Send,
    mut heard: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (sender, messages) = mpsc::channel();
    py.detach(move || {
        thread::scope(|scope| {
            let stop = &stop;
            // The channel ends with the work: the sender moves there.
            let worker = scope.spawn(move || {
                // Nobody listens any more once something has failed.
                work(stop, &mut |message| drop(sender.send(message)))
            });
            let failed = loop {
                let looked = match messages.recv_timeout(PATIENCE) {
                    Ok(message) => Python::attach(|py| heard(py, message)),
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                };
                if looked.is_err() {
                    stop.store(true, Ordering::Relaxed);
                    break looked;
                }
            };
            let done = worker
                .join()
                .map_err(|_| wrong("a fault of this package: the work failed"));
            failed.and(done)
        })
    })
}
