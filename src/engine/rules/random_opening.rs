//! Random undecided openings for tournaments and matches.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;

use super::bitboard::{Geometry, Square};
use super::position::{Cards, Position};
use crate::jobs::NEVER;
use crate::seeds::{SeededRng, seeded};

/// The board after a random placement and `turns` random turns, none of which wins. The
/// mover cannot win at once, but has a turn after which the opponent cannot either. The first
/// of `cards` belongs to the player who moves on even turn numbers. The same `seed` and
/// `number` give the same board.
pub fn random_opening<const N: usize>(
    turns: u32,
    seed: u64,
    number: u64,
    cards: Cards,
) -> Position<N> {
    random_opening_until(turns, seed, number, cards, &NEVER).expect("nothing stops it")
}

/// As [`random_opening`], but `None` soon after `stop` is set. If few games last `turns`
/// turns, this takes about a second and may return an opening with fewer turns.
pub fn random_opening_until<const N: usize>(
    turns: u32,
    seed: u64,
    number: u64,
    cards: Cards,
    stop: &AtomicBool,
) -> Option<Position<N>> {
    let mut random = seeded(seed);
    // Each opening has its own seed, so any machine can make any opening.
    let own_seed = random.random::<u64>() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = seeded(own_seed);
    let mut turns = turns.min(most_turns::<N>());
    loop {
        for _ in 0..200 {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut position = random_placement(&mut random, cards);
            let played = (0..turns).all(|_| play_random_turn(&mut position, &mut random));
            if played && is_open(&position) {
                return Some(position);
            }
        }
        // Games of this many turns are too rare.
        turns = turns.saturating_sub(1);
    }
}

/// The longest game without its last turn, which would end it.
const fn most_turns<const N: usize>() -> u32 {
    Geometry::<N>::MOST_TURNS as u32 - 1
}

fn random_placement<const N: usize>(random: &mut SeededRng, cards: Cards) -> Position<N> {
    loop {
        let workers = [(); 4].map(|()| Square::new(random.random_range(0..N * N)));
        let [a, b, c, d] = workers;
        // Workers that share a space are drawn again.
        if let Ok(position) = Position::start([[a, b], [c, d]], cards) {
            return position;
        }
    }
}

/// Plays a turn that does not win. False if there is none.
fn play_random_turn<const N: usize>(position: &mut Position<N>, random: &mut SeededRng) -> bool {
    let turns = position.quiet_turns();
    if turns.is_empty() {
        return false;
    }
    *position = position.play(turns[random.random_range(0..turns.len())]);
    true
}

/// Whether the mover cannot win at once, and has a turn after which the opponent cannot either.
pub(crate) fn is_open<const N: usize>(position: &Position<N>) -> bool {
    let is_safe = |&turn| !position.play(turn).has_win();
    !position.has_win() && position.quiet_turns().iter().any(is_safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Card;

    #[test]
    fn more_turns_than_the_longest_game_are_limited() {
        let longest = random_opening::<3>(u32::MAX, 1, 0, [None, None]);
        assert!(
            (3..=most_turns::<3>()).contains(&longest.turn()),
            "{longest}"
        );
        assert_eq!(
            longest,
            random_opening::<3>(most_turns::<3>(), 1, 0, [None, None])
        );
    }

    #[test]
    fn an_opening_that_can_be_stopped_is_the_same() {
        let cards = [None, None];
        let opening = random_opening::<5>(9, 1, 3, cards);
        let until = |stop| random_opening_until::<5>(9, 1, 3, cards, &AtomicBool::new(stop));
        assert_eq!([until(false), until(true)], [Some(opening), None]);
    }

    #[test]
    fn openings_have_their_cards_on_both_sizes() {
        for cards in Card::pairs().map(|pair| pair.map(Some)) {
            let position = random_opening::<5>(4, 1, 2, cards);
            assert_eq!((position.cards(), position.turn()), (cards, 4));
            let position = random_opening::<6>(5, 1, 2, cards);
            // After an odd number of turns the second player is to move.
            assert_eq!(position.cards(), [cards[1], cards[0]]);
        }
    }

    #[test]
    fn more_turns_than_most_games_still_give_an_opening() {
        let position = random_opening::<5>(200, 1, 0, [None, None]);
        assert!(position.turn() > 10 && position.turn() < 100);
        assert!(is_open(&position));
    }
}
