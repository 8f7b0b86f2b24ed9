//! Ending commands cleanly on Ctrl-C.

use std::future::poll_fn;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::Poll;
use std::time::{Duration, Instant};

use signal_hook::consts::SIGHUP;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::CliError;
use crate::signals::{end_while_waiting, stop_on_signals, stop_signals};

/// A flag that Ctrl-C, SIGTERM and SIGHUP set from now on.
pub(super) fn stop_flag() -> Result<Arc<AtomicBool>, CliError> {
    stop_on_signals().map_err(|error| CliError::failed("signals", error))
}

/// The exit code that a shell shows for a program killed by Ctrl-C.
pub(super) const INTERRUPTED: u8 = 128 + 2;

/// The exit code of a command that Ctrl-C stopped.
pub(super) fn interrupted() -> ExitCode {
    ExitCode::from(INTERRUPTED)
}

/// Signals within this time of another one count as the same. `timeout` sends SIGTERM to the
/// program and then to its process group.
const ECHO: Duration = Duration::from_millis(500);

/// Ctrl-C, SIGTERM and SIGHUP, for commands that run a server.
pub(super) struct Signals {
    signals: Vec<(i32, Signal)>,
    /// When the last signal that was not an echo came.
    last: Option<Instant>,
}

impl Signals {
    /// Catches the signals from now on.
    pub(super) fn listen() -> Self {
        // Before the other handlers, which alone would drop signals outside of waits.
        let signals = stop_signals().map(|kind| Ok((kind, signal(SignalKind::from_raw(kind))?)));
        // Without handlers the signals end the program.
        let signals = signals.collect::<io::Result<_>>().unwrap_or_default();
        // If this fails the signals are still handled.
        let _ = end_while_waiting();
        Self {
            signals,
            last: None,
        }
    }

    /// Waits for the next one. After the first one SIGHUP no longer counts: a terminal that is
    /// closed may send it twice.
    pub(super) async fn next(&mut self) {
        loop {
            self.any().await;
            self.signals.retain(|&(kind, _)| kind != SIGHUP);
            if self.last.is_none_or(|last| last.elapsed() >= ECHO) {
                self.last = Some(Instant::now());
                return;
            }
        }
    }

    async fn any(&mut self) {
        poll_fn(|context| {
            let mut signals = self.signals.iter_mut();
            match signals.any(|(_, signal)| signal.poll_recv(context).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}
