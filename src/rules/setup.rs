//! Placement: what happens before the first turn.

use super::bitboard::Square;
use super::position::Cards;

/// Where both workers of a player stand.
pub type Placement = [Square; 2];

/// What a player is asked before the game: to place its workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// The first player is asked; `cards` are its own and the opponent's.
    First { cards: Cards },
    /// The second player is asked; `first` stands already. `cards` are its
    /// own and the opponent's.
    Second { cards: Cards, first: Placement },
}
