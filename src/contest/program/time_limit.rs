//! The time limit for an answer.

use std::time::Duration;

/// How long to wait for an answer after the limit.
const GRACE: Duration = Duration::from_secs(1);

/// The time for an answer, as announced to a player and as enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimit {
    /// The value of the player's environment variable `SANTORINI_TIME`;
    /// `None` leaves that variable alone.
    pub(super) announced: Option<Duration>,
    /// The maximum time for an answer.
    pub(super) limit: Duration,
    /// The maximum time for the first answer of a process, if it is longer. It includes the
    /// start of the process.
    pub(super) start: Option<Duration>,
    /// The time to wait for an answer after the limit. The game is lost then; the wait
    /// distinguishes a late answer ([`super::Termination::TimeOut`]) from none
    /// ([`super::Termination::Stalled`]).
    pub(super) grace: Duration,
}

impl TimeLimit {
    /// The limit if no time is requested.
    pub const UNASKED: Duration = Duration::from_secs(30);

    /// Announces the requested time. Without one, announces nothing and allows 30
    /// seconds.
    pub fn requested(time: Option<Duration>) -> Self {
        time.map_or(Self::unannounced(Self::UNASKED), Self::announced)
    }

    /// Announces this time and enforces it.
    pub const fn announced(time: Duration) -> Self {
        Self {
            announced: Some(time),
            ..Self::unannounced(time)
        }
    }

    /// Announces nothing and enforces `limit`.
    pub const fn unannounced(limit: Duration) -> Self {
        Self {
            announced: None,
            limit,
            start: None,
            grace: GRACE,
        }
    }

    /// Announces the same time, but lets answers take `more`.
    pub fn tolerating(self, more: Duration) -> Self {
        Self {
            limit: self.limit + more,
            ..self
        }
    }

    /// Announces the same time, but lets the first answer of a process take `start`.
    pub fn starting(self, start: Option<Duration>) -> Self {
        Self { start, ..self }
    }

    /// The maximum time for an answer. The first answer of a process may have more.
    pub(super) fn limit_for(self, is_first: bool) -> Duration {
        let start = self.start.filter(|_| is_first);
        start.unwrap_or_default().max(self.limit)
    }
}
