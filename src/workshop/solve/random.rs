//! Random states.

use rand::{Rng, RngExt};

use super::game::SmallGame;
use super::shape::{SquareSet, set_of, squares_of};
use super::state::SmallState;
use super::turns::SmallTurn;
use crate::rules::CAP;

/// The workers of both players on random squares of the empty board.
pub(super) fn random_start(game: &SmallGame, rng: &mut impl Rng) -> SmallState {
    let mut free = game.shape.all();
    let workers = [(); 2].map(|()| random_placement(&mut free, game.workers, rng));
    SmallState::start(workers)
}

/// The states of a random game from random placements: up to the first one in which some
/// turn wins at once, or in which there is no turn.
pub(super) fn random_game(game: &SmallGame, rng: &mut impl Rng) -> Vec<SmallState> {
    let mut state = random_start(game, rng);
    let mut states = Vec::new();
    loop {
        states.push(state);
        let turns = state.turns(game);
        if turns.is_empty() || turns.iter().any(SmallTurn::wins) {
            return states;
        }
        state = state.after(&turns[rng.random_range(0..turns.len())], game);
    }
}

/// A state with random levels. All states with the same levels are equally likely.
pub(super) fn random_state(game: &SmallGame, rng: &mut impl Rng) -> SmallState {
    loop {
        let mut state = SmallState::start([0; 2]);
        let squares = game.squares();
        for level in &mut state.heights[..squares] {
            *level = rng.random_range(0..=CAP);
        }
        let highest = game.highest_standing();
        let low = (0..squares).filter(|&square| state.heights[square] <= highest);
        let mut free = set_of(low);
        if free.count_ones() as usize >= 2 * game.workers {
            state.workers = [(); 2].map(|()| random_placement(&mut free, game.workers, rng));
            state.side = rng.random_range(0..game.sides());
            return state;
        }
    }
}

/// Takes `workers` of the free squares at random.
fn random_placement(free: &mut SquareSet, workers: usize, rng: &mut impl Rng) -> SquareSet {
    let mut placement = 0;
    for _ in 0..workers {
        let chosen = rng.random_range(0..free.count_ones() as usize);
        let square = squares_of(*free).nth(chosen).unwrap_or_default();
        placement |= 1 << square;
        *free &= !(1 << square);
    }
    placement
}
