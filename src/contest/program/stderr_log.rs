//! Logs what player programs write to their standard error.
//!
//! It is read while an answer is awaited, so that a full pipe delays no answer. The end
//! is kept in memory to explain a crash. If a log file was requested, everything goes
//! there, up to a limit.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::files::{Kind, waiting};
use crate::mutex::MutexExt as _;

/// The bytes of the end kept in memory.
const TAIL: usize = 4096;

/// The maximum length of a line in the file, in bytes, without the player's name. Longer ones are
/// split.
const LINE: usize = 4096;

/// The maximum bytes that one process may write to the file.
const MOST: u64 = 1 << 20;

/// A log file: each line starts with the name of a player.
pub const STDERR_FILE: Kind = Kind {
    name: "a log of players' standard error",
    begins: is_log,
};

fn is_log(head: &[u8]) -> bool {
    let is_text = !head.contains(&0) && !head.starts_with(b"{\"") && !head.starts_with(b"<");
    let mut whole_lines = head
        .split_inclusive(|&byte| byte == b'\n')
        .filter(|line| line.ends_with(b"\n"));
    is_text && whole_lines.all(|line| line.windows(2).any(|pair| pair == b": "))
}

/// A log file shared by several programs. It gets whole lines, each after the name of its
/// player.
#[derive(Debug, Clone)]
pub struct StderrFile(Arc<Mutex<Shared>>);

#[derive(Debug)]
struct Shared {
    file: File,
    error: Option<io::Error>,
}

impl StderrFile {
    /// Opens the file for appending, creating it if needed.
    ///
    /// # Errors
    /// If the file cannot be opened or created.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = File::options();
        let file = waiting(|| options.append(true).create(true).open(path))?;
        Ok(Self(Arc::new(Mutex::new(Shared { file, error: None }))))
    }

    /// Takes the first write error. Nothing is written between the error and this call.
    pub fn take_error(&self) -> Option<io::Error> {
        self.0.locked().error.take()
    }

    fn write(&self, text: &[u8]) {
        let mut shared = self.0.locked();
        if shared.error.is_none() {
            shared.error = shared.file.write_all(text).err();
        }
    }
}

/// The standard error of one process.
pub(super) struct StderrLog {
    player: String,
    file: Option<StderrFile>,
    left: u64,
    line: Vec<u8>,
    tail: Vec<u8>,
}

impl StderrLog {
    pub(super) fn new(player: &str, file: Option<StderrFile>) -> Self {
        Self {
            player: player.to_string(),
            file,
            left: MOST,
            line: Vec::new(),
            tail: Vec::new(),
        }
    }

    /// Handles the next bytes that the process wrote.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
        // Trimmed only now and then, so that a flood does not cost a copy at each read.
        if self.tail.len() > 16 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
        if self.file.is_some() {
            for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
                self.push_piece(piece);
            }
        }
    }

    /// Handles bytes with a line break at most at their end.
    fn push_piece(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            let (head, rest) = piece.split_at(piece.len().min(LINE - self.line.len()));
            self.line.extend_from_slice(head);
            if head.ends_with(b"\n") || self.line.len() == LINE {
                self.write_line();
            }
            piece = rest;
        }
    }

    /// The end of the log, as text.
    pub(super) fn tail(&self) -> String {
        let start = self.tail.len().saturating_sub(TAIL);
        let text = String::from_utf8_lossy(&self.tail[start..]);
        text.trim_end().to_string()
    }

    /// Writes the current line to the file, if there is one.
    fn write_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let (Some(file), false) = (&self.file, line.is_empty() || self.left == 0) else {
            return;
        };
        let end: &[u8] = if line.ends_with(b"\n") { b"" } else { b"\n" };
        let text = [self.player.as_bytes(), b": ", &line, end].concat();
        file.write(&text);
        self.left = self.left.saturating_sub(text.len() as u64);
        if self.left == 0 {
            let most = MOST >> 20;
            file.write(
                format!("{}: (the log ends here, after {most} MiB)\n", self.player).as_bytes(),
            );
        }
    }
}

impl Drop for StderrLog {
    fn drop(&mut self) {
        self.write_line();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(write: impl FnOnce(&mut StderrLog)) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let file = StderrFile::open(&path).unwrap();
        let mut log = StderrLog::new("A", Some(file));
        write(&mut log);
        drop(log);
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn scripts_and_documents_are_not_taken_for_logs() {
        for log in [
            "",
            "me: a line\n",
            "me: a line\nyou: another: line\ncut o",
            "cut o",
        ] {
            assert!(is_log(log.as_bytes()), "{log}");
        }
        for other in [
            "#!/bin/sh\nexec x\n",
            "name: x\n\nmore\n",
            "{\"a\": 1}\n",
            "a: \0b\n",
        ] {
            assert!(!is_log(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn each_line_starts_with_the_player_even_an_unended_one() {
        let text = logged(|log| {
            log.push(b"on");
            log.push(b"e\ntwo\nthr");
            log.push(b"ee");
        });
        assert_eq!(text, "A: one\nA: two\nA: three\n");
    }

    #[test]
    fn a_flood_is_truncated() {
        for (byte, tail) in [(b'x', TAIL), (b'\n', 0)] {
            let text = logged(|log| {
                for _ in 0..(2 * MOST / 65536) {
                    log.push(&[byte; 65536]);
                }
                assert_eq!(log.tail().len(), tail);
            });
            assert!(text.len() < MOST as usize + MOST as usize / 100);
            assert!(text.ends_with("A: (the log ends here, after 1 MiB)\n"));
            assert!(text.lines().all(|line| line.len() <= LINE + "A: ".len()));
        }
    }
}
