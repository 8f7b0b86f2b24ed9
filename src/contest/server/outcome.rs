//! The outcome of a game.

use crate::record::Ending;

/// The winner and the ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The player, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// How the game ended.
    pub ending: Ending,
}
