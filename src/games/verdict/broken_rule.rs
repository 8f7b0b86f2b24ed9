//! The rules that a board can break, with messages for authors of players.

use std::fmt;

use crate::protocol::exchange::ExchangeError;
use crate::rules::{Card, Cards, Space};

/// Why no legal turn leads from one board to another.
///
/// A worker is named by its space before the turn. Spaces are named in both notations: `d3
/// (3,4)` is column d of row 3.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenRule {
    // ---- invalid positions ----
    #[error("{0}")]
    NoBoard(ExchangeError),
    #[error("a worker was moved onto {0}, whose tower is capped (level 4)")]
    OntoCap(Space),
    #[error("a dome was built on {0}, where a worker stands")]
    DomeUnder(Space),
    #[error("two workers stand on {0}; a space holds one worker at most")]
    SharedSpace(Space),
    #[error("a worker was moved onto {0}, where the opponent's worker stands")]
    OntoOpponent(Space),
    #[error(
        "a worker was moved onto {0}, where the opponent's worker still stands; \
         Apollo's worker must change places with it"
    )]
    NotExchanged(Space),
    #[error(
        "a worker was moved onto {0}, where the opponent's worker still stands; \
         Minotaur's worker must push it on"
    )]
    NotPushed(Space),

    // ---- whose turn it is ----
    #[error("the game was over before this turn: a worker stands on level 3{}", at(.0))]
    GameWon(Option<Space>),
    #[error("the game was over before this turn: the player to move has no legal turn")]
    NoTurnLeft,
    #[error("no turn was made: no worker has moved and nothing was built")]
    NothingDone,
    #[error(
        "the players are not swapped: in \"players\", the player to move next comes first, \
         and the one that has just moved second"
    )]
    NotSwapped,
    #[error("the players must keep their cards and be swapped: {}", cards(.expected))]
    OtherCards { expected: Cards },
    #[error("\"turn\" must be {expected}, one more than before, and not {found}")]
    TurnNumber { expected: u32, found: u32 },

    // ---- which worker moves ----
    #[error("no worker has moved; a turn must move one{0}")]
    NobodyMoved(Hint),
    #[error("both workers have moved, from {} to {}; a turn moves one", both(.from), both(.to))]
    BothMoved { from: [Space; 2], to: [Space; 2] },
    #[error("the opponent's worker on {from} was moved to {to}; {}", may_displace(.card))]
    OpponentMoved {
        from: Space,
        to: Space,
        card: Option<Card>,
    },
    #[error("both of the opponent's workers were moved, from {} to {}", both(.from), both(.to))]
    OpponentsMoved { from: [Space; 2], to: [Space; 2] },

    // ---- where it moves ----
    #[error("the worker on {from} cannot move to {to}: that is not one of the spaces around it")]
    TooFar { from: Space, to: Space },
    #[error("the worker on {from} cannot step to {to}: from level {low} to {high}")]
    TooHigh {
        from: Space,
        to: Space,
        low: u8,
        high: u8,
    },
    #[error("the worker on {from} cannot move to {to}, whose tower was capped (level 4)")]
    ToCap { from: Space, to: Space },
    #[error("the worker on {from} cannot get to {to} in two moves: {detours}")]
    NoWay {
        from: Space,
        to: Space,
        detours: Detours,
    },
    #[error(
        "Apollo's worker from {from} must change places with the worker on {to}, \
         but that one is on {target} now"
    )]
    WrongExchange {
        from: Space,
        to: Space,
        target: Space,
    },
    #[error(
        "Minotaur's worker from {from} must push the worker on {to} straight on to {expected}, \
         but that one is on {target} now"
    )]
    WrongPush {
        from: Space,
        to: Space,
        expected: Space,
        target: Space,
    },
    #[error(
        "Minotaur's worker from {from} cannot push the worker on {to}: \
         the board ends behind it"
    )]
    PushOffBoard { from: Space, to: Space },
    #[error(
        "Minotaur's worker from {from} cannot push the worker on {to} to {target}: \
         a worker stands there"
    )]
    PushOntoWorker {
        from: Space,
        to: Space,
        target: Space,
    },
    #[error(
        "Minotaur's worker from {from} cannot push the worker on {to} to {target}: \
         the tower there is capped (level 4)"
    )]
    PushOntoCap {
        from: Space,
        to: Space,
        target: Space,
    },

    // ---- what it builds ----
    #[error("the tower on {space} went down from level {high} to {low}; towers only grow")]
    Lowered { space: Space, high: u8, low: u8 },
    #[error("nothing was built after the move to {worker}, which does not win")]
    NothingBuilt { worker: Space },
    #[error("{built} was built on after a win: {why}, and the turn ends there")]
    BuiltAfterWin { built: Space, why: WinningMove },
    #[error("{space} was built on, where {who} stands")]
    BuiltUnder { space: Space, who: Occupant },
    #[error("{space} was built on, which is not next to the worker that has moved to {worker}")]
    NotBeside { space: Space, worker: Space },
    #[error("{} were built on; {}", all(.spaces), may_build(.card))]
    ManySpaces {
        spaces: Vec<Space>,
        card: Option<Card>,
    },
    #[error("the tower on {space} grew from level {low} to {high}; {}", may_build(.card))]
    ManyLevels {
        space: Space,
        low: u8,
        high: u8,
        card: Option<Card>,
    },
    #[error(
        "{space} was built on before the move, which is not next to where the worker stood, {from}"
    )]
    FirstNotBeside { space: Space, from: Space },
    #[error(
        "{0} was built on before the move, but nothing after it; \
         Prometheus's worker must build after its move in any case"
    )]
    OnlyBeforeMove(Space),
    #[error("{0} was built on before the move, when a worker stood there")]
    FirstUnder(Space),
    #[error(
        "the worker on {from} was moved up to {to}, from level {low} to {high}, after building, \
         but Prometheus's worker may not move up after building before the move"
    )]
    UpAfterBuilding {
        from: Space,
        to: Space,
        low: u8,
        high: u8,
    },

    /// Never occurs: `moving.rs` and `building.rs` agree with the rules module.
    #[error("no legal turn leads to this board")]
    NoSuchTurn,
}

/// An addition to a message, for a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    None,
    /// Artemis's second move must not lead back.
    NotBack,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::NotBack => f.write_str(", and Artemis's second move may not lead back"),
        }
    }
}

/// Why a move wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WinningMove {
    /// Up to this space of level 3.
    Up(Space),
    /// Down to this space by two or more levels, with Pan.
    Down(Space),
}

impl fmt::Display for WinningMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Up(to) => write!(f, "the move up to level 3 on {to} wins"),
            Self::Down(to) => write!(f, "Pan's move down two levels or more to {to} wins"),
        }
    }
}

/// The worker on a space that was built on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupant {
    Moved,
    Own,
    Opponent,
    Pushed,
    Exchanged,
}

impl fmt::Display for Occupant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Moved => "the worker that has moved",
            Self::Own => "the player's other worker",
            Self::Opponent => "the opponent's worker",
            Self::Pushed => "the opponent's worker that was pushed there",
            Self::Exchanged => "the opponent's worker that was exchanged",
        })
    }
}

/// Why each path of one or two moves is blocked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detours {
    /// Why one move cannot lead there, if the space is a neighbour.
    pub direct: Option<Obstacle>,
    /// The spaces in between, with the obstacle of each path.
    pub over: Vec<(Space, Obstacle)>,
}

/// The obstacle on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A worker stands on the space in between.
    Worker,
    /// The space in between is capped.
    Cap,
    /// The first move would climb too far.
    FirstClimb { low: u8, high: u8 },
    /// The first move wins and ends the turn.
    FirstWins,
    /// The second move would climb too far.
    SecondClimb { low: u8, high: u8 },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worker => f.write_str("a worker stands there"),
            Self::Cap => f.write_str("the tower there is capped"),
            Self::FirstClimb { low, high } => {
                write!(f, "its first move would climb from level {low} to {high}")
            }
            Self::FirstWins => f.write_str("its first move would win and end the turn"),
            Self::SecondClimb { low, high } => {
                write!(f, "its second move would climb from level {low} to {high}")
            }
        }
    }
}

impl fmt::Display for Detours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direct = self.direct.map(|obstacle| format!("directly {obstacle}"));
        let over = self
            .over
            .iter()
            .map(|(space, obstacle)| format!("over {space} {obstacle}"));
        let ways: Vec<String> = direct.into_iter().chain(over).collect();
        if ways.is_empty() {
            f.write_str("that is too far")
        } else {
            f.write_str(&ways.join("; "))
        }
    }
}

fn at(space: &Option<Space>) -> String {
    space.map_or_else(String::new, |space| format!(" on {space}"))
}

fn both([a, b]: &[Space; 2]) -> String {
    format!("{a} and {b}")
}

fn all(spaces: &[Space]) -> String {
    let spaces: Vec<String> = spaces.iter().map(Space::to_string).collect();
    match spaces.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => spaces.concat(),
    }
}

fn cards(expected: &Cards) -> String {
    match expected {
        [Some(first), Some(second)] => format!("{first} comes first, then {second}"),
        _ => "this game has no cards".into(),
    }
}

fn may_displace(card: &Option<Card>) -> &'static str {
    match card {
        Some(Card::Apollo) => "Apollo moves only one that it changes places with",
        Some(Card::Minotaur) => "Minotaur moves only one whose space it moves to",
        _ => "a turn moves one of the player's own",
    }
}

fn may_build(card: &Option<Card>) -> &'static str {
    match card {
        Some(Card::Atlas) => "Atlas builds one level, or a dome (level 4), on one space",
        Some(Card::Demeter) => "Demeter builds one level, or one each on two spaces",
        Some(Card::Hephastus) => {
            "Hephastus builds one level, or two on the same space, the second not a dome (level 4)"
        }
        Some(Card::Prometheus) => {
            "Prometheus builds one level after the move, and one before it if the move does not go up"
        }
        _ => "a turn builds one level on one space",
    }
}
