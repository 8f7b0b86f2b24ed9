//! The random agent: all legal actions are equally likely.

use rand::RngExt;

use super::agent::{Agent, Board, Fault, Rng, placements};
use crate::rules::{Placement, Turn};

/// Plays at random.
pub struct Random {
    /// Chooses the placements and turns.
    pub rng: Rng,
}

impl Agent for Random {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        Ok(random_placement(first, &mut self.rng))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let turn = board.random_turn(&mut self.rng);
        Ok(turn.expect("an agent is asked for a turn only where there is one"))
    }
}

/// A random placement, all equally likely.
pub fn random_placement(first: Option<Placement>, rng: &mut Rng) -> Placement {
    let all = placements(first);
    all[rng.random_range(0..all.len())]
}
