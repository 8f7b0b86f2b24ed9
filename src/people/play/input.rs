//! Lines from a person or a pipe; reading ends when the stop flag is set.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::editor::LineEditor;

/// How often the stop flag is read, in milliseconds.
const LOOK: u16 = 100;

/// The longest line, in bytes.
const LONGEST_LINE: usize = 4096;

/// Where a person's lines come from.
pub struct Input {
    /// Where lines are edited, if that is on a terminal.
    editor: Option<LineEditor>,
    file: File,
    stop: Arc<AtomicBool>,
    /// What was read and not yet handed out.
    pending: Vec<u8>,
    ended: bool,
}

/// Why there is no line.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    #[error("interrupted")]
    Stopped,
    #[error("a line of more than {LONGEST_LINE} bytes")]
    TooLong,
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Input {
    /// Reads standard input, until `stop` is set.
    ///
    /// # Errors
    /// If standard input is closed.
    pub fn stdin(stop: Arc<AtomicBool>) -> io::Result<Self> {
        Ok(Self::new(io::stdin().as_fd().try_clone_to_owned()?, stop))
    }

    /// Reads the terminal itself, for when standard input is something else.
    ///
    /// # Errors
    /// If there is no terminal.
    pub fn terminal(stop: Arc<AtomicBool>) -> io::Result<Self> {
        Ok(Self::new(File::open("/dev/tty")?.into(), stop))
    }

    /// Lets the person edit each line, and call back earlier ones with the arrow
    /// keys, if standard input is a terminal.
    pub fn with_editor(mut self) -> Self {
        self.editor = LineEditor::new().ok();
        self
    }

    /// Whether the editor of lines shows the prompt.
    pub const fn shows_prompt(&self) -> bool {
        self.editor.is_some()
    }

    fn new(descriptor: OwnedFd, stop: Arc<AtomicBool>) -> Self {
        Self {
            editor: None,
            file: descriptor.into(),
            stop,
            pending: Vec::new(),
            ended: false,
        }
    }

    /// The flag that ends reading.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The next line without its end; `None` at the end of the input. Bytes
    /// that are not UTF-8 are replaced. Where lines are edited, `prompt` stands
    /// before it.
    ///
    /// # Errors
    /// If reading fails, the line is too long, or the stop flag is set.
    pub fn line(&mut self, prompt: &str) -> Result<Option<String>, InputError> {
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

    /// Waits for more bytes, or the end.
    fn read(&mut self) -> Result<(), InputError> {
        let mut fds = [PollFd::new(self.file.as_fd(), PollFlags::POLLIN)];
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(InputError::Stopped);
            }
            // An error (a signal came) leaves nothing ready: look again.
            if poll(&mut fds, PollTimeout::from(LOOK)).is_ok_and(|ready| ready > 0) {
                break;
            }
        }
        let mut bytes = [0; 4096];
        match (&self.file).read(&mut bytes) {
            Ok(0) => self.ended = true,
            Ok(count) => self.pending.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line)
        .trim_end_matches(['\n', '\r'])
        .to_string()
}
