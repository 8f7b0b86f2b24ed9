//! A game to solve: board, workers and cards.

use std::fmt;

use super::shape::{MOST_SQUARES, Permutation, Shape, SquareSet};
use crate::rules::{Building, CAP, Card, Power};

/// The levels of all squares.
pub(super) type Heights = [u8; MOST_SQUARES];

/// A game on a small board, with tables for the solver.
#[derive(Clone, Debug)]
pub struct SmallGame {
    /// The rows and columns of the board.
    pub shape: Shape,
    /// The workers of each player, 1 or 2.
    pub workers: usize,
    /// The cards of the first and the second player.
    pub cards: Option<[Card; 2]>,
    /// For each square, the squares around it.
    pub neighbours: [SquareSet; MOST_SQUARES],
    /// The symmetries of the board, the identity among them.
    pub symmetries: Vec<Permutation>,
}

impl SmallGame {
    /// A game without cards, or with the cards of the first and the second player.
    pub fn new(shape: Shape, workers: usize, cards: Option<[Card; 2]>) -> Self {
        debug_assert!((1..=2).contains(&workers));
        Self {
            shape,
            workers,
            cards,
            neighbours: shape.neighbours(),
            symmetries: shape.symmetries(),
        }
    }

    /// Whether the game has enough squares for a worker to move.
    pub const fn has_room(&self) -> bool {
        self.squares() > 2 * self.workers
    }

    /// The number of squares.
    pub const fn squares(&self) -> usize {
        self.shape.squares()
    }

    /// The highest level on which a worker can stand. That is level 3 only if a worker can
    /// be pushed there.
    pub const fn highest_standing(&self) -> u8 {
        if self.cards.is_some() { CAP - 1 } else { 2 }
    }

    /// The number of sides to distinguish: 2 with cards, since the players move
    /// differently, otherwise 1.
    pub const fn sides(&self) -> usize {
        if self.cards.is_some() { 2 } else { 1 }
    }

    /// The side that moves after this one.
    pub const fn next_side(&self, side: usize) -> usize {
        (side + 1) % self.sides()
    }

    /// The rules of movement and building for a side; 0 is the first player.
    pub fn power(&self, side: usize) -> Power {
        self.cards.map_or(Power::BASE, |cards| cards[side].power())
    }

    /// The maximum number of levels that a turn adds.
    pub fn most_raised(&self) -> usize {
        let raised = |power: Power| match power.building {
            Building::Once => 1,
            Building::OrTwoSpaces | Building::OrTwoLevels | Building::OrBeforeMoving => 2,
            Building::OrDome => usize::from(CAP),
        };
        let most = (0..self.sides()).map(|side| raised(self.power(side))).max();
        most.unwrap_or(1)
    }

    /// The largest sum of levels.
    pub const fn highest_total(&self) -> usize {
        self.squares() * CAP as usize
    }
}

impl fmt::Display for SmallGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.workers == 1 { "" } else { "s" };
        write!(
            f,
            "{} with {} worker{plural} each",
            self.shape, self.workers
        )?;
        match self.cards {
            Some([first, second]) => write!(f, ", {first} against {second}"),
            None => Ok(()),
        }
    }
}
