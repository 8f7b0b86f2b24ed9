//! Ending in good order on Ctrl-C and when the system says so.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::files::is_waiting;

const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// From now on the signals end the program at once while it waits for the other end of a
/// pipe, whatever else they do.
///
/// # Errors
/// If the system does not let the signals be handled.
pub fn end_while_waiting() -> io::Result<()> {
    for signal in SIGNALS {
        flag::register_conditional_default(signal, is_waiting())?;
    }
    Ok(())
}

/// A flag that is raised by Ctrl-C (SIGINT), SIGTERM and SIGHUP from now on.
/// More of these signals change nothing: ending in good order takes no longer
/// than killing the players, and impatience must not leave any behind.
///
/// # Errors
/// If the system does not let the signals be handled.
pub fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    end_while_waiting()?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}
