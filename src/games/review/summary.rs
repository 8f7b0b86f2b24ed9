//! The summary of a player's turns.

use super::game::GameReview;
use super::judgement::Judgement;

/// The counted judgements of one player's turns.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Summary {
    /// The number of turns the player made.
    pub turns: usize,
    /// The number of turns with each judgement, in the order of [`Judgement::ALL`].
    pub counts: [usize; Judgement::ALL.len()],
    /// The chance of winning lost by all turns together.
    pub lost: f64,
}

impl Summary {
    /// The summary of player 0 or 1.
    pub fn of<const N: usize>(review: &GameReview<N>, player: usize) -> Self {
        let mut summary = Self::default();
        for turn in review.turns.iter().filter(|turn| turn.player() == player) {
            summary.turns += 1;
            summary.counts[turn.judgement as usize] += 1;
            summary.lost += turn.lost();
        }
        summary
    }

    /// The mean chance lost per turn; 0 without turns.
    pub fn lost_per_turn(&self) -> f64 {
        self.lost / self.turns.max(1) as f64
    }

    /// The number of turns with this judgement.
    pub const fn count(&self, judgement: Judgement) -> usize {
        self.counts[judgement as usize]
    }
}
