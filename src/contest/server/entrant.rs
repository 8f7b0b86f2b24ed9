//! A bot's seat in the tournament: who may take it, and whether the bot is connected or
//! late.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::connection::{Closed, Connection};
use super::line_log::LineLog;
use super::play::PlayingBot;
use super::schedule::{MOST_BOTS, Readiness};
use super::standings::Score;
use crate::protocol::tcp::{BotName, COME_AGAIN, remark};

/// After this many time-outs in a row a bot is disconnected, so that a hanging bot does
/// not cost every opponent the answer time. It may return.
pub(super) const SILENT_GAMES: u32 = 3;

/// The maximum wait for a late answer before the next game.
const LATE: Duration = Duration::from_secs(10);

/// A bot that asks to enter under a name.
pub(super) struct Claim {
    pub name: BotName,
    pub connection: Connection,
    /// Logs the lines of the bot, if there is a log.
    pub log: Option<LineLog>,
    /// Gets the decision. A refusal returns the connection.
    pub reply: oneshot::Sender<Result<(), (ClaimError, Connection)>>,
}

/// Why a bot is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ClaimError {
    #[error("the name is taken by a connected bot")]
    Taken,
    #[error("the name belongs to a bot that entered from another address")]
    OtherAddress,
    #[error("the tournament has started without a bot of that name")]
    Begun,
    #[error("the tournament is full: it has {MOST_BOTS} bots")]
    Full,
    #[error("the tournament is over, or was called off")]
    Over,
}

/// A bot in the tournament.
pub(super) struct Entrant {
    pub name: BotName,
    pub score: Score,
    /// The address that the bot entered from. It may return only from there. `None` if it
    /// is not known, in a results file without addresses.
    pub address: Option<IpAddr>,
    /// `Some` while the bot is connected and not playing.
    pub connection: Option<Connection>,
    /// Why the last connection was lost, until that is reported.
    lost: Option<Closed>,
    playing: bool,
    /// Whether the connection was lost during the current game.
    gone: Arc<AtomicBool>,
    /// After a time-out, how long its late answer is awaited, so that it is not taken for
    /// one in the next game.
    late: Option<Instant>,
    silent_games: u32,
}

/// What becomes of a bot after a game.
pub(super) enum AfterGame {
    /// Its connection ended.
    Left,
    Stays,
    /// The server disconnects it after [`SILENT_GAMES`].
    Expelled(Connection),
}

impl Entrant {
    /// Creates an entrant that is not connected, and may return only from this address.
    pub(super) fn new(name: BotName, address: Option<IpAddr>) -> Self {
        Self {
            name,
            score: Score::default(),
            address,
            connection: None,
            lost: None,
            playing: false,
            gone: Arc::default(),
            late: None,
            silent_games: 0,
        }
    }

    /// Checks whether a bot at this address may take this seat. Before the tournament has
    /// `begun`, it may from any address.
    ///
    /// # Errors
    /// If it may not take the seat.
    pub(super) fn may_take(&mut self, address: IpAddr, begun: bool) -> Result<(), ClaimError> {
        let plays = self.playing && !self.gone.load(Ordering::Relaxed);
        if plays || self.is_there() {
            Err(ClaimError::Taken)
        } else if begun && self.address.is_some_and(|entered| entered != address) {
            Err(ClaimError::OtherAddress)
        } else {
            Ok(())
        }
    }

    /// Seats the bot.
    pub(super) fn take(&mut self, connection: Connection) {
        self.address = Some(connection.address);
        self.connection = Some(connection);
        self.lost = None;
        self.silent_games = 0;
        self.late = None;
    }

    /// Whether the bot was connected or playing when last checked.
    pub(super) const fn is_connected(&self) -> bool {
        self.playing || self.connection.is_some()
    }

    /// Drops a connection that has ended or is flooded. Returns whether one is left.
    pub(super) fn is_there(&mut self) -> bool {
        match self.connection.as_mut().map(Connection::drop_unasked) {
            Some(Ok(0)) | None => {}
            Some(Ok(_)) => self.late = None,
            Some(Err(closed)) => {
                self.lost = Some(closed);
                if let Some(connection) = self.connection.take()
                    && closed == Closed::Flooding
                {
                    let line = remark(&format!("you are disconnected: {closed}; {COME_AGAIN}"));
                    tokio::spawn(async move { connection.farewell(&line).await });
                }
            }
        }
        self.connection.is_some()
    }

    /// Checks the connection. Returns why it was lost, once.
    pub(super) fn has_left(&mut self) -> Option<Closed> {
        self.is_there();
        self.lost.take()
    }

    /// Whether the bot can start a game.
    pub(super) fn readiness(&mut self) -> Readiness {
        let is_there = self.is_there();
        let is_late = self.late.is_some_and(|late| late > Instant::now());
        match (self.playing, is_there) {
            (false, false) => Readiness::Absent,
            (false, true) if !is_late => Readiness::Free,
            _ => Readiness::Busy,
        }
    }

    /// Hands the bot to a game, if it is connected.
    pub(super) fn play(&mut self) -> Option<PlayingBot> {
        let mut connection = self.connection.take()?;
        connection.drop_unfinished_line();
        self.playing = true;
        self.gone = Arc::default();
        Some(PlayingBot {
            connection,
            gone: self.gone.clone(),
            timed_out: false,
        })
    }

    /// Takes the bot back from a game with this `answer_time`.
    pub(super) fn come_back(&mut self, bot: PlayingBot, answer_time: Duration) -> AfterGame {
        self.playing = false;
        if bot.connection.closed().is_some() {
            // A new connection may have replaced the lost one.
            return AfterGame::Left;
        }
        if bot.timed_out {
            self.silent_games += 1;
            self.late = Some(Instant::now() + answer_time.min(LATE));
        } else {
            self.silent_games = 0;
        }
        if self.silent_games >= SILENT_GAMES {
            return AfterGame::Expelled(bot.connection);
        }
        self.connection = Some(bot.connection);
        AfterGame::Stays
    }
}
