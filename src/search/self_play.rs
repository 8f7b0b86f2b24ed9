//! A game in which searches choose every turn.

use super::engine::Report;
use super::score::is_proved;
use crate::rules::Position;

/// Plays a game in which `search` is asked for every turn, with the player
/// whose turn it is: 0, who moves first, or 1. Says whether player 0 wins. What
/// a search proves counts as played.
pub fn first_mover_wins<const N: usize>(
    opening: Position<N>,
    mut search: impl FnMut(usize, &Position<N>) -> Report,
) -> bool {
    let mut position = opening;
    let mut mover = 0;
    loop {
        let report = search(mover, &position);
        let score = report.score();
        let Some(turn) = report.turn().filter(|_| !is_proved(score)) else {
            // A player without a turn has lost, which is a proof too.
            return (score > 0) == (mover == 0);
        };
        position = position.play(turn);
        mover = 1 - mover;
    }
}
