//! Learns a table in games against random, with an update after each action.

use rand::RngExt;

use super::table::{QTable, board_state, placement_action, setup_state};
use super::{Learning, Rule, TableFileError};
use crate::lab::agent::{Board, Rng, start};
use crate::lab::random::random_placement;
use crate::rules::{Placement, Turn};
use crate::seeds::seeded;

/// An upper bound on the learner's actions in a game: each turn adds a level.
const MOST_ACTIONS: usize = 64;

/// The reward of a win; a loss gets its negative, an action before the end 0.
const REWARD: f32 = 1.0;

/// Learns a table against random, episode by episode. The learner moves first in
/// every other episode.
pub struct Trainer {
    learning: Learning,
    table: QTable,
    rng: Rng,
    episode: u64,
}

/// A state and the action taken there, not yet updated.
type Acted = (u64, u32);

impl Trainer {
    /// Creates a learner with an empty table.
    pub fn new(learning: Learning, seed: u64) -> Self {
        Self {
            learning,
            table: QTable::default(),
            rng: seeded(seed),
            episode: 0,
        }
    }

    /// The table so far.
    pub fn table(&self) -> &QTable {
        &self.table
    }

    /// Reserves memory for the next episode.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn try_reserve(&mut self) -> Result<(), TableFileError> {
        let reserved = self.table.try_reserve(MOST_ACTIONS);
        reserved.map_err(|_| TableFileError::Memory(self.episode))
    }

    /// The learned table.
    pub fn into_table(self) -> QTable {
        self.table
    }

    /// Plays a game, learns from it, and returns its reward.
    pub fn episode(&mut self) -> f32 {
        let learner = (self.episode % 2) as usize;
        self.episode += 1;
        let (first, second, mut acted) = self.place(learner == 0);
        let mut board = start(first, second);
        let mut mover = 0;
        let winner = loop {
            let turn = if mover == learner {
                self.turn(&board, &mut acted)
            } else {
                board.random_turn(&mut self.rng)
            };
            match turn {
                None => break 1 - mover,
                Some(turn) if turn.wins() => break mover,
                Some(turn) => board = board.play(turn),
            }
            mover = 1 - mover;
        };
        let reward = if winner == learner { REWARD } else { -REWARD };
        self.update(acted, reward, 0.0);
        reward
    }

    /// Both placements, and the learner's action.
    fn place(&mut self, learns_first: bool) -> (Placement, Placement, Acted) {
        if learns_first {
            let (first, acted) = self.own_placement(None);
            let second = random_placement(Some(first), &mut self.rng);
            (first, second, acted)
        } else {
            let first = random_placement(None, &mut self.rng);
            let (second, acted) = self.own_placement(Some(first));
            (first, second, acted)
        }
    }

    fn own_placement(&mut self, first: Option<Placement>) -> (Placement, Acted) {
        let own = if self.explores() {
            random_placement(first, &mut self.rng)
        } else {
            self.table.greedy_placement(first, &mut self.rng)
        };
        (own, (setup_state(first), placement_action(own)))
    }

    /// The learner's turn, if it has one. Updates its previous action.
    fn turn(&mut self, board: &Board, acted: &mut Acted) -> Option<Turn> {
        if !board.has_turn() {
            return None;
        }
        let state = board_state(board);
        let next = self
            .table
            .best_value(state, || board.count_turns() as usize);
        self.update(*acted, 0.0, next);
        let turn = if self.explores() {
            board.random_turn(&mut self.rng)?
        } else {
            self.table.greedy_turn(board, &mut self.rng)
        };
        *acted = (state, turn.bits());
        Some(turn)
    }

    fn explores(&mut self) -> bool {
        self.rng.random_bool(self.learning.epsilon)
    }

    /// Updates an action by its reward and the greatest value of the next state.
    fn update(&mut self, (state, action): Acted, reward: f32, next: f32) {
        let Learning {
            alpha, gamma, rule, ..
        } = self.learning;
        let (alpha, gamma) = (alpha as f32, gamma as f32);
        let value = self.table.value_mut(state, action);
        let error = reward + gamma * next - *value;
        *value = match rule {
            Rule::Standard => *value + alpha * error,
            Rule::Printed => alpha * error,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(learning: Learning, seed: u64) -> (QTable, f32) {
        let mut trainer = Trainer::new(learning, seed);
        let rewards: f32 = (0..learning.episodes).map(|_| trainer.episode()).sum();
        (trainer.into_table(), rewards / learning.episodes as f32)
    }

    #[test]
    fn the_same_seed_learns_the_same_table() {
        let learning = Learning {
            episodes: 200,
            ..Learning::default()
        };
        let sorted = |seed| {
            let mut all: Vec<_> = learned(learning, seed).0.iter().collect();
            all.sort_by_key(|&(state, action, _)| (state, action));
            all
        };
        assert_eq!(sorted(1), sorted(1));
        assert_ne!(sorted(1), sorted(2));
    }

    #[test]
    fn values_stay_within_the_rewards() {
        for rule in [Rule::Standard, Rule::Printed] {
            let learning = Learning {
                episodes: 500,
                alpha: 1.0,
                gamma: 1.0,
                rule,
                ..Learning::default()
            };
            let (table, rewards) = learned(learning, 1);
            assert!(table.entries() > 5_000);
            assert!(rewards.abs() < 0.3);
            // The printed rule subtracts the old value.
            let most = if rule == Rule::Standard { 1.0 } else { 2.0 };
            assert!(table.iter().all(|(_, _, value)| value.abs() <= most));
        }
    }

    #[test]
    fn each_rule_has_its_update() {
        for (rule, expected) in [(Rule::Standard, 0.375), (Rule::Printed, -0.125)] {
            let learning = Learning {
                alpha: 0.25,
                gamma: 0.5,
                rule,
                ..Learning::default()
            };
            let mut trainer = Trainer::new(learning, 1);
            *trainer.table.value_mut(7, 9) = 0.5;
            // 0 + 0.5 * 0.0 - 0.5 = -0.5.
            trainer.update((7, 9), 0.0, 0.0);
            assert_eq!(*trainer.table.value_mut(7, 9), expected);
        }
    }

    #[test]
    fn a_repeated_reward_is_learned() {
        // With one state and no next value, the value approaches the reward.
        let mut trainer = Trainer::new(Learning::default(), 1);
        for _ in 0..50 {
            trainer.update((1, 1), REWARD, 0.0);
        }
        assert!((*trainer.table.value_mut(1, 1) - REWARD).abs() < 1e-3);
    }
}
