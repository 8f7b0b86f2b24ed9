//! Commands that end in good order on Ctrl-C.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::CliError;
use crate::signals::stop_on_signals;

/// A flag that Ctrl-C, SIGTERM and SIGHUP raise from now on.
pub fn stop_flag() -> Result<Arc<AtomicBool>, CliError> {
    stop_on_signals().map_err(|error| CliError::failed("signals", error))
}

/// The exit code of a program that Ctrl-C ended, as a shell shows it.
pub const INTERRUPTED: u8 = 128 + 2;

/// Ends a command that Ctrl-C stopped.
pub fn interrupted() -> ExitCode {
    ExitCode::from(INTERRUPTED)
}
