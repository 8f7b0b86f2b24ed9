//! Long work that Ctrl-C, or another thread through a token, can stop.
//!
//! The work runs on its own thread without the GIL. Meanwhile the calling thread passes
//! messages to Python and polls for Ctrl-C and the token.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;

use crate::argument::{Argument, wrong_type};

create_exception!(
    santorini,
    Stopped,
    PyRuntimeError,
    "The event passed as `stop` was set while work was in progress."
);

/// The interval at which Ctrl-C and the token are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The interval at which a held lock is tried again.
const LOCK_INTERVAL: Duration = Duration::from_millis(1);

/// Stops work in addition to Ctrl-C: a `threading.Event`, or any object with a method
/// `is_set`.
pub struct Token(Option<Py<PyAny>>);

impl Token {
    /// Only Ctrl-C stops the work.
    pub const NONE: Self = Self(None);

    /// The argument `stop`.
    pub fn read(given: Option<&Argument<'_>>) -> PyResult<Self> {
        let Some(given) = given else {
            return Ok(Self(None));
        };
        let method = given.getattr("is_set");
        if !method.is_ok_and(|method| method.is_callable()) {
            let right = "an event, such as threading.Event()";
            return Err(wrong_type("stop", given, right));
        }
        Ok(Self(Some(given.clone().unbind())))
    }

    fn is_set(&self, py: Python<'_>) -> PyResult<bool> {
        match &self.0 {
            Some(event) => event.bind(py).call_method0("is_set")?.is_truthy(),
            None => Ok(false),
        }
    }
}

/// The result of work.
pub struct Outcome<T> {
    pub value: T,
    /// Whether the token stopped the work; the value may then be incomplete.
    pub is_stopped: bool,
}

impl<T> Outcome<T> {
    /// The value, or [`Stopped`].
    pub fn whole(self) -> PyResult<T> {
        if self.is_stopped {
            return Err(stopped());
        }
        Ok(self.value)
    }
}

/// The error of work stopped by a token.
pub fn stopped() -> PyErr {
    Stopped::new_err("the work was stopped")
}

/// Sends messages from work to Python. One message can wait. After an error in Python they
/// are ignored.
pub struct Messages<M>(SyncSender<M>);

impl<M> Messages<M> {
    /// Sends a message, as soon as no other waits.
    pub fn send(&self, message: M) {
        let _ = self.0.send(message);
    }

    /// Sends a message if no other waits.
    pub fn offer(&self, message: M) {
        let _ = self.0.try_send(message);
    }
}

/// Maximum bytes that work needs for its stack and small lists.
const ROOM: usize = 16 << 20;

/// Checks that there is memory for work, which would abort without it.
fn check_room() -> PyResult<()> {
    let mut room = Vec::<u8>::new();
    let reserved = room.try_reserve_exact(ROOM);
    // Otherwise the compiler may remove an allocation that is never used.
    black_box(&room);
    reserved.map_err(|_| {
        let mib = ROOM >> 20;
        PyMemoryError::new_err(format!("there is no memory left for this work: {mib} MiB"))
    })
}

/// Runs `work` like [`interruptible`], without messages.
pub fn stoppable<T: Send>(
    py: Python<'_>,
    token: &Token,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
) -> PyResult<Outcome<T>> {
    let work = |stop: &Arc<AtomicBool>, _: &Messages<()>| work(stop);
    interruptible(py, token, work, |_, ()| Ok(()))
}

/// Runs `work` on another thread without the GIL. Calls `receive` with each message it
/// sends, holding the GIL. An error of `receive`, Ctrl-C or the token sets the stop flag of
/// `work`.
pub fn interruptible<M: Send, T: Send>(
    py: Python<'_>,
    token: &Token,
    work: impl FnOnce(&Arc<AtomicBool>, &Messages<M>) -> T + Send,
    mut receive: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<Outcome<T>> {
    check_room()?;
    let mut is_stopped = token.is_set(py)?;
    let stop = Arc::new(AtomicBool::new(is_stopped));
    let (sender, messages) = mpsc::sync_channel(1);
    py.detach(move || {
        thread::scope(|scope| {
            let stop = &stop;
            // The sender moves into the work, so the channel closes when the work ends.
            let work = move || work(stop, &Messages(sender));
            let worker = thread::Builder::new().spawn_scoped(scope, work);
            let worker = worker.map_err(|error| {
                PyRuntimeError::new_err(format!("no thread can be started: {error}"))
            })?;
            let mut poll = || {
                Python::attach(|py| {
                    py.check_signals()?;
                    is_stopped |= token.is_set(py)?;
                    Ok(is_stopped)
                })
            };
            let failed = loop {
                let polled = match messages.recv_timeout(POLL_INTERVAL) {
                    Ok(message) => Python::attach(|py| receive(py, message)).and_then(|()| poll()),
                    Err(RecvTimeoutError::Timeout) => poll(),
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                };
                match polled {
                    Ok(false) => {}
                    Ok(true) => stop.store(true, Ordering::Relaxed),
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        break Err(error);
                    }
                }
            };
            // Otherwise the work could wait for room for a message.
            drop(messages);
            let done = worker
                .join()
                .map_err(|_| PyRuntimeError::new_err("a fault of this package: the work failed"));
            failed.and(done).map(|value| Outcome { value, is_stopped })
        })
    })
}

/// Locks a mutex, waiting for other threads. Returns `None` soon after `stop` is set.
pub fn lock_until<'a, T>(lock: &'a Mutex<T>, stop: &AtomicBool) -> Option<MutexGuard<'a, T>> {
    loop {
        match lock.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(guard)) => return Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) if stop.load(Ordering::Relaxed) => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_INTERVAL),
        }
    }
}
