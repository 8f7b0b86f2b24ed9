//! One bot's TCP connection: lines in, lines out, both bounded, and nothing
//! that is sent ever waits.
//!
//! The server holds at most [`LONGEST_LINE`] and one chunk of what a bot
//! sent, and [`MOST_UNSENT`] of what it has not yet taken: less than 64 KiB
//! in all, the system's own buffers included. A bot that sends faster than
//! it is asked is slowed down by TCP; one that does not read is cut off.

use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};
use tokio::io::Interest;
use tokio::net::TcpStream;

/// The longest line that is kept, its end not counted. No answer or name
/// comes near it.
pub const LONGEST_LINE: usize = 1024;

/// How much is read at a time.
const CHUNK: usize = 4096;

/// How much may wait for a bot to read it: some fifty states, on top of what
/// the system's buffers take.
const MOST_UNSENT: usize = 16 * 1024;

/// The size asked for the system's buffers of a connection, each way. (Linux
/// sets aside twice as much, for its own book-keeping.)
pub const SYSTEM_BUFFER: u32 = 8 * 1024;

/// How much a bot may have sent between its games, at most.
const MOST_UNASKED: usize = 64 * 1024;

/// How long a leaving connection may take to read its last line.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long a bot may take to read of all games that it won because others were
/// away.
const TELLING: Duration = Duration::from_secs(10);

/// One line that came in.
#[derive(Debug, PartialEq, Eq)]
pub enum ReceivedLine {
    /// The line without its `\n` or `\r\n`.
    Text(Vec<u8>),
    /// A line longer than [`LONGEST_LINE`]; reported once, when that many
    /// bytes have come.
    TooLong,
}

/// A line and when the bytes that complete it were read.
#[derive(Debug)]
pub struct Received {
    pub line: ReceivedLine,
    pub arrived: Instant,
}

/// Why a connection has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Closed {
    #[error("the connection ended")]
    Ended,
    #[error("what was sent to it was not read")]
    NotReading,
    #[error("it sent more than {MOST_UNASKED} bytes that nobody asked for")]
    Flooding,
}

/// Takes bytes in, gives lines out.
#[derive(Debug, Default)]
struct LineBuffer {
    bytes: Vec<u8>,
    /// The rest of a line that was too long is on its way.
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
        // The longest line may still have the second half of its end to come.
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
pub struct Connection {
    stream: TcpStream,
    address: IpAddr,
    input: LineBuffer,
    /// When the last bytes were read.
    arrived: Instant,
    /// What could not be sent yet.
    unsent: Vec<u8>,
    closed: Option<Closed>,
}

impl Connection {
    /// The connection of an accepted stream.
    ///
    /// # Errors
    /// If the system refuses to set the socket's options.
    pub fn new(stream: TcpStream, address: IpAddr) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        // A machine that vanished without a word is noticed after a while.
        let keepalive = TcpKeepalive::new()
            .with_time(Duration::from_secs(15))
            .with_interval(Duration::from_secs(5))
            .with_retries(3);
        SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
        Ok(Self {
            stream,
            address,
            input: LineBuffer::default(),
            arrived: Instant::now(),
            unsent: Vec::new(),
            closed: None,
        })
    }

    /// The address of the machine at the other end.
    pub const fn address(&self) -> IpAddr {
        self.address
    }

    /// Why the connection has ended, if that is known already.
    pub const fn closed(&self) -> Option<Closed> {
        self.closed
    }

    /// Sends at once what the connection takes, and the rest while lines are
    /// awaited. Never waits. A connection that has too much unsent is closed,
    /// which [`Self::receive`] reports.
    ///
    /// A bot that sends no more may still read, so it is sent what there is
    /// to say to it.
    pub fn send(&mut self, line: &str) {
        let mut bytes = line.as_bytes();
        if self.unsent.is_empty() && matches!(self.closed, None | Some(Closed::Ended)) {
            match self.stream.try_write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if is_temporary(&error) => {}
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

    /// Sends one text after the other, each when the bot has taken the last. One
    /// that does not take them all in good time is cut off, which
    /// [`Self::receive`] reports.
    pub async fn tell(&mut self, texts: impl Iterator<Item = String>) {
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
        let told = tokio::time::timeout(TELLING, all).await;
        if told.is_err() && self.closed.is_none() {
            self.closed = Some(Closed::NotReading);
        }
    }

    /// Waits for the next line and sends meanwhile what is unsent. Safe to
    /// cancel: nothing is lost.
    ///
    /// # Errors
    /// If the connection has ended.
    pub async fn receive(&mut self) -> Result<Received, Closed> {
        loop {
            // What a bot sent before it left still counts.
            if matches!(self.closed, None | Some(Closed::Ended))
                && let Some(line) = self.input.next()
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
            self.read_chunk();
        }
    }

    /// Drops the lines that were sent while nobody asked, without waiting,
    /// and gives their number. Notices whether the connection still stands.
    ///
    /// # Errors
    /// If the connection has ended, or has sent far too much.
    pub fn drop_unasked(&mut self) -> Result<usize, Closed> {
        self.send_unsent();
        let mut lines = std::iter::from_fn(|| self.input.next()).count();
        let mut bytes = 0;
        while let Some(read) = self.read_chunk() {
            lines += std::iter::from_fn(|| self.input.next()).count();
            bytes += read;
            if bytes > MOST_UNASKED {
                self.closed = Some(Closed::Flooding);
            }
        }
        self.closed.map_or(Ok(lines), Err)
    }

    /// Sends a last line, waits a short while until the bot has read it, and
    /// closes.
    pub async fn farewell(mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        // Whatever goes wrong now, the connection is closed.
        let _ = tokio::time::timeout(FAREWELL, self.say_last()).await;
    }

    async fn say_last(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() && self.closed.is_none() {
            self.stream.writable().await?;
            self.send_unsent();
        }
        SockRef::from(&self.stream).shutdown(std::net::Shutdown::Write)?;
        // Closing while the bot is still sending would break the connection
        // and could take the last line from it.
        while self.closed.is_none() {
            self.stream.readable().await?;
            self.read_chunk();
            while self.input.next().is_some() {}
        }
        Ok(())
    }

    fn send_unsent(&mut self) {
        if self.unsent.is_empty() || self.closed.is_some() {
            return;
        }
        match self.stream.try_write(&self.unsent) {
            Ok(sent) => drop(self.unsent.drain(..sent)),
            Err(error) if is_temporary(&error) => {}
            Err(_) => self.closed = Some(Closed::Ended),
        }
    }

    /// Reads once, if there is anything to read: the number of bytes.
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
            Err(error) if is_temporary(&error) => {}
            Err(_) => self.closed = Some(Closed::Ended),
        }
        None
    }
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
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
    fn lines_come_out_however_they_came_in() {
        let mut buffer = LineBuffer::default();
        for byte in b"1 2\r\n\n3" {
            buffer.push(&[*byte]);
        }
        assert_eq!(lines(&mut buffer), [text("1 2"), text("")]);
        buffer.push(b" 4\n5 6\n7");
        assert_eq!(lines(&mut buffer), [text("3 4"), text("5 6")]);
    }

    #[test]
    fn a_long_line_is_reported_once_and_never_kept() {
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
        fn how_bytes_are_cut_up_makes_no_difference(
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
    fn the_longest_line_is_a_line() {
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
