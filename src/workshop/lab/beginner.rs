//! A simulated beginner: climbs, and looks one turn ahead at most.

use rand::RngExt;

use super::agent::{Agent, Board, Fault, Rng};
use super::random::random_placement;
use crate::rules::{Placement, Turn};

/// Plays a win, avoids turns that let the opponent win if it sees that, and steps as high
/// as it can; the rest is random. The levels for people are calibrated with it.
pub struct Beginner {
    /// The share of turns at which it sees the opponent's wins.
    pub attention: f64,
    /// Its source of random choices.
    pub rng: Rng,
}

impl Agent for Beginner {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        Ok(random_placement(first, &mut self.rng))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let mut turns: Vec<Turn> = board.turns().into_iter().collect();
        if turns.iter().any(|turn| turn.wins()) {
            turns.retain(|turn| turn.wins());
        } else if self.rng.random_bool(self.attention) {
            let is_safe = |turn: &Turn| !board.play(*turn).has_win();
            if turns.iter().any(is_safe) {
                turns.retain(is_safe);
            }
        }
        let height = |turn: &Turn| board.level(turn.to());
        let highest = turns.iter().map(height).max();
        turns.retain(|turn| Some(height(turn)) == highest);
        Ok(turns[self.rng.random_range(0..turns.len())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::seeded;

    /// The turns of 40 beginners.
    fn turns(attention: f64, board: &str) -> Vec<(Board, Turn)> {
        let board: Board = board.parse().unwrap();
        let turn = |seed| {
            let rng = seeded(seed);
            Beginner { attention, rng }.turn(&board).unwrap()
        };
        (0..40).map(|seed| (board, turn(seed))).collect()
    }

    #[test]
    fn plays_a_win_and_else_climbs() {
        let wins = turns(0.0, "00000/01200/00320/00000/00023 c2d4 e4a1 6");
        assert!(wins.iter().all(|(_, turn)| turn.wins()));
        let climbs = turns(0.0, "00000/00000/00100/00000/00000 c2d4 a5a1 2");
        assert!(
            climbs
                .iter()
                .all(|(board, turn)| board.level(turn.to()) == 1)
        );
    }

    #[test]
    fn blocks_the_threats_that_it_sees() {
        // The opponent on e4 threatens to step to e5.
        let threat = "00000/00000/00000/00012/00003 c3d3 e4a1 8";
        let lost = |attention| {
            let turns = turns(attention, threat);
            let lost = turns
                .iter()
                .filter(|(board, turn)| board.play(*turn).has_win());
            lost.count()
        };
        assert_eq!(lost(1.0), 0);
        assert!(lost(0.0) > 20);
        assert!(lost(0.5) > 5 && lost(0.5) < lost(0.0));
    }
}
