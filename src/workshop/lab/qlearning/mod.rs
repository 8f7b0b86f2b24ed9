//! Q-learning as in the study (section IV.B): a table of action values, learned
//! in games against random.
//!
//! | to see or change | look at |
//! |---|---|
//! | parameters, the agent | `mod.rs` (here) |
//! | the table, the greedy action | `table.rs` |
//! | learning, both update rules | `train.rs` |
//! | the file format | `file.rs` |

mod file;
mod table;
mod train;

use std::sync::Arc;

pub use file::{TABLE_FILE, TableFileError, load, save};
pub use table::{QTable, board_state, placement_action, setup_state};
pub use train::Trainer;

use super::agent::{Agent, Board, Fault, Rng, placements};
use super::random::random_placement;
use crate::rules::{Placement, Turn};

/// Parameters of learning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// Games played while learning.
    pub episodes: u32,
    /// The learning rate, 0 to 1.
    pub alpha: f64,
    /// The probability of a random action while learning, 0 to 1.
    pub epsilon: f64,
    /// The discount of later rewards, 0 to 1.
    pub gamma: f64,
    /// How values are updated.
    pub rule: Rule,
}

/// The update rule, in two readings of the study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// Q + alpha (r + gamma max Q' - Q): the usual rule (C. Watkins, 1989). It
    /// agrees with the study's text: with alpha 0 nothing is learned, with 1 only
    /// the last sample counts.
    #[default]
    Standard,
    /// alpha (r + gamma max Q' - Q): the formula printed in the study.
    Printed,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            episodes: 10_000,
            alpha: 0.5,
            epsilon: 0.1,
            gamma: 0.9,
            rule: Rule::default(),
        }
    }
}

/// Plays the action with the greatest value, ties broken at random. An untried
/// action has the value 0.
pub struct QLearning {
    /// The learned values, shared by all agents of one factory.
    pub table: Arc<QTable>,
    /// Chooses between actions of equal value.
    pub rng: Rng,
}

impl Agent for QLearning {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        Ok(self.table.greedy_placement(first, &mut self.rng))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        Ok(self.table.greedy_turn(board, &mut self.rng))
    }
}

impl QTable {
    fn greedy_placement(&self, first: Option<Placement>, rng: &mut Rng) -> Placement {
        let state = setup_state(first);
        self.greedy(state, rng, || placements(first), placement_action)
            .unwrap_or_else(|| random_placement(first, rng))
    }

    fn greedy_turn(&self, board: &Board, rng: &mut Rng) -> Turn {
        self.greedy(board_state(board), rng, || board.turns(), Turn::bits)
            .or_else(|| board.random_turn(rng))
            .expect("an agent is asked for a turn only where there is one")
    }
}
