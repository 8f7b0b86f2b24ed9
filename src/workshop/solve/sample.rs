//! Different positions of random games, as samples for programs that learn.

use std::collections::HashSet;

use rand::RngExt;

use super::game::SmallGame;
use super::random::random_game;
use super::state::SmallState;
use crate::seeds::{SeededRng, seeded};

/// States of random games, one from each game: all different, and none with more levels
/// than `kept`. Ends after [`SAMPLE_PATIENCE`] games in a row without a new state; states that
/// random games rarely reach may be missing.
pub struct RandomStates {
    game: SmallGame,
    kept: usize,
    rng: SeededRng,
    seen: HashSet<SmallState>,
}

/// The number of games in a row without a new state after which the sample ends.
pub const SAMPLE_PATIENCE: usize = 10_000;

impl RandomStates {
    /// The same seed gives the same states.
    pub fn new(game: &SmallGame, kept: usize, seed: u64) -> Self {
        Self {
            game: game.clone(),
            kept,
            rng: seeded(seed),
            seen: HashSet::new(),
        }
    }
}

impl Iterator for RandomStates {
    type Item = SmallState;

    fn next(&mut self) -> Option<SmallState> {
        for _ in 0..SAMPLE_PATIENCE {
            let mut states = random_game(&self.game, &mut self.rng);
            states.retain(|state| state.total() <= self.kept);
            let state = states[self.rng.random_range(0..states.len())];
            if self.seen.insert(state) {
                return Some(state);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_state_comes_twice_and_a_tiny_game_runs_out() {
        let game = SmallGame::new("2x2".parse().unwrap(), 1, None);
        let states: Vec<SmallState> = RandomStates::new(&game, usize::MAX, 1).collect();
        let different: HashSet<&SmallState> = states.iter().collect();
        assert_eq!(different.len(), states.len());
        // The file has 2,700 states; many cannot be reached.
        assert!((500..2700).contains(&states.len()), "{}", states.len());
        let starts: Vec<SmallState> = RandomStates::new(&game, 0, 1).collect();
        assert_eq!(starts.len(), 12);
        assert!(starts.iter().all(|state| state.total() == 0));
        let again = RandomStates::new(&game, 0, 1);
        assert!(again.eq(starts));
    }
}
