//! Positions with the turn that led to them. One type covers both board sizes, since
//! Python has no const generics.

use pyo3::prelude::*;
use santorini::draw::{Scene, Seat};
use santorini::openings::{random_opening, random_opening_until};
use santorini::rules::{AnySize, Card, Cards, Position, Square, Turn, TurnTextError};
use santorini::verdict::{self, Typed, judge};

use crate::argument::{self, Argument, Names};
use crate::convert::{placement_names, read_placement, wrong};
use crate::illegal::{Broken, illegal};
use crate::interruptible::{Token, stoppable, stopped};

/// Maximum random turns made without a way to interrupt; longer openings are rare and
/// take many tries.
pub const FEW_TURNS: u32 = 12;

/// A position and the turn that led to it.
#[derive(Clone, Copy)]
pub struct Board<const N: usize> {
    pub position: Position<N>,
    /// The previous position and the turn that led here, if known. With cards, the position
    /// alone does not show who has won.
    pub last: Option<(Position<N>, Turn)>,
}

impl<const N: usize> From<Position<N>> for Board<N> {
    fn from(position: Position<N>) -> Self {
        Self {
            position,
            last: None,
        }
    }
}

impl<const N: usize> Board<N> {
    /// The start of a game, with the workers of both players as arguments.
    pub fn start([first, second]: [&Argument<'_>; 2], cards: Cards) -> PyResult<Self> {
        let first = read_placement::<N>("first", first)?;
        let second = read_placement::<N>("second", second)?;
        let start = Position::start([first, second], cards);
        let start = start.map_err(|error| argument::wrong("second", error))?;
        Ok(start.into())
    }

    /// The board after a random placement and random turns.
    pub fn random(
        py: Python<'_>,
        turns: u32,
        seed: u64,
        number: u64,
        cards: Cards,
        token: &Token,
    ) -> PyResult<Self> {
        if turns <= FEW_TURNS {
            return Ok(random_opening::<N>(turns, seed, number, cards).into());
        }
        let position = stoppable(py, token, |stop| {
            random_opening_until::<N>(turns, seed, number, cards, stop)
        })?;
        position.whole()?.map(Self::from).ok_or_else(stopped)
    }

    /// The board after a legal turn.
    pub fn after(&self, turn: Turn) -> Self {
        Self {
            position: self.position.play(turn),
            last: Some((self.position, turn)),
        }
    }

    /// Whether the last turn won the game. The game is also over without legal turns.
    pub fn is_won(&self) -> bool {
        match self.last {
            Some((_, turn)) => turn.wins(),
            None => self.position.shows_win(),
        }
    }

    /// Whether the game is over: won, or no legal turns left.
    pub fn is_over(&self) -> bool {
        self.is_won() || !self.position.has_turn()
    }

    /// The scene of a picture of the board.
    pub fn scene(&self) -> Scene<N> {
        let scene = Scene::new(&self.position);
        match &self.last {
            Some((before, turn)) => scene.after(before, *turn),
            None => scene,
        }
    }

    /// Who has won.
    pub fn winner(&self) -> Option<Seat> {
        if !self.is_over() {
            return None;
        }
        self.scene().winner()
    }

    /// The legal turns; empty if the game is over.
    pub fn turns(&self) -> Vec<Turn> {
        if self.is_won() {
            return Vec::new();
        }
        self.position.turns()
    }

    /// Reads a legal turn in notation, in any spelling.
    pub fn read_turn(&self, text: &str) -> PyResult<Turn> {
        let turn = match self.position.read_turn(text) {
            Ok(legal) if !self.is_won() => return Ok(legal),
            Ok(legal) => self.text_of(legal),
            Err(TurnTextError::Form(error)) => return Err(wrong(error)),
            Err(TurnTextError::Illegal { turn, .. }) => turn,
        };
        let (why, broken) = match self.winner() {
            Some(winner) => (
                format!("the game is over: player {} has won", winner as u8),
                Broken::rule("game-over"),
            ),
            None => {
                let why = match verdict::read_turn(&self.position, text) {
                    Typed::Illegal(why) => why,
                    _ => "it is not a whole turn".to_string(),
                };
                (why, Broken::by_text(&self.position, text))
            }
        };
        let why = format!("{turn} is not legal: {why} (the board: {})", self.position);
        Err(illegal(why, broken))
    }

    /// The levels row by row; as `u32`, since Python would get a list of `u8` as `bytes`.
    pub fn levels(&self) -> Vec<Vec<u32>> {
        let level = |row, column| self.position.level(Square::at::<N>(row, column)).into();
        let row = |row| (0..N).map(|column| level(row, column)).collect();
        (0..N).map(row).collect()
    }

    /// The squares of the workers of the first and the second player.
    pub fn workers(&self) -> [Names; 2] {
        let of = |seat: Seat| self.position.workers(seat.side(&self.position));
        Seat::BOTH.map(|seat| placement_names::<N>(of(seat)))
    }

    /// The cards of the first and the second player.
    pub fn seat_cards(&self) -> Option<[Card; 2]> {
        let of = |seat: Seat| self.position.card(seat.side(&self.position));
        let [first, second] = Seat::BOTH.map(of);
        Some([first?, second?])
    }

    /// The notation of a turn.
    pub fn text_of(&self, turn: Turn) -> String {
        turn.text::<N>().to_string()
    }

    /// The turn that led here.
    pub fn last_turn(&self) -> Option<String> {
        self.last.map(|(_, turn)| self.text_of(turn))
    }

    /// The turn that leads to a board in JSON.
    pub fn judged(&self, after: &serde_json::Value) -> PyResult<String> {
        match judge(&self.position, after) {
            Ok((turn, _)) => Ok(self.text_of(turn)),
            Err(broken) => Err(illegal(broken.to_string(), Broken::from(&broken))),
        }
    }
}

/// A board of 5x5 or 6x6 spaces.
pub type AnyBoard = AnySize<Board<5>, Board<6>>;

impl From<Board<5>> for AnyBoard {
    fn from(board: Board<5>) -> Self {
        Self::Five(board)
    }
}

impl From<Board<6>> for AnyBoard {
    fn from(board: Board<6>) -> Self {
        Self::Six(board)
    }
}
