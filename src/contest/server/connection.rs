//! One bot's TCP connection: lines in, lines out, both bounded. Sending never waits.
//!
//! The server holds at most [`LONGEST_LINE`] and one chunk of input, and [`MOST_UNSENT`]
//! of output: less than 64 KiB in all, including the system's own buffers. TCP slows down
//! a bot that sends faster than it is asked. A bot that does not read is disconnected.

use std::io;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use socket2::SockRef;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::task::yield_now;

use super::line_log::BotLog;
use crate::keep_alive::keep_alive;
use crate::program::is_passing;

/// The maximum length of a line without its end. No answer or name comes near it.
pub const LONGEST_LINE: usize = 1024;

/// The bytes read at a time.
const CHUNK: usize = 4096;

/// The maximum unsent bytes: about fifty states, on top of the system's buffers.
const MOST_UNSENT: usize = 16 * 1024;

/// The requested size of the system's buffers, each way. (Linux allocates twice as much,
/// for its own bookkeeping.)
pub(super) const SYSTEM_BUFFER: u32 = 8 * 1024;

/// The maximum bytes that a bot may send between its games.
const MOST_UNASKED: usize = 64 * 1024;

/// The maximum number of such lines that are logged at a time.
const MOST_LOGGED: usize = 10;

/// The time for a closing connection to read its last line.
const FAREWELL: Duration = Duration::from_secs(2);

/// The time for a bot to read the results of all its games won against absent bots.
const READING: Duration = Duration::from_secs(10);

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReceivedLine {
    /// The line without its `\n` or `\r\n`.
    Text(Vec<u8>),
    /// A line longer than [`LONGEST_LINE`], reported once.
    TooLong,
}

/// A line, and when its last bytes were read.
#[derive(Debug)]
pub(super) struct Received {
    pub line: ReceivedLine,
    pub arrived: Instant,
}

/// Why a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Closed {
    #[error("the connection ended")]
    Ended,
    #[error("it did not read what was sent to it")]
    NotReading,
    #[error("more than {MOST_UNASKED} bytes arrived without a question")]
    Flooding,
}

/// Splits bytes into lines.
#[derive(Debug, Default)]
struct LineBuffer {
    bytes: Vec<u8>,
    /// Skipping the rest of a line that was too long.
    skipping: bool,
}

impl LineBuffer {
    fn push(&mut self, mut chunk: &[u8]) {
        if self.skipping {
            match chunk.iter().position(|&byte| byte == b'\n') {
                None => return,
                Some(end) => chunk = &chunk[end + 1..],
            }
            self.skipping = false;
        }
        self.bytes.extend_from_slice(chunk);
    }

    fn next(&mut self) -> Option<ReceivedLine> {
        let end = self.bytes.iter().position(|&byte| byte == b'\n');
        // A line of maximum length may still lack the second byte of its end.
        if end.is_none() && self.bytes.len() > LONGEST_LINE + 1 {
            self.bytes.clear();
            self.skipping = true;
            return Some(ReceivedLine::TooLong);
        }
        let mut line: Vec<u8> = self.bytes.drain(..=end?).collect();
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if line.len() > LONGEST_LINE {
            return Some(ReceivedLine::TooLong);
        }
        Some(ReceivedLine::Text(line))
    }
}

/// A bot's connection.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    /// The address of the machine at the other end.
    pub address: IpAddr,
    input: LineBuffer,
    /// When the last bytes were read.
    arrived: Instant,
    /// Output that could not be sent yet.
    unsent: Vec<u8>,
    closed: Option<Closed>,
    log: Option<Box<BotLog>>,
}

impl Connection {
    /// Wraps an accepted stream.
    ///
    /// # Errors
    /// If the system refuses to set the socket's options.
    pub(super) fn new(stream: TcpStream, address: IpAddr) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        keep_alive(SockRef::from(&stream))?;
        Ok(Self {
            stream,
            address,
            input: LineBuffer::default(),
            arrived: Instant::now(),
            unsent: Vec::new(),
            closed: None,
            log: None,
        })
    }

    /// Logs the first line, if there is one, and all lines from now on.
    pub(super) fn log_to(&mut self, log: BotLog, first: Option<&ReceivedLine>) {
        first.iter().for_each(|line| log.received(line));
        self.log = Some(Box::new(log));
    }

    /// Whether the last line has begun to arrive and has no end yet.
    pub(super) fn has_unfinished_line(&self) -> bool {
        self.input.bytes.last().is_some_and(|&byte| byte != b'\n')
    }

    /// Drops a line that has begun to arrive: the rest of a late answer must not be joined
    /// with the next one.
    pub(super) fn drop_unfinished_line(&mut self) {
        self.input.bytes.clear();
    }

    /// Why the connection ended, if it is known to have.
    pub(super) const fn closed(&self) -> Option<Closed> {
        self.closed
    }

    /// Sends as much as the connection takes at once; the rest is sent while waiting for
    /// lines. Never waits. Closes a connection with too much unsent output, which
    /// [`Self::receive`] reports.
    ///
    /// A bot that has closed its sending side may still read, so sending continues.
    pub(super) fn send(&mut self, line: &str) {
        self.log.iter().for_each(|log| log.sent(line));
        let mut bytes = line.as_bytes();
        if self.unsent.is_empty() && matches!(self.closed, None | Some(Closed::Ended)) {
            match self.stream.try_write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if is_passing(&error) => {}
                Err(_) => self.closed = Some(Closed::Ended),
            }
        }
        if self.closed.is_some() {
            return;
        }
        if self.unsent.len() + bytes.len() > MOST_UNSENT {
            self.closed = Some(Closed::NotReading);
        } else {
            self.unsent.extend_from_slice(bytes);
        }
    }

    /// Sends texts one after the other, each when the bot has taken the previous one.
    /// Closes the connection if this takes too long, which [`Self::receive`] reports.
    pub(super) async fn send_each(&mut self, texts: impl Iterator<Item = String>) {
        let all = async {
            for text in texts {
                self.send(&text);
                while !self.unsent.is_empty() && self.closed.is_none() {
                    if self.stream.writable().await.is_err() {
                        self.closed = Some(Closed::Ended);
                    }
                    self.send_unsent();
                }
            }
        };
        let sent_all = tokio::time::timeout(READING, all).await;
        if sent_all.is_err() && self.closed.is_none() {
            self.closed = Some(Closed::NotReading);
        }
    }

    /// Waits for the next line, and sends pending output meanwhile. Cancel-safe.
    ///
    /// # Errors
    /// If the connection has ended.
    pub(super) async fn receive(&mut self) -> Result<Received, Closed> {
        loop {
            // Lines sent before the bot left still count.
            if matches!(self.closed, None | Some(Closed::Ended))
                && let Some(line) = self.next_line()
            {
                let arrived = self.arrived;
                return Ok(Received { line, arrived });
            }
            if let Some(closed) = self.closed {
                return Err(closed);
            }
            let interest = if self.unsent.is_empty() {
                Interest::READABLE
            } else {
                Interest::READABLE | Interest::WRITABLE
            };
            if self.stream.ready(interest).await.is_err() {
                self.closed = Some(Closed::Ended);
            }
            self.send_unsent();
            if self.read_chunk().is_some() {
                // Otherwise a line without end would hold this thread, and its clocks.
                yield_now().await;
            }
        }
    }

    /// Drops lines that were sent without being asked, without waiting. Returns their
    /// number. Detects a lost connection.
    ///
    /// # Errors
    /// If the connection has ended, or has sent far too much. In the second case it can
    /// still be told so.
    pub(super) fn drop_unasked(&mut self) -> Result<usize, Closed> {
        self.send_unsent();
        let (mut lines, mut bytes) = (0, 0);
        loop {
            while let Some(line) = self.input.next() {
                lines += 1;
                if lines <= MOST_LOGGED {
                    self.log.iter().for_each(|log| log.received(&line));
                }
            }
            let read = self.read_chunk();
            bytes += read.unwrap_or(0);
            if read.is_none() || bytes > MOST_UNASKED {
                break;
            }
        }
        if lines > MOST_LOGGED {
            let more = lines - MOST_LOGGED;
            self.log.iter().for_each(|log| log.skipped(more));
        }
        if bytes > MOST_UNASKED {
            return Err(Closed::Flooding);
        }
        self.closed.map_or(Ok(lines), Err)
    }

    /// Sends a last line, waits briefly for the bot to read it, and closes. A bot that has
    /// closed its sending side gets the line too, without a wait.
    pub(super) async fn farewell(mut self, line: &str) {
        if self.closed == Some(Closed::Ended) {
            return self.send(line);
        }
        self.log.iter().for_each(|log| log.sent(line));
        self.unsent.extend_from_slice(line.as_bytes());
        // The connection is closed in any case.
        let _ = tokio::time::timeout(FAREWELL, self.say_last()).await;
    }

    async fn say_last(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() && self.closed.is_none() {
            self.stream.writable().await?;
            self.send_unsent();
        }
        SockRef::from(&self.stream).shutdown(std::net::Shutdown::Write)?;
        // Closing while the bot is still sending would reset the connection and could
        // lose the last line.
        while self.closed.is_none() {
            self.stream.readable().await?;
            self.read_chunk();
            self.input.bytes.clear();
            yield_now().await;
        }
        Ok(())
    }

    /// The next line of the input.
    fn next_line(&mut self) -> Option<ReceivedLine> {
        let line = self.input.next()?;
        if let Some(log) = &self.log {
            log.received(&line);
        }
        Some(line)
    }

    fn send_unsent(&mut self) {
        if self.unsent.is_empty() || self.closed.is_some() {
            return;
        }
        match self.stream.try_write(&self.unsent) {
            Ok(sent) => drop(self.unsent.drain(..sent)),
            Err(error) if is_passing(&error) => {}
            Err(_) => self.closed = Some(Closed::Ended),
        }
    }

    /// Reads once without waiting. Returns the number of bytes, if any.
    fn read_chunk(&mut self) -> Option<usize> {
        if self.closed.is_some() {
            return None;
        }
        let mut chunk = [0; CHUNK];
        match self.stream.try_read(&mut chunk) {
            Ok(0) => self.closed = Some(Closed::Ended),
            Ok(read) => {
                self.arrived = Instant::now();
                self.input.push(&chunk[..read]);
                return Some(read);
            }
            Err(error) if is_passing(&error) => {}
            Err(_) => self.closed = Some(Closed::Ended),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(buffer: &mut LineBuffer) -> Vec<ReceivedLine> {
        std::iter::from_fn(|| buffer.next()).collect()
    }

    fn text(line: &str) -> ReceivedLine {
        ReceivedLine::Text(line.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_found_in_any_chunks() {
        let mut buffer = LineBuffer::default();
        for byte in b"1 2\r\n\n3" {
            buffer.push(&[*byte]);
        }
        assert_eq!(lines(&mut buffer), [text("1 2"), text("")]);
        buffer.push(b" 4\n5 6\n7");
        assert_eq!(lines(&mut buffer), [text("3 4"), text("5 6")]);
    }

    #[test]
    fn a_long_line_is_reported_once_and_not_kept() {
        let mut buffer = LineBuffer::default();
        let mut reported = 0;
        for _ in 0..2500 {
            buffer.push(&[b'x'; CHUNK]);
            reported += lines(&mut buffer).len();
            assert!(buffer.bytes.len() <= LONGEST_LINE + CHUNK);
        }
        assert_eq!(reported, 1);
        buffer.push(b"xx\n1 2\n");
        assert_eq!(lines(&mut buffer), [text("1 2")]);
    }

    proptest! {
        #[test]
        fn chunk_sizes_make_no_difference(
            runs in prop::collection::vec(
                (prop::sample::select(&b"1 \r\n"[..]), prop::sample::select(vec![1, 2, LONGEST_LINE - 1, LONGEST_LINE])),
                0..12,
            ),
            cuts in prop::collection::vec(1..2000usize, 1..20),
        ) {
            let bytes: Vec<u8> = runs.into_iter().flat_map(|(byte, times)| vec![byte; times]).collect();
            let mut whole = LineBuffer::default();
            whole.push(&bytes);
            let mut cut = LineBuffer::default();
            let mut found = Vec::new();
            let mut rest = &bytes[..];
            for size in cuts.into_iter().cycle() {
                let (chunk, after) = rest.split_at(size.min(rest.len()));
                cut.push(chunk);
                found.extend(lines(&mut cut));
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(found, lines(&mut whole));
        }
    }

    #[test]
    fn a_line_of_maximum_length_is_accepted() {
        for end in ["\n", "\r\n"] {
            let mut buffer = LineBuffer::default();
            buffer.push(&[b'x'; LONGEST_LINE]);
            buffer.push(end.as_bytes());
            assert_eq!(lines(&mut buffer), [text(&"x".repeat(LONGEST_LINE))]);
            buffer.push(&[b'x'; LONGEST_LINE + 1]);
            buffer.push(end.as_bytes());
            buffer.push(b"1 2\n");
            assert_eq!(lines(&mut buffer), [ReceivedLine::TooLong, text("1 2")]);
        }
    }
}
