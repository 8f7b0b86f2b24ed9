//! Random openings for self-play.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::rules::{Cards, Position, Square};

/// A position after random placements and up to `random_turns` random turns. The mover has
/// legal turns, but none that wins.
pub(super) fn opening<const N: usize>(
    random_turns: u32,
    cards: Cards,
    rng: &mut impl Rng,
) -> Position<N> {
    loop {
        let mut position = placement(cards, rng);
        let turns = rng.random_range(0..=random_turns);
        let played = (0..turns).all(|_| match position.quiet_turns().choose(rng) {
            Some(&turn) => {
                position = position.play(turn);
                true
            }
            None => false,
        });
        if played && position.has_turn() && !position.has_win() {
            return position;
        }
    }
}

fn placement<const N: usize>(cards: Cards, rng: &mut impl Rng) -> Position<N> {
    let squares = rand::seq::index::sample(rng, N * N, 4);
    let [a, b, c, d] = [0, 1, 2, 3].map(|number| Square::new(squares.index(number)));
    Position::start([[a, b], [c, d]], cards).expect("four different squares, two different cards")
}
