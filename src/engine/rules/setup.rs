//! The placement of workers before the first turn.

use super::bitboard::Square;
use super::position::Cards;

/// The squares of a player's two workers.
pub type Placement = [Square; 2];

/// The question before the game: where to place the workers. `cards` are the player's own
/// and the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// To the first player.
    First {
        /// The cards of the first player and of the second.
        cards: Cards,
    },
    /// To the second player, after the first player's placement.
    Second {
        /// The cards of the second player and of the first.
        cards: Cards,
        /// Where the first player's workers stand.
        first: Placement,
    },
}

impl Setup {
    /// The question to the first player, or to the second if the first has placed.
    pub const fn new(cards: Cards, first: Option<Placement>) -> Self {
        match first {
            None => Self::First { cards },
            Some(first) => Self::Second { cards, first },
        }
    }
}
