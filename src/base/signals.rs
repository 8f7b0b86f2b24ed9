//! Stopping cleanly on Ctrl-C and other signals.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use crate::files::is_waiting;

const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Makes writes beyond the limit on file sizes (`ulimit -f`) fail, instead of ending the
/// program by SIGXFSZ. The signal is caught, not ignored: programs that this one starts get
/// its default action.
pub(crate) fn fail_beyond_file_limit() {
    // If this fails, the signal ends the program.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Makes SIGINT, SIGTERM and SIGHUP end the program at once while it waits for input or for
/// the other end of a pipe, whatever else they do.
///
/// # Errors
/// If the handlers cannot be registered.
pub(crate) fn end_while_waiting() -> io::Result<()> {
    for signal in SIGNALS {
        flag::register_conditional_default(signal, is_waiting())?;
    }
    Ok(())
}

/// A flag that Ctrl-C (SIGINT), SIGTERM and SIGHUP set from now on. Further signals change
/// nothing: a clean stop only takes as long as killing the players, and no player may be
/// left running.
///
/// # Errors
/// If the handlers cannot be registered.
pub(crate) fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // First, because the other handlers alone would swallow a signal outside of waits.
    for signal in SIGNALS {
        flag::register(signal, Arc::clone(&stop))?;
    }
    end_while_waiting()?;
    Ok(stop)
}
