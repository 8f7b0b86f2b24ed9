//! What the placements of a solved game are worth, and its best games.

use super::game::SmallGame;
use super::probe::{Oracle, ValuedTurn};
use super::run::SolveError;
use super::shape::{Permutation, SquareSet, squares_of};
use super::state::SmallState;
use super::value::ExactValue;

/// A placement of the first player with the best reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValuedPlacement {
    /// The squares of the first player's workers.
    pub first: SquareSet,
    /// The squares of the best reply.
    pub second: SquareSet,
    /// For the first player, who is to move then.
    pub value: ExactValue,
    /// How many of the replies are won for the second player, and how many there
    /// are.
    pub lost_to: [u32; 2],
}

/// The placements of the first player up to symmetry, the best for it first;
/// `None` if the work was stopped.
///
/// # Errors
/// As [`Oracle::value`].
pub fn placements(oracle: &mut Oracle) -> Result<Option<Vec<ValuedPlacement>>, SolveError> {
    let game = oracle.game().clone();
    let mut valued = Vec::new();
    for first in crews(&game).filter(|&crew| is_first(&game, crew)) {
        let mut best: Option<ValuedPlacement> = None;
        let mut lost_to = [0; 2];
        for second in crews(&game).filter(|&second| first & second == 0) {
            let state = SmallState::start([first, second]);
            let Some(value) = oracle.value(&state)? else {
                return Ok(None);
            };
            lost_to[0] += u32::from(!value.wins());
            lost_to[1] += 1;
            if best.is_none_or(|best| value < best.value) {
                best = Some(ValuedPlacement {
                    first,
                    second,
                    value,
                    lost_to,
                });
            }
        }
        valued.extend(best.map(|best| ValuedPlacement { lost_to, ..best }));
    }
    valued.sort_by_key(|placement| std::cmp::Reverse(placement.value));
    Ok(Some(valued))
}

/// All places of a player's workers.
pub(super) fn crews(game: &SmallGame) -> impl Iterator<Item = SquareSet> + use<> {
    let workers = game.workers as u32;
    (0..=game.shape.all()).filter(move |crew| crew.count_ones() == workers)
}

/// Whether no symmetry makes a lower set of the crew.
pub(super) fn is_first(game: &SmallGame, crew: SquareSet) -> bool {
    let image = |map: &Permutation| -> SquareSet {
        squares_of(crew).fold(0, |set, square| set | 1 << map[square])
    };
    game.symmetries.iter().all(|map| image(map) >= crew)
}

/// A game in which both players play best turns from a state to its end: every
/// state with the turn that was played in it; `None` if the work was stopped.
///
/// # Errors
/// As [`Oracle::value`].
pub fn best_game(
    oracle: &mut Oracle,
    start: &SmallState,
) -> Result<Option<Vec<(SmallState, ValuedTurn)>>, SolveError> {
    let mut game = Vec::new();
    let mut state = *start;
    loop {
        let Some(turns) = oracle.turns(&state)? else {
            return Ok(None);
        };
        let Some(&best) = turns.first() else {
            return Ok(Some(game));
        };
        game.push((state, best));
        match best.after {
            Some(after) => state = after,
            None => return Ok(Some(game)),
        }
    }
}
