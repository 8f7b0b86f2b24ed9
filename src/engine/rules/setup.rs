//! The placement of workers before the first turn.

use super::bitboard::Square;
use super::position::Cards;

/// The squares of both workers of a player.
pub type Placement = [Square; 2];

/// The task of a player before the game: to place its workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// The first player is asked; `cards` are its own and the opponent's.
    First { cards: Cards },
    /// The second player is asked; `first` stands already. `cards` are its
    /// own and the opponent's.
    Second { cards: Cards, first: Placement },
}
