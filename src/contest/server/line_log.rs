//! The log of `--log`: every line to and from every bot.
//!
//! A thread writes the file, so no game waits for a disk. If it cannot keep up, lines are
//! left out and counted.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::connection::ReceivedLine;
use crate::files::{Kind, lock, waiting};
use crate::printable::printable;

/// The maximum number of lines that wait to be written.
const MOST_WAITING: usize = 10_000;

/// How long the end waits for lines to be written.
const PATIENCE: Duration = Duration::from_secs(2);

/// The first line of each run.
const HEAD: &str = "# santorini serve --log: seconds, bot, -> a line from it or <- to it";

/// The file.
pub const LINE_LOG: Kind = Kind {
    name: "a log of `santorini serve`",
    begins: |head| head.starts_with(b"# santorini serve --log"),
};

/// A log that all connections share.
#[derive(Debug, Clone)]
pub struct LineLog {
    sender: SyncSender<Message>,
    start: Instant,
    lost: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Message {
    Line(String),
    /// Everything is to be written; the outcome is sent back.
    End(SyncSender<io::Result<()>>),
}

/// The log of one bot.
#[derive(Debug)]
pub(super) struct BotLog {
    log: LineLog,
    bot: String,
}

impl LineLog {
    /// Opens the file for appending, creating it if needed. A last line that was cut short
    /// gets its end. A regular file is locked against other programs until the log ends.
    ///
    /// # Errors
    /// If the file cannot be opened, another program is writing to it, or no thread started.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = File::options();
        let file = waiting(|| options.append(true).create(true).open(path))?;
        if file.metadata()?.is_file() && !lock(&file)? {
            let why = "another program is writing to this file; name another one";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
        }
        let end = if is_cut_short(path)? { "\n" } else { "" };
        let (sender, messages) = sync_channel(MOST_WAITING);
        thread::Builder::new().spawn(move || write_all(file, &messages))?;
        let log = Self {
            sender,
            start: Instant::now(),
            lost: Arc::default(),
        };
        log.add(format!("{end}{HEAD}\n"));
        Ok(log)
    }

    /// The log of a bot; `bot` is its name, or the address of one without a seat.
    pub(super) fn of(&self, bot: impl Display) -> BotLog {
        let mut bot = bot.to_string();
        // Otherwise a line could look like one of another bot.
        if bot.contains("->") || bot.contains("<-") {
            bot = format!("{bot:?}");
        }
        BotLog {
            log: self.clone(),
            bot,
        }
    }

    /// Waits until everything is written, at most [`PATIENCE`]: a pipe may have a reader
    /// that does not read. Returns the number of lines that were left out.
    ///
    /// # Errors
    /// If something could not be written, or not in time.
    pub fn finish(&self) -> io::Result<u64> {
        // If the thread is gone, it has failed before.
        let gone = || io::Error::other("its writer has stopped");
        let late = || {
            let why = format!("the last lines were not taken within {PATIENCE:?}");
            io::Error::new(io::ErrorKind::TimedOut, why)
        };
        let (sender, outcome) = sync_channel(1);
        let end = Instant::now() + PATIENCE;
        let mut message = Message::End(sender);
        while let Err(error) = self.sender.try_send(message) {
            match error {
                TrySendError::Disconnected(_) => return Err(gone()),
                TrySendError::Full(_) if Instant::now() >= end => return Err(late()),
                TrySendError::Full(back) => message = back,
            }
            thread::sleep(Duration::from_millis(10));
        }
        let written = outcome.recv_timeout(end.saturating_duration_since(Instant::now()));
        written.map_err(|error| match error {
            RecvTimeoutError::Timeout => late(),
            RecvTimeoutError::Disconnected => gone(),
        })??;
        Ok(self.lost.load(Ordering::Relaxed))
    }

    fn add(&self, line: String) {
        if self.sender.try_send(Message::Line(line)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl BotLog {
    /// Logs a line from the bot.
    pub(super) fn received(&self, line: &ReceivedLine) {
        match line {
            ReceivedLine::Text(text) => self.add("->", &String::from_utf8_lossy(text)),
            ReceivedLine::TooLong => self.add("->", "(a line that is too long)"),
        }
    }

    /// Logs how many more lines came from the bot.
    pub(super) fn skipped(&self, lines: usize) {
        self.add("->", &format!("({lines} more lines)"));
    }

    /// Logs lines to the bot.
    pub(super) fn sent(&self, lines: &str) {
        lines.lines().for_each(|line| self.add("<-", line));
    }

    fn add(&self, arrow: &str, text: &str) {
        let seconds = self.log.start.elapsed().as_secs_f64();
        let text = printable(text);
        self.log
            .add(format!("{seconds:9.3} {} {arrow} {text}\n", self.bot));
    }
}

/// Whether a file ends within a line, as after a full disk. Pipes and devices do not.
fn is_cut_short(path: &Path) -> io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(1)))?;
    let mut last = Vec::new();
    file.read_to_end(&mut last)?;
    Ok(!last.is_empty() && !last.ends_with(b"\n"))
}

/// Writes each line at once, for people who follow the file. After an error it only takes
/// them.
fn write_all(mut file: File, messages: &Receiver<Message>) {
    let mut written = Ok(());
    while let Ok(message) = messages.recv() {
        match message {
            Message::Line(line) if written.is_ok() => {
                written = file.write_all(line.as_bytes());
            }
            Message::Line(_) => {}
            Message::End(sender) => {
                // The command may have ended without waiting.
                let _ = sender.send(written);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_logged_in_order_with_their_bot() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = LineLog::open(&path).unwrap();
        let bot = log.of("ada");
        bot.sent("\"try again\"\n[\"build\"]\n");
        bot.received(&ReceivedLine::Text(b"1 2\x1b[1m".into()));
        bot.received(&ReceivedLine::TooLong);
        log.of("ada -> 3 3").sent("[]");
        assert_eq!(log.finish().unwrap(), 0);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!((LINE_LOG.begins)(text.as_bytes()));
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[0].ends_with(" ada <- \"try again\""), "{text}");
        assert!(lines[1].ends_with(" ada <- [\"build\"]"), "{text}");
        assert!(
            lines[2].contains(" ada -> 1 2") && !text.contains('\x1b'),
            "{text}"
        );
        assert!(lines[4].ends_with(" \"ada -> 3 3\" <- []"), "{text}");
    }

    #[test]
    fn a_run_begins_on_a_new_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (before, after) in [("", ""), ("# cut", "# cut\n"), ("# whole\n", "# whole\n")] {
            std::fs::write(file.path(), before).unwrap();
            LineLog::open(file.path()).unwrap().finish().unwrap();
            let text = std::fs::read_to_string(file.path()).unwrap();
            assert_eq!(text, format!("{after}{HEAD}\n"));
        }
    }

    #[test]
    fn two_programs_do_not_write_one_log() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let first = LineLog::open(file.path()).unwrap();
        let refused = LineLog::open(file.path()).unwrap_err().to_string();
        assert!(refused.contains("another program is writing"), "{refused}");
        first.finish().unwrap();
        assert_eq!(
            std::fs::read_to_string(file.path()).unwrap(),
            format!("{HEAD}\n")
        );
        let null = Path::new("/dev/null");
        let logs = [null, null].map(|path| LineLog::open(path).unwrap());
        for log in logs {
            log.finish().unwrap();
        }
    }

    #[test]
    fn a_full_disk_is_reported_at_the_end() {
        let log = LineLog::open(Path::new("/dev/full")).unwrap();
        log.of("ada").sent("[]\n");
        assert!(log.finish().is_err());
    }
}
