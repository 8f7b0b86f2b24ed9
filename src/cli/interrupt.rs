//! Ending commands cleanly on Ctrl-C.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::CliError;
use crate::signals::{end_while_waiting, stop_on_signals};

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

/// Ctrl-C and SIGTERM, for commands that run a server.
pub(super) struct Signals([io::Result<Signal>; 2]);

impl Signals {
    /// Catches the signals from now on.
    pub(super) fn listen() -> Self {
        // Before the other handlers, which swallow signals outside of waits.
        let signals = Self([SignalKind::interrupt(), SignalKind::terminate()].map(signal));
        // If this fails the signals are still handled.
        let _ = end_while_waiting();
        signals
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        let [Ok(interrupt), Ok(terminate)] = &mut self.0 else {
            // Without a handler the signals end the program.
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}
