//! How games end.

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A worker stepped up to level 3.
    Win,
    /// The loser was to move and had no legal move.
    NoTurnLeft,
    /// The loser did not answer in time.
    TimeOut,
    /// The loser's answers were illegal too often.
    IllegalAnswers,
    /// The loser's connection ended.
    Disconnected,
    /// The loser did not read what it was sent.
    NotReading,
    /// The loser was not there when the game was to begin.
    Absent,
    /// The server was told to stop.
    Interrupted,
}

impl Ending {
    const ALL: [Self; 8] = [
        Self::Win,
        Self::NoTurnLeft,
        Self::TimeOut,
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
            Self::TimeOut => "time-out",
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

    /// Whether the game was given away rather than lost on the board.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, Self::Win | Self::NoTurnLeft | Self::Interrupted)
    }
}

/// Who won, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// 0 or 1, the player's place in the game; `None` is a draw.
    pub winner: Option<usize>,
    pub ending: Ending,
}

#[cfg(test)]
mod tests {
    use super::Ending;

    #[test]
    fn every_name_is_found_again() {
        for ending in Ending::ALL {
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
        }
        assert_eq!(Ending::from_name("victory"), None);
    }
}
