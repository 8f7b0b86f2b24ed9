//! Accepts connections, reads names and asks for seats.
//!
//! A new connection is not trusted, so everything is limited here: connections without a
//! seat, which addresses share fairly, how fast one address may connect, and the time to
//! send a name.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use super::connection::{Connection, Received, ReceivedLine, SYSTEM_BUFFER};
use super::entrant::{Claim, ClaimError};
use super::line_log::LineLog;
use crate::http::port::{ACCEPT_PAUSE, accept};
use crate::http::slots::{ConnectionSlots, Slot, network};
use crate::protocol::tcp::{BotName, NameError, TRY_LATER, remark};

/// The time for a connection to send its name.
const NAME_TIME: Duration = Duration::from_secs(10);

/// How long a returning bot waits until its old connection is noticed to be lost.
const RETURN_PATIENCE: Duration = Duration::from_secs(2);

/// The maximum connections without a name, in all and from one network.
const MOST_NAMELESS: usize = 300;
const MOST_NAMELESS_OF_ONE: usize = 250;

/// The connections that one address may make at once, and then per second. Each
/// connection may try one name.
const BURST: f64 = 250.0;
const PER_SECOND: f64 = 25.0;

/// The maximum number of networks remembered. Networks with a full allowance are forgotten;
/// if there are none, new ones are refused.
const MOST_NETWORKS: usize = 4096;

/// The answer to an HTTP request, which a browser shows.
const NOT_A_PAGE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\n\
    connection: close\r\n\r\n\
    This port is for bots. To watch the tournament, open the address that the server printed \
    after \"watch at\"; it has one if it was started with --watch.\n";

/// Listens for bots.
///
/// # Errors
/// If the address cannot be listened on.
pub(super) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit the sizes of their buffers.
    socket.set_send_buffer_size(SYSTEM_BUFFER)?;
    socket.set_recv_buffer_size(SYSTEM_BUFFER)?;
    socket.bind(address)?;
    socket.listen(1024)
}

/// Accepts bots as long as the tournament takes claims. All lines are logged, if there is a
/// log: under the address of a bot until it has a seat.
pub(super) async fn admit(
    listener: TcpListener,
    claims: mpsc::Sender<Claim>,
    log: Option<LineLog>,
) {
    let mut limits = ConnectionLimits::default();
    while !claims.is_closed() {
        let (stream, peer) = accept(&listener).await;
        // A socket for both families shows IPv4 addresses as IPv6.
        let address = peer.ip().to_canonical();
        match limits.pass(address, Instant::now()) {
            Err(why) => {
                let line = remark(&why.to_string());
                log.iter().for_each(|log| log.of(address).sent(&line));
                turn_away(&stream, &line);
            }
            Ok(place) => {
                if let Ok(connection) = Connection::new(stream, address) {
                    tokio::spawn(greet(connection, claims.clone(), log.clone(), place));
                }
            }
        }
    }
}

/// Sends the reason and drops the connection, without waiting.
fn turn_away(stream: &TcpStream, line: &str) {
    // If this fails, the closed connection must do.
    let _ = stream.try_write(line.as_bytes());
}

/// Reads the name and asks for a seat. A refusal is sent to the bot. Holds the place until the
/// bot is seated or has been refused; if another connection gets it, this one ends.
async fn greet(
    mut connection: Connection,
    claims: mpsc::Sender<Claim>,
    log: Option<LineLog>,
    mut place: Slot,
) {
    let mut is_lost = false;
    let received = tokio::select! {
        biased;
        received = connection.receive() => match received {
            Ok(Received { line, .. }) => Ok(line),
            Err(_) if connection.has_unfinished_line() => {
                let why = "your name has no \\n at its end; send it as a line, and stay connected";
                Err(why.to_string())
            }
            Err(_) => return,
        },
        () = sleep(NAME_TIME) => {
            let seconds = NAME_TIME.as_secs();
            Err(format!("no name within {seconds} seconds; send it as a line, and flush it"))
        }
        () = place.lost() => {
            is_lost = true;
            Err(TooMany::Nameless.to_string())
        }
    };
    let decide = async {
        match received {
            Ok(line) => enter(connection, line, claims, log).await,
            Err(why) => refuse(connection, log, None, &remark(&why)).await,
        }
    };
    tokio::select! {
        () = decide => {}
        () = place.lost(), if !is_lost => {}
    }
}

/// Asks for a seat under the name in a line. A refusal is sent to the bot.
async fn enter(
    connection: Connection,
    line: ReceivedLine,
    claims: mpsc::Sender<Claim>,
    log: Option<LineLog>,
) {
    let name = match &line {
        ReceivedLine::TooLong => Err(NameError::TooLong),
        ReceivedLine::Text(text) => BotName::parse(text),
    };
    let (connection, answer) = match name {
        Err(NameError::Http) => (connection, NOT_A_PAGE.to_string()),
        Err(why) => (connection, remark(&why.to_string())),
        Ok(name) => match claim_seat(name, connection, &claims, log.as_ref()).await {
            None => return,
            Some((why, connection)) => (connection, remark(&why.to_string())),
        },
    };
    refuse(connection, log, Some(&line), &answer).await;
}

/// Sends the reason and closes the connection. Its first line and the answer are logged
/// under its address, since a connected bot may have the same name.
async fn refuse(
    mut connection: Connection,
    log: Option<LineLog>,
    first: Option<&ReceivedLine>,
    answer: &str,
) {
    if let Some(log) = log {
        connection.log_to(log.of(connection.address), first);
    }
    connection.farewell(answer).await;
}

/// Asks for a seat. Returns the connection with the reason if refused.
async fn claim_seat(
    name: BotName,
    mut connection: Connection,
    claims: &mpsc::Sender<Claim>,
    log: Option<&LineLog>,
) -> Option<(ClaimError, Connection)> {
    let asked = Instant::now();
    loop {
        let (reply, answer) = oneshot::channel();
        let claim = Claim {
            name: name.clone(),
            connection,
            log: log.cloned(),
            reply,
        };
        if let Err(over) = claims.send(claim).await {
            return Some((ClaimError::Over, over.0.connection));
        }
        let (why, back) = answer.await.ok()?.err()?;
        if why != ClaimError::Taken || asked.elapsed() > RETURN_PATIENCE {
            return Some((why, back));
        }
        connection = back;
        sleep(ACCEPT_PAUSE).await;
    }
}

/// Why a connection is refused before its name is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum TooMany {
    #[error("too many connections from your network; {TRY_LATER}")]
    Fast,
    #[error("too many connections; {TRY_LATER}")]
    Networks,
    #[error("too many connections without a name, most of them from your network; {TRY_LATER}")]
    Nameless,
}

/// Limits connections.
struct ConnectionLimits {
    visits: HashMap<IpAddr, Visits>,
    nameless: ConnectionSlots,
}

/// The recent connections of a network.
#[derive(Debug)]
struct Visits {
    /// The connections still allowed at the time `counted`.
    left: f64,
    counted: Instant,
}

impl Visits {
    fn refill(&mut self, now: Instant) {
        let time = now.saturating_duration_since(self.counted).as_secs_f64();
        self.left = (self.left + time * PER_SECOND).min(BURST);
        self.counted = now;
    }
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            visits: HashMap::new(),
            nameless: ConnectionSlots::new(MOST_NAMELESS, MOST_NAMELESS_OF_ONE),
        }
    }
}

impl ConnectionLimits {
    /// Admits a connection, or returns why not. The slot is held until it has a seat.
    fn pass(&mut self, address: IpAddr, now: Instant) -> Result<Slot, TooMany> {
        let network = network(address);
        if self.visits.len() >= MOST_NETWORKS {
            self.visits.retain(|_, visits| {
                visits.refill(now);
                visits.left < BURST
            });
        }
        if self.visits.len() >= MOST_NETWORKS && !self.visits.contains_key(&network) {
            return Err(TooMany::Networks);
        }
        let visits = self.visits.entry(network).or_insert(Visits {
            left: BURST,
            counted: now,
        });
        visits.refill(now);
        if visits.left < 1.0 {
            return Err(TooMany::Fast);
        }
        visits.left -= 1.0;
        self.nameless.take(address).ok_or(TooMany::Nameless)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_network_may_connect_at_a_limited_rate() {
        let mut limits = ConnectionLimits::default();
        let start = Instant::now();
        let here = address("10.0.0.1");
        for _ in 0..BURST as usize {
            assert!(limits.pass(here, start).is_ok());
        }
        assert_eq!(limits.pass(here, start).unwrap_err(), TooMany::Fast);
        assert!(limits.pass(address("10.0.0.2"), start).is_ok());
        let later = start + Duration::from_secs(1);
        for _ in 0..PER_SECOND as usize {
            assert!(limits.pass(here, later).is_ok());
        }
        assert_eq!(limits.pass(here, later).unwrap_err(), TooMany::Fast);
    }

    #[test]
    fn nameless_connections_are_limited_per_network() {
        let mut limits = ConnectionLimits::default();
        let now = Instant::now();
        let mut pass = |last: usize| limits.pass(address(&format!("10.0.0.{last}")), now);
        let all: Result<Vec<Slot>, TooMany> = (0..MOST_NAMELESS).map(|i| pass(i % 3)).collect();
        let mut all = all.unwrap();
        assert_eq!(pass(0).unwrap_err(), TooMany::Nameless);
        let newcomer = pass(9).unwrap();
        drop(newcomer);
        all.pop();
        assert!(pass(0).is_ok());
    }

    #[test]
    fn quiet_networks_are_forgotten() {
        let mut limits = ConnectionLimits::default();
        let start = Instant::now();
        for i in 0..2 * MOST_NETWORKS as u32 {
            let now = start + Duration::from_millis(u64::from(i));
            let here = IpAddr::V4(i.into());
            assert!(limits.pass(here, now).is_ok(), "{i}");
        }
        assert!(limits.visits.len() <= MOST_NETWORKS);
    }
}
