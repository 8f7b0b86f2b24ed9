//! Random openings for self-play.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::rules::{Card, Cards, Position, Square, Turn};

/// A random ordered pair of different cards.
pub(super) fn random_pair(rng: &mut impl Rng) -> Cards {
    let pairs: Vec<[Card; 2]> = Card::pairs().collect();
    pairs.choose(rng).map_or([None; 2], |pair| pair.map(Some))
}

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
        let played = (0..turns).all(|_| match random_turn(&position, rng) {
            Some(turn) => {
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
    let squares: Vec<Square> = rand::seq::index::sample(rng, N * N, 4)
        .into_iter()
        .map(Square::new)
        .collect();
    let workers = [[squares[0], squares[1]], [squares[2], squares[3]]];
    Position::start(workers, cards).expect("four different squares, two different cards")
}

/// A random turn that does not win.
fn random_turn<const N: usize>(position: &Position<N>, rng: &mut impl Rng) -> Option<Turn> {
    let turns: Vec<_> = position
        .turns()
        .into_iter()
        .filter(|turn| turn.builds())
        .collect();
    turns.choose(rng).copied()
}
