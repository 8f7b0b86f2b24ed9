//! How games end: one list for the referee, the server and everybody who
//! counts endings.

use std::fmt;

/// How a game ended. All but [`Ending::Win`] and [`Ending::Interrupted`] are
/// the loss of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// A legal turn that wins.
    Win,
    /// The loser was to move and had no legal turn.
    NoTurnLeft,
    /// JSON that is no legal placement and no board after a legal turn.
    IllegalBoard,
    /// Something else than one JSON value.
    NotJson,
    /// The loser did not answer in time.
    TimeOut,
    /// The loser sent nothing in the time allowed and the grace after it.
    Stalled,
    /// The loser's program ended instead of answering.
    Crashed,
    /// The loser's program closed its output and went on running.
    ClosedOutput,
    /// The loser's program could not be started.
    CouldNotStart,
    /// The loser's answers to the game server were illegal too often.
    IllegalAnswers,
    /// The loser's connection to the game server ended.
    Disconnected,
    /// The loser did not read what the game server sent.
    NotReading,
    /// The loser was not there when the game was to begin.
    Absent,
    /// The referee or the server was told to stop: nobody has won.
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

    /// The ending with the given name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// Whether the game was lost by a fault of the loser rather than on the
    /// board.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::Win | Self::NoTurnLeft | Self::Interrupted)
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
    fn every_name_is_found_again_in_the_order_of_tables() {
        for ending in Ending::ALL {
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
        }
        assert!(Ending::ALL.is_sorted());
        assert_eq!(Ending::from_name("victory"), None);
    }
}
