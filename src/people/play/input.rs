//! Lines from a person or a pipe. Reading ends when the stop flag is set.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::editor::LineEditor;

/// The interval between checks of the stop flag, in milliseconds.
const LOOK: u16 = 100;

/// The maximum length of a line, in bytes.
const LONGEST_LINE: usize = 4096;

/// The source of a person's lines.
pub(crate) struct Input {
    /// The line editor, if lines come from a terminal.
    editor: Option<LineEditor>,
    /// The name of the file in messages.
    name: &'static str,
    file: File,
    stop: Arc<AtomicBool>,
    /// Bytes that were read but not returned yet.
    pending: Vec<u8>,
    ended: bool,
}

/// Why there is no line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// The person pressed Ctrl-C, or a signal arrived.
    #[error("interrupted")]
    Stopped,
    /// The line exceeds the limit.
    #[error("a line of more than {LONGEST_LINE} bytes")]
    TooLong,
    /// The system refused to read.
    #[error("{name}: {cause}")]
    Io {
        /// What was read.
        name: &'static str,
        /// The system's error.
        cause: io::Error,
    },
}

/// The name of the terminal in messages.
const TERMINAL: &str = "the terminal";

/// For the line editor, which reads the terminal.
impl From<io::Error> for InputError {
    fn from(cause: io::Error) -> Self {
        let name = TERMINAL;
        Self::Io { name, cause }
    }
}

impl Input {
    /// Reads standard input until `stop` is set.
    ///
    /// # Errors
    /// If standard input is closed.
    pub(crate) fn stdin(stop: Arc<AtomicBool>) -> io::Result<Self> {
        let descriptor = io::stdin().as_fd().try_clone_to_owned()?;
        Ok(Self::new("standard input", descriptor, stop))
    }

    /// Reads the terminal, even if standard input is something else.
    ///
    /// # Errors
    /// If there is no terminal.
    pub(crate) fn terminal(stop: Arc<AtomicBool>) -> io::Result<Self> {
        Ok(Self::new(TERMINAL, File::open("/dev/tty")?.into(), stop))
    }

    /// Adds line editing and a history with the arrow keys, if standard input is a
    /// terminal.
    pub(crate) fn with_editor(mut self) -> Self {
        self.editor = LineEditor::new().ok();
        self
    }

    /// Whether the line editor shows the prompt.
    pub(crate) const fn shows_prompt(&self) -> bool {
        self.editor.is_some()
    }

    fn new(name: &'static str, descriptor: OwnedFd, stop: Arc<AtomicBool>) -> Self {
        Self {
            editor: None,
            name,
            file: descriptor.into(),
            stop,
            pending: Vec::new(),
            ended: false,
        }
    }

    /// The flag that ends reading.
    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The next line without its end; `None` at the end of the input. Invalid UTF-8 is
    /// replaced. The line editor shows `prompt`.
    ///
    /// # Errors
    /// If reading fails, the line is too long, or the stop flag is set.
    pub(crate) fn line(&mut self, prompt: &str) -> Result<Option<String>, InputError> {
        if let Some(editor) = &mut self.editor {
            return editor.line(prompt, &self.stop);
        }
        loop {
            if let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.pending.drain(..=end).collect();
                return Ok(Some(text(&line)));
            }
            if self.pending.len() > LONGEST_LINE {
                return Err(InputError::TooLong);
            }
            if self.ended {
                let rest = std::mem::take(&mut self.pending);
                return Ok((!rest.is_empty()).then(|| text(&rest)));
            }
            self.read()?;
        }
    }

    /// Waits for more bytes or the end.
    fn read(&mut self) -> Result<(), InputError> {
        let mut fds = [PollFd::new(self.file.as_fd(), PollFlags::POLLIN)];
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(InputError::Stopped);
            }
            // After an error (such as a signal) nothing is ready: try again.
            if poll(&mut fds, PollTimeout::from(LOOK)).is_ok_and(|ready| ready > 0) {
                break;
            }
        }
        let mut bytes = [0; 4096];
        match (&self.file).read(&mut bytes) {
            Ok(0) => self.ended = true,
            Ok(count) => self.pending.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(cause) => {
                let name = self.name;
                return Err(InputError::Io { name, cause });
            }
        }
        Ok(())
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line)
        .trim_end_matches(['\n', '\r'])
        .to_string()
}
