//! How long a player may take for an answer.

use std::time::Duration;

/// How much longer than its limit a player is waited for.
const GRACE: Duration = Duration::from_secs(1);

/// The limit where nobody asks for a time.
const UNASKED: Duration = Duration::from_secs(30);

/// The time for an answer: what a player is told, and what it is held to.
///
/// A player is made with it, so it cannot be held to a time that nobody has
/// told it without that being written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimit {
    /// What the player is told by the environment variable `SANTORINI_TIME`;
    /// `None` leaves that variable alone.
    pub(super) told: Option<Duration>,
    /// The time an answer may take.
    pub(super) limit: Duration,
    /// How much longer is waited for an answer that has already lost, to tell
    /// a late one ([`super::Termination::TimeOut`]) from none
    /// ([`super::Termination::Stalled`]).
    pub(super) grace: Duration,
}

impl TimeLimit {
    /// The time that was asked for. If none was, the player takes as long as it
    /// finds right, up to 30 seconds.
    pub fn asked(time: Option<Duration>) -> Self {
        time.map_or(Self::untold(UNASKED), Self::told)
    }

    /// The player is told this time and held to it.
    pub const fn told(time: Duration) -> Self {
        Self {
            told: Some(time),
            ..Self::untold(time)
        }
    }

    /// The player takes as long as it finds right, up to the limit.
    pub const fn untold(limit: Duration) -> Self {
        Self {
            told: None,
            limit,
            grace: GRACE,
        }
    }

    /// The same time told, but an answer may take this much longer.
    pub fn tolerating(self, more: Duration) -> Self {
        Self {
            limit: self.limit + more,
            ..self
        }
    }
}
