//! The values of all placements of a solved game, and best play.

use super::game::SmallGame;
use super::probe::{Prober, ValuedTurn};
use super::run::SolveError;
use super::shape::{Permutation, SquareSet, set_of, squares_of};
use super::state::SmallState;
use super::value::ExactValue;

/// A placement of the first player with the best reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValuedPlacement {
    /// The squares of the first player's workers.
    pub first: SquareSet,
    /// The squares of the best reply.
    pub second: SquareSet,
    /// The value for the first player, who is to move.
    pub value: ExactValue,
    /// The number of replies that win for the second player, and of all replies.
    pub lost_to: [u32; 2],
}

/// The placements of the first player up to symmetry, its best one first.
///
/// # Errors
/// As [`Prober::value`].
pub fn placements(prober: &mut Prober) -> Result<Vec<ValuedPlacement>, SolveError> {
    let game = prober.game().clone();
    let mut valued = Vec::new();
    for first in all_placements(&game).filter(|&placement| is_first(&game, placement)) {
        let mut best: Option<ValuedPlacement> = None;
        let mut lost_to = [0; 2];
        for second in all_placements(&game).filter(|&second| first & second == 0) {
            let state = SmallState::start([first, second]);
            let value = prober.value(&state)?;
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
    Ok(valued)
}

/// All placements of a player's workers.
pub(super) fn all_placements(game: &SmallGame) -> impl Iterator<Item = SquareSet> + use<> {
    let workers = game.workers as u32;
    (0..=game.shape.all()).filter(move |placement| placement.count_ones() == workers)
}

/// Whether the placement is the lowest of its symmetric images.
pub(super) fn is_first(game: &SmallGame, placement: SquareSet) -> bool {
    let image = |map: &Permutation| set_of(squares_of(placement).map(|square| map[square].into()));
    game.symmetries.iter().all(|map| image(map) >= placement)
}

/// Best play from a state to the end of the game: each state with its best turn.
///
/// # Errors
/// As [`Prober::value`].
pub fn best_game(
    prober: &mut Prober,
    start: &SmallState,
) -> Result<Vec<(SmallState, ValuedTurn)>, SolveError> {
    let mut game = Vec::new();
    let mut next = Some(*start);
    while let Some(state) = next {
        let best = prober.turns(&state)?.into_iter().next();
        game.extend(best.map(|best| (state, best)));
        next = best.and_then(|best| best.after);
    }
    Ok(game)
}
