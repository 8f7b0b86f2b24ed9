//! Positions with the turn that led to them. One type covers both board sizes, since
//! Python has no const generics.

use pyo3::prelude::*;
use santorini::draw::{Scene, Seat};
use santorini::rules::{AnySize, Position, Turn, TurnTextError};
use santorini::verdict::{self, Typed};

use crate::convert::wrong;
use crate::illegal::{Broken, illegal};

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
        if !self.is_won() && self.position.has_turn() {
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
            Ok(legal) => legal.text::<N>().to_string(),
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
