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
    /// The sum of the accuracies of all turns.
    pub accuracy: f64,
}

/// How fast the accuracy of a turn falls with the chance it loses: a tenth leaves 67%.
const ACCURACY_RATE: f64 = 4.0;

impl Summary {
    /// The summary of player 0 or 1.
    pub fn of<const N: usize>(review: &GameReview<N>, player: usize) -> Self {
        let mut summary = Self::default();
        for turn in review.turns.iter().filter(|turn| turn.player() == player) {
            summary.turns += 1;
            summary.counts[turn.judgement as usize] += 1;
            summary.lost += turn.lost();
            summary.accuracy += accuracy(turn.lost());
        }
        summary
    }

    /// The mean chance lost per turn; `None` without turns.
    pub fn lost_per_turn(&self) -> Option<f64> {
        self.mean(self.lost)
    }

    /// The mean accuracy of the turns, from 0 to 1; `None` without turns.
    pub fn accuracy(&self) -> Option<f64> {
        self.mean(self.accuracy)
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (self.turns > 0).then(|| sum / self.turns as f64)
    }

    /// The number of turns with this judgement.
    pub const fn count(&self, judgement: Judgement) -> usize {
        self.counts[judgement as usize]
    }
}

/// The accuracy of a turn that loses this much of the chance of winning: 1 if it loses
/// nothing. It falls exponentially, so small losses count most.
fn accuracy(lost: f64) -> f64 {
    (-ACCURACY_RATE * lost).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_the_chance_lost() {
        assert_eq!(accuracy(0.0), 1.0);
        assert!((accuracy(0.1) - 0.67).abs() < 0.005);
        assert!(accuracy(1.0) < 0.02);
        let none = Summary::default();
        assert_eq!((none.accuracy(), none.lost_per_turn()), (None, None));
        let two = Summary {
            turns: 2,
            accuracy: accuracy(0.0) + accuracy(0.1),
            ..Summary::default()
        };
        assert!((two.accuracy().unwrap() - 0.835).abs() < 0.003);
    }
}
