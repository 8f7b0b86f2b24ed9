//! A bot's side of the connection: sends its name, answers states, reconnects after
//! losing the connection, and ends with the final table.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::message::{MessageError, SeenState, ServerMessage};
use super::strategy::Strategy;
use crate::address::resolve;
use crate::keep_alive::keep_alive;
use crate::protocol::tcp::{COME_AGAIN, FINAL_TABLE, Status, TRY_LATER};

/// The maximum length of a line of the server: ten times the final table of a full
/// tournament.
const LONGEST_LINE: u64 = 1 << 20;

/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(500);

/// The same if the server has too many connections.
const LONG_PAUSE: Duration = Duration::from_secs(2);

/// Why a bot gave up.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// The server could not be reached.
    #[error("cannot connect to {address}: {cause}")]
    Connect {
        /// The host and port as given.
        address: String,
        /// The system's error.
        cause: io::Error,
    },
    /// The connection broke and could not be restored in time.
    #[error("the connection was lost: {0}")]
    Lost(io::Error),
    /// The server refused the bot or ended early; its last remark.
    #[error("the server says: {0}")]
    Refused(String),
    /// The server has too many connections; its remark.
    #[error("the server says: {0}")]
    Busy(String),
    /// The server sent a line that breaks the protocol.
    #[error(transparent)]
    ServerMessage(#[from] MessageError),
    /// The state has no legal answer, so it breaks the rules.
    #[error("a state asks for an answer, but no answer is possible")]
    NoAnswer,
}

/// A bot that plays a tournament.
pub struct Client {
    /// The server's host and port.
    pub address: String,
    /// The name to enter with.
    pub name: String,
    /// How it chooses its answers.
    pub strategy: Strategy,
    /// How long it tries to reconnect after losing the connection.
    pub reconnect_time: Duration,
}

impl Client {
    /// Plays until the tournament is over, and returns the final table. `report` gets the
    /// server's remarks and messages about the connection. A remark that is the reason for
    /// the end of the connection is part of the message or error about that.
    ///
    /// # Errors
    /// If the connection fails, the server refuses this bot, or it sends an invalid
    /// message.
    pub fn run(&mut self, mut report: impl FnMut(&str)) -> Result<String, BotError> {
        let mut stream = self.connect()?;
        // When the connection was first lost since the bot last saw a game.
        let mut away_since: Option<Instant> = None;
        loop {
            let mut has_played = false;
            let error = match self.play(stream, &mut report, &mut has_played) {
                Ok(table) => return Ok(table),
                Err(error) => error,
            };
            let left = match away_since {
                Some(left) if !has_played => left,
                _ => Instant::now(),
            };
            let may_reconnect = match &error {
                BotError::Lost(_) | BotError::Busy(_) => true,
                // The server has not noticed yet that the old connection was lost.
                BotError::Refused(_) => away_since.is_some() && !has_played,
                _ => false,
            };
            let is_over = away_since == Some(left) && left.elapsed() > self.reconnect_time;
            if !may_reconnect || is_over {
                return Err(error);
            }
            away_since = Some(left);
            report(&format!("{error}; reconnecting"));
            let pause = match error {
                BotError::Busy(_) => LONG_PAUSE,
                _ => PAUSE,
            };
            stream = self.reconnect(left, pause)?;
        }
    }

    fn connect(&self) -> Result<TcpStream, BotError> {
        let connected = connect(&self.address);
        connected.map_err(|cause| BotError::Connect {
            address: self.address.clone(),
            cause,
        })
    }

    /// Reconnects; tries at least once, after each pause.
    fn reconnect(&self, away_since: Instant, pause: Duration) -> Result<TcpStream, BotError> {
        loop {
            sleep(pause);
            match self.connect() {
                Err(_) if away_since.elapsed() < self.reconnect_time => {}
                connected => return connected,
            }
        }
    }

    /// Plays until the connection ends. Sets `has_played` once a game was seen.
    fn play(
        &mut self,
        stream: TcpStream,
        report: &mut impl FnMut(&str),
        has_played: &mut bool,
    ) -> Result<String, BotError> {
        send(&stream, &self.name)?;
        let mut lines = BufReader::new(&stream);
        // Reported when another line follows. A last one says why the connection ended.
        let mut last_remark: Option<String> = None;
        loop {
            let line = read_line(&mut lines).map_err(|cause| ended(last_remark.take(), cause))?;
            if let Some(remark) = last_remark.take() {
                report(&remark);
            }
            match ServerMessage::read(&line, &self.name)? {
                ServerMessage::Remark(table) if table.starts_with(FINAL_TABLE) => return Ok(table),
                ServerMessage::Remark(remark) => last_remark = Some(remark),
                ServerMessage::State(seen) => {
                    *has_played = true;
                    self.answer(&stream, &seen)?;
                }
            }
        }
    }

    fn answer(&mut self, stream: &TcpStream, seen: &SeenState) -> Result<(), BotError> {
        if !seen.named || seen.status == Status::GameOver {
            return Ok(());
        }
        let answer = self.strategy.answer(seen)?.ok_or(BotError::NoAnswer)?;
        send(stream, &answer.to_string())
    }
}

/// Why a connection ended: the server's last remark or, without one, the system's error.
fn ended(last_remark: Option<String>, cause: io::Error) -> BotError {
    match last_remark {
        None => BotError::Lost(cause),
        Some(remark) if remark.ends_with(COME_AGAIN) => BotError::Lost(io::Error::other(remark)),
        Some(remark) if remark.ends_with(TRY_LATER) => BotError::Busy(remark),
        Some(remark) => BotError::Refused(remark),
    }
}

/// Connects to the first address that answers.
fn connect(address: &str) -> io::Result<TcpStream> {
    let mut first_error = None;
    for address in resolve(address)? {
        match TcpStream::connect_timeout(&address, Duration::from_secs(10)) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                keep_alive((&stream).into())?;
                return Ok(stream);
            }
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    Err(first_error.unwrap_or_else(|| io::Error::other("the name has no address")))
}

fn send(mut stream: &TcpStream, line: &str) -> Result<(), BotError> {
    let line = format!("{line}\n");
    stream.write_all(line.as_bytes()).map_err(BotError::Lost)
}

/// Reads a complete line.
///
/// # Errors
/// Also at the end of the connection.
fn read_line(lines: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    lines.take(LONGEST_LINE).read_line(&mut line)?;
    match line.ends_with('\n') {
        true => Ok(line),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread::spawn;

    use super::*;
    use crate::protocol::tcp::remark;

    #[test]
    fn a_bot_reconnects_when_asked_to() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = spawn(move || {
            for last in [
                format!("too many; {TRY_LATER}"),
                format!("you are slow; {COME_AGAIN}"),
                format!("{FINAL_TABLE}1. me"),
            ] {
                let (stream, _) = listener.accept().unwrap();
                let mut lines = BufReader::new(&stream);
                assert_eq!(read_line(&mut lines).unwrap(), "me\n");
                (&stream).write_all(remark(&last).as_bytes()).unwrap();
            }
        });
        let mut client = Client {
            address,
            name: "me".into(),
            strategy: Strategy::random(None),
            reconnect_time: Duration::from_secs(5),
        };
        let mut heard = Vec::new();
        let table = client.run(|text| heard.push(text.to_string())).unwrap();
        assert_eq!(table, "final table: 1. me");
        assert_eq!(
            heard,
            [
                "the server says: too many; try again in a minute; reconnecting",
                "the connection was lost: you are slow; connect again to go on; reconnecting",
            ]
        );
        server.join().unwrap();
    }

    #[test]
    fn a_vanished_server_is_noticed_by_keepalive() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = connect(&listener.local_addr().unwrap().to_string()).unwrap();
        assert!(socket2::SockRef::from(&stream).keepalive().unwrap());
    }

    #[test]
    fn reconnecting_ends_after_its_time() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        spawn(move || listener.incoming().for_each(drop));
        let mut client = Client {
            address,
            name: "me".into(),
            strategy: Strategy::random(None),
            reconnect_time: Duration::from_millis(700),
        };
        let begun = Instant::now();
        let error = client.run(|_| ()).unwrap_err();
        assert!(matches!(error, BotError::Lost(_)), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
