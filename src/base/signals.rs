//! Stopping cleanly on Ctrl-C and other signals.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use nix::libc;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use crate::files::is_waiting;

/// The signals that stop a command and were not ignored when the program started.
static STOP_SIGNALS: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let mut signals = vec![SIGINT, SIGTERM, SIGHUP];
    signals.retain(|&signal| !is_ignored(signal));
    signals
});

fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action this only writes the present one, for which zeros are valid.
    let action = unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

/// The signals that stop a command: SIGINT, SIGTERM and SIGHUP. Those that were ignored when
/// the program started stay ignored: SIGHUP under `nohup`, SIGINT in a command that a shell
/// script runs in the background. To be called before a handler is installed.
pub(crate) fn stop_signals() -> impl Iterator<Item = i32> {
    STOP_SIGNALS.iter().copied()
}

/// Makes writes beyond the limit on file sizes (`ulimit -f`) fail, instead of ending the
/// program by SIGXFSZ. The signal is caught, not ignored: programs that this one starts get
/// its default action.
pub(crate) fn fail_beyond_file_limit() {
    // If this fails, the signal ends the program.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Makes the [`stop_signals`] end the program at once while it waits for input or for
/// the other end of a pipe, whatever else they do.
///
/// # Errors
/// If the handlers cannot be registered.
pub(crate) fn end_while_waiting() -> io::Result<()> {
    for signal in stop_signals() {
        flag::register_conditional_default(signal, is_waiting())?;
    }
    Ok(())
}

/// A flag that the [`stop_signals`] set from now on. Further signals change
/// nothing: a clean stop only takes as long as killing the players, and no player may be
/// left running.
///
/// # Errors
/// If the handlers cannot be registered.
pub(crate) fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // First, because the other handlers alone would swallow a signal outside of waits.
    for signal in stop_signals() {
        flag::register(signal, Arc::clone(&stop))?;
    }
    end_while_waiting()?;
    Ok(stop)
}
