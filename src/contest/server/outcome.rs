//! How a game came out.

use crate::record::Ending;

/// Who won, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// 0 or 1, the player's place in the game; `None` is a draw.
    pub winner: Option<usize>,
    pub ending: Ending,
}
