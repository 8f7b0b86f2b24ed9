//! A bot in the tournament: who may enter as it, whether it is connected or
//! late.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::connection::Connection;
use super::play::PlayingBot;
use super::standings::Score;
use super::tournament::MOST_BOTS;
use crate::protocol::tcp::{BotName, COME_AGAIN};

/// A bot that ran out of time in this many games in a row is disconnected, so that
/// one that hangs does not cost every opponent the answer time. It may return.
const SILENT_GAMES: u32 = 3;

/// How long a late answer is awaited before the next game, at most.
const LATE: Duration = Duration::from_secs(10);

/// A bot that asks to be let in under a name.
pub struct Claim {
    pub name: BotName,
    pub connection: Connection,
    /// Told whether it was; if not, the connection is given back.
    pub reply: oneshot::Sender<Result<(), (ClaimError, Connection)>>,
}

/// Why a bot is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    #[error("the name is taken by a bot that is connected")]
    Taken,
    #[error("the name belongs to a bot that entered from another address")]
    OtherAddress,
    #[error("the tournament has begun, and no bot of that name takes part")]
    Begun,
    #[error("the tournament is full: {MOST_BOTS} bots take part")]
    Full,
}

/// A bot in the tournament.
pub struct Entrant {
    pub name: BotName,
    pub score: Score,
    /// Where the bot entered from; only from there it may come back.
    address: Option<IpAddr>,
    /// There while the bot is connected and not playing.
    connection: Option<Connection>,
    playing: bool,
    /// Whether the connection of the game being played is lost.
    gone: Arc<AtomicBool>,
    /// The bot ran out of time: until then its late answer is awaited, lest
    /// it be taken for one in the next game.
    late: Option<Instant>,
    silent_games: u32,
}

/// How a bot comes back from a game.
pub enum Back {
    /// Its connection ended.
    Left,
    Stays,
    /// It is disconnected, with a remark to send.
    ShownOut(Connection, String),
}

impl Entrant {
    /// An entrant that is not connected.
    pub fn new(name: BotName) -> Self {
        Self {
            name,
            score: Score::default(),
            address: None,
            connection: None,
            playing: false,
            gone: Arc::default(),
            late: None,
            silent_games: 0,
        }
    }

    /// Whether a bot connected from this address may come back as this entrant;
    /// before the tournament has `begun`, from any address.
    ///
    /// # Errors
    /// If it may not.
    pub fn may_take(&mut self, address: IpAddr, begun: bool) -> Result<(), ClaimError> {
        let plays = self.playing && !self.gone.load(Ordering::Relaxed);
        if plays || self.is_there() {
            Err(ClaimError::Taken)
        } else if begun && self.address.is_some_and(|entered| entered != address) {
            Err(ClaimError::OtherAddress)
        } else {
            Ok(())
        }
    }

    /// Takes the bot's connection.
    pub fn take(&mut self, connection: Connection) {
        self.address = Some(connection.address());
        self.connection = Some(connection);
        self.silent_games = 0;
        self.late = None;
    }

    /// Whether the bot is connected or plays, as last seen.
    pub const fn is_connected(&self) -> bool {
        self.playing || self.connection.is_some()
    }

    /// Drops a connection that has ended; true if one is left.
    pub fn is_there(&mut self) -> bool {
        match self.connection.as_mut().map(Connection::drop_unasked) {
            Some(Ok(0)) | None => {}
            Some(Ok(_)) => self.late = None,
            Some(Err(_)) => self.connection = None,
        }
        self.connection.is_some()
    }

    /// Notices a lost connection: true if it was there until now.
    pub fn has_left(&mut self) -> bool {
        self.connection.is_some() && !self.is_there()
    }

    /// Whether a game with this bot can begin.
    pub fn is_free(&mut self) -> bool {
        self.is_there() && !self.playing && self.late.is_none_or(|late| late <= Instant::now())
    }

    /// Gives the bot to a game, if it is connected.
    pub fn play(&mut self) -> Option<PlayingBot> {
        let connection = self.connection.take()?;
        self.playing = true;
        self.gone = Arc::default();
        Some(PlayingBot {
            name: self.name.clone(),
            connection,
            gone: self.gone.clone(),
            timed_out: false,
        })
    }

    /// The bot comes back from a game whose answers had to come within
    /// `answer_time`.
    pub fn come_back(&mut self, bot: PlayingBot, answer_time: Duration) -> Back {
        let PlayingBot {
            connection,
            timed_out,
            ..
        } = bot;
        self.playing = false;
        if connection.closed().is_some() {
            // A new connection may have taken the place of the lost one.
            return Back::Left;
        }
        if timed_out {
            self.silent_games += 1;
            self.late = Some(Instant::now() + answer_time.min(LATE));
        } else {
            self.silent_games = 0;
        }
        if self.silent_games >= SILENT_GAMES {
            let games = format!("{SILENT_GAMES} games in a row");
            let why = format!("you ran out of time in {games}; {COME_AGAIN}");
            return Back::ShownOut(connection, why);
        }
        self.connection = Some(connection);
        Back::Stays
    }

    /// The connection of a bot that is not playing, to be told something.
    pub fn lend_connection(&mut self) -> Option<Connection> {
        self.connection.take()
    }

    /// The connection comes back.
    pub fn give_back(&mut self, connection: Connection) {
        self.connection = Some(connection);
    }
}
