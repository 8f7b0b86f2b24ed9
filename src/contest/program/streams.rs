//! The standard streams of a player: sends questions, frames answers, keeps evidence.
//!
//! The pipes never block, and what is kept of the output is bounded.

use std::io::{self, ErrorKind, Read as _};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::pipes::{has_no_reader, wait, write_ready};
use super::stderr_log::StderrLog;
use crate::protocol::stream::{BadInput, Framer};

/// The maximum bytes of an answer kept as evidence.
const KEPT_OUTPUT: usize = 4096;

/// The maximum reads of white space before a question.
const MOST_EARLY_READS: usize = 16;

/// The result of one read of the standard output.
pub(super) enum ReadOutcome {
    /// No complete value yet.
    Nothing,
    /// A complete value.
    Value(Value),
    /// Something other than a value.
    Bad(BadInput),
    /// The player closed its output.
    Closed,
}

/// The three pipes of a player.
pub(super) struct PlayerStreams {
    /// `None` once it was closed.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// `None` once it was closed.
    stderr: Option<ChildStderr>,
    framer: Framer,
    unsent: Vec<u8>,
    /// The start of the output since the last question, from its first visible byte on.
    received: Vec<u8>,
    log: StderrLog,
    buffer: Box<[u8; 1 << 16]>,
}

impl PlayerStreams {
    /// Takes pipes that do not block.
    pub(super) fn new(
        stdin: ChildStdin,
        stdout: ChildStdout,
        stderr: ChildStderr,
        log: StderrLog,
    ) -> Self {
        Self {
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            framer: Framer::new(),
            unsent: Vec::new(),
            received: Vec::new(),
            log,
            buffer: Box::new([0; 1 << 16]),
        }
    }

    /// Sends as much of a question as the pipe takes; [`Self::wait`] sends the rest.
    pub(super) fn send(&mut self, question: &Value) {
        self.received.clear();
        self.unsent
            .extend_from_slice(question.to_string().as_bytes());
        self.unsent.push(b'\n');
        self.write();
    }

    /// Whether all questions were sent.
    pub(super) fn is_sent(&self) -> bool {
        self.unsent.is_empty()
    }

    /// Waits for a pipe to be ready, at most for `time`. Sends what is unsent and reads the
    /// standard error. Returns whether there is output to read.
    pub(super) fn wait(&mut self, time: Duration) -> bool {
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let ready = wait(&self.stdout, self.stderr.as_ref(), stdin, time);
        if ready.stderr {
            self.read_stderr();
        }
        if ready.stdin {
            self.write();
        }
        ready.stdout
    }

    /// Reads once from the standard output.
    pub(super) fn read(&mut self) -> ReadOutcome {
        match self.stdout.read(&mut self.buffer[..]) {
            Ok(0) => ReadOutcome::Closed,
            Ok(count) => {
                self.receive(count);
                match self.framer.take() {
                    None => ReadOutcome::Nothing,
                    Some(Ok(framed)) => ReadOutcome::Value(framed.value),
                    Some(Err(error)) => ReadOutcome::Bad(error),
                }
            }
            Err(error) if is_passing(&error) => ReadOutcome::Nothing,
            Err(_) => ReadOutcome::Closed,
        }
    }

    /// Reads once from the standard error.
    pub(super) fn read_stderr(&mut self) {
        let Some(stderr) = &mut self.stderr else {
            return;
        };
        match stderr.read(&mut self.buffer[..]) {
            Ok(0) => self.stderr = None,
            Ok(count) => self.log.push(&self.buffer[..count]),
            Err(error) if is_passing(&error) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// Whether the player has written nothing but its answers and white space.
    pub(super) fn is_quiet(&mut self) -> bool {
        for _ in 0..MOST_EARLY_READS {
            if self.framer.take().is_some() || !self.framer.is_between() {
                break;
            }
            match self.stdout.read(&mut self.buffer[..]) {
                // A closed output shows at the next question.
                Ok(0) | Err(_) => return true,
                Ok(count) => self.receive(count),
            }
        }
        false
    }

    /// Whether another value follows the last one, at once or within `time`.
    pub(super) fn has_more(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            if let Some(found) = self.framer.take() {
                return found.is_ok();
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            if self.wait(left) {
                match self.read() {
                    ReadOutcome::Nothing => {}
                    ReadOutcome::Value(_) => return true,
                    ReadOutcome::Bad(_) | ReadOutcome::Closed => return false,
                }
            }
        }
    }

    /// Whether the output ends between two values.
    pub(super) fn is_between(&self) -> bool {
        self.framer.is_between()
    }

    /// Whether the player has closed its input.
    pub(super) fn is_input_closed(&self) -> bool {
        self.stdin.as_ref().is_none_or(has_no_reader)
    }

    /// Closes the player's input.
    pub(super) fn close(&mut self) {
        self.stdin = None;
    }

    /// Keeps output that is ready, without framing it.
    pub(super) fn keep_more(&mut self) {
        if wait(&self.stdout, None, None, Duration::from_millis(5)).stdout {
            let count = self.stdout.read(&mut self.buffer[..]).unwrap_or(0);
            self.keep(count);
        }
    }

    /// Whether no more output is kept.
    pub(super) fn is_full(&self) -> bool {
        self.received.len() >= KEPT_OUTPUT
    }

    /// The start of the output since the last question.
    pub(super) fn received(&self) -> &[u8] {
        &self.received
    }

    /// The part of [`Self::received`] after the answer.
    pub(super) fn after_answer(&self) -> &[u8] {
        let mut values = serde_json::Deserializer::from_slice(&self.received).into_iter::<Value>();
        values.next();
        &self.received[values.byte_offset()..]
    }

    /// The end of the standard error.
    pub(super) fn stderr_tail(&self) -> String {
        self.log.tail()
    }

    fn write(&mut self) {
        let Some(stdin) = &mut self.stdin else {
            return;
        };
        // The process closed its input. Its output will show why.
        if write_ready(stdin, &mut self.unsent).is_err() {
            self.stdin = None;
            self.unsent.clear();
        }
    }

    /// Handles the bytes just read into the buffer.
    fn receive(&mut self, count: usize) {
        self.keep(count);
        self.framer.push(&self.buffer[..count]);
    }

    fn keep(&mut self, count: usize) {
        let mut kept = &self.buffer[..count];
        // The line break after the previous answer may come after the next question.
        if self.received.is_empty() {
            kept = kept.trim_ascii_start();
        }
        let room = KEPT_OUTPUT.saturating_sub(self.received.len());
        self.received
            .extend_from_slice(&kept[..kept.len().min(room)]);
    }
}

/// Whether a read or write may succeed later.
pub(crate) fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock)
}
