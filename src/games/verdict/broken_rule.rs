//! The rules that a board can break, with messages for authors of players.

use std::fmt;

use crate::printable::listed;
use crate::protocol::exchange::ExchangeError;
use crate::rules::{Card, Cards, PositionError, Space};

/// Why no legal turn leads from one board to another.
///
/// A worker is named by its space before the turn. Spaces are named in both notations: `d3
/// (3,4)` is column d of row 3.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenRule {
    // ---- invalid positions ----
    /// The new board is not valid JSON of a board.
    #[error("{0}")]
    NoBoard(ExchangeError),
    /// A worker is on a dome of the old board.
    #[error("a worker cannot move onto {0}, whose tower is capped (level 4)")]
    OntoCap(Space),
    /// A dome was put under a worker.
    #[error("no dome can be built on {0}, where a worker stands")]
    DomeUnder(Space),
    /// Two workers of one player share a space.
    #[error("{}", PositionError::SharedSpace(*.0))]
    SharedSpace(Space),
    /// A worker took an occupied space, and no card allows it.
    #[error("a worker cannot move onto {0}, where the opponent's worker stands")]
    OntoOpponent(Space),
    /// With Apollo, the opponent's worker stayed where it was.
    #[error(
        "a worker was moved onto {0}, where the opponent's worker still stands; \
         Apollo's worker must change places with it"
    )]
    NotExchanged(Space),
    /// With Minotaur, the opponent's worker stayed where it was.
    #[error(
        "a worker was moved onto {0}, where the opponent's worker still stands; \
         Minotaur's worker must push it on"
    )]
    NotPushed(Space),

    /// The board is legal once rows and columns are exchanged.
    #[error("{broken}; rows and columns are swapped in {part}")]
    Transposed {
        /// The rule that it breaks as it is.
        broken: Box<BrokenRule>,
        /// The keys in which they are swapped, in quotes.
        part: &'static str,
    },

    // ---- whose turn it is ----
    /// The old board is already won; the space of the winning worker, if known.
    #[error("the game was over before this turn: a worker stands on level 3{}", at(.0))]
    GameWon(Option<Space>),
    /// The old board is already lost.
    #[error("the game was over before this turn: the player to move has no legal turn")]
    NoTurnLeft,
    /// No worker moved and no tower grew.
    #[error("no turn was made: no worker has moved and nothing was built")]
    NothingDone,
    /// The players are still in the order of the old board.
    #[error(
        "the players are not swapped: in \"players\", the player to move next comes first, \
         and the one that has just moved second"
    )]
    NotSwapped,
    /// The cards changed, or stayed with the seats.
    #[error("the players must change places and keep their cards: {}", cards(.expected))]
    OtherCards {
        /// The cards of the new board's players, in order.
        expected: Cards,
    },
    /// The turn counter is wrong.
    #[error("\"turn\" must be {expected}, one more than before, and not {found}")]
    TurnNumber {
        /// The old number plus one.
        expected: u32,
        /// The number on the new board.
        found: u32,
    },

    // ---- which worker moves ----
    /// Something was built, but all workers stayed.
    #[error("no worker has moved; a turn must move one{}", back(.moves_twice))]
    NoWorkerMoved {
        /// Whether the mover's card allows a second move, which may not lead back.
        moves_twice: bool,
    },
    /// Both workers of the player changed their spaces.
    #[error("both workers have moved, from {} to {}; a turn moves one", both(.from), both(.to))]
    BothMoved {
        /// Their spaces on the old board.
        from: [Space; 2],
        /// Their spaces on the new board.
        to: [Space; 2],
    },
    /// An opponent's worker changed its space, though nothing displaced it.
    #[error("the opponent's worker on {from} was moved to {to}; {}", may_displace(.card))]
    OpponentMoved {
        /// Its space on the old board.
        from: Space,
        /// Its space on the new board.
        to: Space,
        /// The mover's card, which decides the explanation.
        card: Option<Card>,
    },
    /// Both of the opponent's workers changed their spaces.
    #[error("both of the opponent's workers were moved, from {} to {}", both(.from), both(.to))]
    OpponentsMoved {
        /// Their spaces on the old board.
        from: [Space; 2],
        /// Their spaces on the new board.
        to: [Space; 2],
    },

    // ---- where it moves ----
    /// The move ends outside the eight neighbours.
    #[error("the worker on {from} cannot move to {to}: that is not one of the spaces around it")]
    TooFar {
        /// Where the worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
    },
    /// The move climbs more than one level.
    #[error("the worker on {from} cannot step to {to}: from level {low} to {high}")]
    TooHigh {
        /// Where the worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
        /// The level it left.
        low: u8,
        /// The level it reached.
        high: u8,
    },
    /// The move ends on a space that was a dome.
    #[error("the worker on {from} cannot move to {to}, whose tower is capped (level 4)")]
    ToCap {
        /// Where the worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
    },
    /// With Artemis, no space between allows both moves.
    #[error("the worker on {from} cannot get to {to} in two moves: {detours}")]
    NoWay {
        /// Where the worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
        /// The spaces between, and what blocks each.
        detours: Detours,
    },
    /// With Apollo, the displaced worker went elsewhere.
    #[error(
        "Apollo's worker from {from} must change places with the worker on {to}, \
         but that one is on {target} now"
    )]
    WrongExchange {
        /// Where Apollo's worker stood, and the other belongs.
        from: Space,
        /// Where Apollo's worker stands now.
        to: Space,
        /// Where the displaced worker stands now.
        target: Space,
    },
    /// With Minotaur, the pushed worker went elsewhere.
    #[error(
        "Minotaur's worker from {from} must push the worker on {to} straight on to {expected}, \
         but that one is on {target} now"
    )]
    WrongPush {
        /// Where Minotaur's worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
        /// The space straight behind `to`.
        expected: Space,
        /// Where the pushed worker stands now.
        target: Space,
    },
    /// With Minotaur, there is no space to push to.
    #[error(
        "Minotaur's worker from {from} cannot push the worker on {to}: \
         the board ends behind it"
    )]
    PushOffBoard {
        /// Where Minotaur's worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
    },
    /// With Minotaur, the space to push to was occupied.
    #[error(
        "Minotaur's worker from {from} cannot push the worker on {to} to {target}: \
         a worker stands there"
    )]
    PushOntoWorker {
        /// Where Minotaur's worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
        /// The occupied space.
        target: Space,
    },
    /// With Minotaur, the space to push to was a dome.
    #[error(
        "Minotaur's worker from {from} cannot push the worker on {to} to {target}: \
         the tower there is capped (level 4)"
    )]
    PushOntoCap {
        /// Where Minotaur's worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
        /// The space with the dome.
        target: Space,
    },

    // ---- what it builds ----
    /// A tower lost levels.
    #[error("the tower on {space} went down from level {high} to {low}; towers only grow")]
    Lowered {
        /// Where the tower stands.
        space: Space,
        /// Its level on the old board.
        high: u8,
        /// Its level on the new board.
        low: u8,
    },
    /// The move was legal and does not win, but no tower grew.
    #[error("nothing was built after the move to {worker}, which does not win")]
    NothingBuilt {
        /// Where the moved worker stands now.
        worker: Space,
    },
    /// The move won, so no tower may grow.
    #[error("{built} was built on after a win: {why}, and the turn ends there")]
    BuiltAfterWin {
        /// The tower that grew.
        built: Space,
        /// What made the move a win.
        why: WinningMove,
    },
    /// A tower grew on an occupied space.
    #[error("nothing can be built on {space}, where {who} stands")]
    BuiltUnder {
        /// Where the tower stands.
        space: Space,
        /// Whose worker is on it.
        who: Occupant,
    },
    /// A tower grew out of reach of the moved worker.
    #[error(
        "nothing can be built on {space}: it is not next to the worker that has moved to {worker}"
    )]
    NotBeside {
        /// Where the tower stands.
        space: Space,
        /// Where the moved worker stands now.
        worker: Space,
    },
    /// More towers grew than the card allows.
    #[error("{} were built on; {}", all(.spaces), may_build(.card))]
    ManySpaces {
        /// All towers that grew.
        spaces: Vec<Space>,
        /// The mover's card, which decides the explanation.
        card: Option<Card>,
    },
    /// A tower grew by more levels than the card allows.
    #[error("the tower on {space} grew from level {low} to {high}; {}", may_build(.card))]
    ManyLevels {
        /// Where the tower stands.
        space: Space,
        /// Its level on the old board.
        low: u8,
        /// Its level on the new board.
        high: u8,
        /// The mover's card, which decides the explanation.
        card: Option<Card>,
    },
    /// A typed turn builds before the move, and the card does not allow it.
    #[error("{space} was built on before the move; {} builds only after it", builder(.card))]
    BuiltBeforeMove {
        /// Where it was built.
        space: Space,
        /// The mover's card.
        card: Option<Card>,
    },
    /// With Prometheus, the first build was out of reach.
    #[error(
        "{space} was built on before the move, but is not next to where the worker stood, {from}"
    )]
    FirstNotBeside {
        /// Where it was built.
        space: Space,
        /// Where the worker stood.
        from: Space,
    },
    /// With Prometheus, only the first build was made, on this space.
    #[error(
        "{0} was built on before the move, but nothing after it; \
         Prometheus's worker must build after its move in any case"
    )]
    OnlyBeforeMove(Space),
    /// With Prometheus, the first build was on this occupied space.
    #[error("{0} was built on before the move, when a worker stood there")]
    FirstUnder(Space),
    /// With Prometheus, the move climbed after a first build.
    #[error(
        "the worker on {from} was moved up to {to}, from level {low} to {high}, after building, \
         but Prometheus's worker may not move up after building before the move"
    )]
    UpAfterBuilding {
        /// Where the worker stood.
        from: Space,
        /// Where it stands now.
        to: Space,
        /// The level it left.
        low: u8,
        /// The level it reached.
        high: u8,
    },

    /// Never occurs: `moving.rs` and `building.rs` agree with the rules module.
    #[error("no legal turn leads to this board")]
    NoSuchTurn,
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
    /// The worker that has moved.
    Moved,
    /// The player's other worker.
    Own,
    /// A worker of the opponent that stayed.
    Opponent,
    /// A worker of the opponent that was pushed there.
    Pushed,
    /// A worker of the opponent that was exchanged.
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    FirstClimb {
        /// The level before the move.
        low: u8,
        /// The level after it.
        high: u8,
    },
    /// The first move wins and ends the turn.
    FirstWins,
    /// The second move would climb too far.
    SecondClimb {
        /// The level before the move.
        low: u8,
        /// The level after it.
        high: u8,
    },
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

fn back(moves_twice: &bool) -> &'static str {
    match moves_twice {
        true => ", and Artemis's second move may not lead back",
        false => "",
    }
}

fn both([a, b]: &[Space; 2]) -> String {
    format!("{a} and {b}")
}

fn all(spaces: &[Space]) -> String {
    let spaces: Vec<String> = spaces.iter().map(Space::to_string).collect();
    listed(&spaces)
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

fn builder(card: &Option<Card>) -> String {
    card.map_or_else(|| "a turn".into(), |card| card.to_string())
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
