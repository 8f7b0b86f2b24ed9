//! The endings of games: one list for the referee, the server and the statistics.

use std::fmt;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The winner made a winning turn.
    Win,
    /// The loser was to move and had no legal turn.
    NoTurnLeft,
    /// The loser answered with JSON that is not a legal placement or not the board after a
    /// legal turn.
    IllegalBoard,
    /// The loser's answer was not one JSON value.
    NotJson,
    /// The loser did not answer in time.
    TimeOut,
    /// The loser sent nothing in the time allowed and the grace after it.
    Stalled,
    /// The loser's program ended instead of answering.
    Crashed,
    /// The loser's program closed its output but kept running.
    ClosedOutput,
    /// The loser's program could not be started.
    CouldNotStart,
    /// The loser's answers to the game server were illegal too often.
    IllegalAnswers,
    /// The loser's connection to the game server ended.
    Disconnected,
    /// The loser did not read what the game server sent.
    NotReading,
    /// The loser was not connected when the game was due to begin.
    Absent,
    /// The referee or the server was stopped; there is no winner.
    Interrupted,
}

impl Ending {
    /// Every ending, in the order in which tables show them.
    pub const ALL: [Self; 14] = [
        Self::Win,
        Self::NoTurnLeft,
        Self::IllegalBoard,
        Self::NotJson,
        Self::TimeOut,
        Self::Stalled,
        Self::Crashed,
        Self::ClosedOutput,
        Self::CouldNotStart,
        Self::IllegalAnswers,
        Self::Disconnected,
        Self::NotReading,
        Self::Absent,
        Self::Interrupted,
    ];

    /// The ending's name in records and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::NoTurnLeft => "no-turn-left",
            Self::IllegalBoard => "illegal-board",
            Self::NotJson => "not-json",
            Self::TimeOut => "time-out",
            Self::Stalled => "stalled",
            Self::Crashed => "crashed",
            Self::ClosedOutput => "closed-output",
            Self::CouldNotStart => "could-not-start",
            Self::IllegalAnswers => "illegal-answers",
            Self::Disconnected => "disconnected",
            Self::NotReading => "not-reading",
            Self::Absent => "absent",
            Self::Interrupted => "interrupted",
        }
    }

    /// The ending with the given name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// Whether the loser lost by a fault rather than on the board.
    pub const fn is_fault(self) -> bool {
        self.is_off_board() && !matches!(self, Self::Interrupted)
    }

    /// Whether the game ended otherwise than on the board.
    pub const fn is_off_board(self) -> bool {
        !matches!(self, Self::Win | Self::NoTurnLeft)
    }

    /// Whether a game with this ending may have no winner: it was interrupted, or both players
    /// have lost it.
    pub const fn may_lack_winner(self) -> bool {
        matches!(
            self,
            Self::TimeOut
                | Self::CouldNotStart
                | Self::IllegalAnswers
                | Self::Disconnected
                | Self::NotReading
                | Self::Absent
                | Self::Interrupted
        )
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Ending;

    #[test]
    fn names_read_back_and_endings_are_sorted() {
        for ending in Ending::ALL {
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
        }
        assert!(Ending::ALL.is_sorted());
        assert_eq!(Ending::from_name("victory"), None);
    }
}
