//! Reads lines from a terminal, with editing and a history.

use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use super::input::InputError;

/// The interval between checks of the stop flag.
const LOOK: Duration = Duration::from_millis(100);

/// Reads lines on its own thread, so that the program can exit while it waits.
pub(super) struct LineEditor {
    prompts: Sender<String>,
    lines: Receiver<Result<Option<String>, InputError>>,
    /// The terminal settings to restore. Editing changes them.
    before: Termios,
}

impl LineEditor {
    /// Creates an editor on the terminal of standard input.
    ///
    /// # Errors
    /// If standard input is not a terminal, or no thread can be started.
    pub(super) fn new() -> io::Result<Self> {
        let before = tcgetattr(io::stdin().as_fd())?;
        let (prompts, asked) = channel::<String>();
        let (answer, lines) = channel();
        let mut editor = editor().map_err(io::Error::other)?;
        // After Ctrl-Z the editor stops the process by a signal to all of it, and then sets
        // up the terminal again. It must not do that before the process has stopped, so
        // only its own thread may take the signal.
        let suspend = SigSet::from(Signal::SIGTSTP);
        suspend.thread_block()?;
        thread::Builder::new().spawn(move || {
            if suspend.thread_unblock().is_err() {
                return;
            }
            for prompt in asked {
                if answer.send(read(&mut editor, &prompt)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self {
            prompts,
            lines,
            before,
        })
    }

    /// The next line; `None` at the end of the input.
    ///
    /// # Errors
    /// If reading fails, Ctrl-C is pressed or the stop flag is set.
    pub(super) fn line(
        &mut self,
        prompt: &str,
        stop: &AtomicBool,
    ) -> Result<Option<String>, InputError> {
        let gone = || InputError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        self.prompts.send(prompt.to_string()).map_err(|_| gone())?;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(InputError::Stopped);
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return line,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

impl Drop for LineEditor {
    fn drop(&mut self) {
        // An error means that the terminal is gone.
        let _ = tcsetattr(io::stdin().as_fd(), SetArg::TCSANOW, &self.before);
    }
}

fn editor() -> rustyline::Result<Editor<(), MemHistory>> {
    // Pasted lines are typed lines: each is a request.
    let config = Config::builder()
        .auto_add_history(true)
        .bracketed_paste(false)
        .build();
    let history = MemHistory::with_config(&config);
    Editor::with_history(config, history)
}

fn read(editor: &mut Editor<(), MemHistory>, prompt: &str) -> Result<Option<String>, InputError> {
    match editor.readline(prompt) {
        Ok(line) => Ok(Some(line)),
        Err(ReadlineError::Eof) => Ok(None),
        Err(ReadlineError::Interrupted) => Err(InputError::Stopped),
        Err(ReadlineError::Io(error)) => Err(error.into()),
        Err(error) => Err(io::Error::other(error).into()),
    }
}
