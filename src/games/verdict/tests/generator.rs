//! Compares the verdicts with the generator of turns.

use rand::{Rng, RngExt};

use super::*;
use crate::rules::{Card, Cards, Geometry};
use crate::seeds::seeded;

/// A board such as a faulty player sends: a legal turn of some card, then a few small
/// changes.
fn nearly_right<const N: usize>(before: &Position<N>, rng: &mut impl Rng) -> Option<Position<N>> {
    let mut levels = before.levels();
    let mut workers =
        [Side::Mover, Side::Other].map(|side| before.workers(side).collect::<Vec<_>>());
    let mut cards = before.cards();
    let mut turn = before.turn();
    let changes = if rng.random_bool(0.8) {
        let card = cards[0].and_then(|_| Card::ALL.get(rng.random_range(0..8)).copied());
        let other = cards[1].filter(|&other| Some(other) != card);
        let other = card.and_then(|card| other.or(Card::ALL.into_iter().find(|&c| c != card)));
        let as_played: Position<N> = with_cards(before, [card, other]);
        let turns = as_played.turns();
        let next = as_played.play(*turns.get(rng.random_range(0..turns.len().max(1)))?);
        workers = [Side::Mover, Side::Other].map(|side| next.workers(side).collect());
        levels = next.levels();
        turn = next.turn();
        cards.swap(0, 1);
        rng.random_range(0..3)
    } else {
        rng.random_range(0..6)
    };
    for _ in 0..changes {
        let square = Square::new(rng.random_range(0..N * N));
        let level = &mut levels[square.row::<N>()][square.column::<N>()];
        match rng.random_range(0..8) {
            0..3 => *level = (*level + 1).min(CAP),
            3 => *level = level.saturating_sub(1),
            4..6 => {
                let worker = &mut workers[rng.random_range(0..2)][rng.random_range(0..2)];
                let near = Geometry::<N>::NEIGHBOURS[worker.index()];
                *worker = near
                    .into_iter()
                    .nth(rng.random_range(0..near.count() as usize))?;
            }
            6 => workers.swap(0, 1),
            _ => turn = rng.random_range(0..turn + 2),
        }
    }
    let workers = workers.map(|pair| [pair[0], pair[1]]);
    Position::new(&levels, workers, cards, turn).ok()
}

fn with_cards<const N: usize>(position: &Position<N>, cards: Cards) -> Position<N> {
    let workers = [Side::Mover, Side::Other].map(|side| position.placement(side));
    Position::new(&position.levels(), workers, cards, position.turn()).unwrap()
}

/// Judges legal and nearly legal boards in random games with the cards. Returns the numbers
/// of legal and illegal ones.
fn agree<const N: usize>(cards: Cards, games: usize, rng: &mut impl Rng) -> [usize; 2] {
    let mut counts = [0; 2];
    for _ in 0..games {
        let mut squares: Vec<Square> = Geometry::<N>::BOARD.collect();
        let mut place = || squares.swap_remove(rng.random_range(0..squares.len()));
        let workers = [[place(), place()], [place(), place()]];
        let mut position = Position::<N>::start(workers, cards).unwrap();
        while let Some(turn) = position.random_turn(rng) {
            for _ in 0..20 {
                let Some(after) = nearly_right(&position, rng) else {
                    continue;
                };
                let legal = position.turn_to(&after).is_some();
                let rules = check_rules(&position, &after, None);
                assert_eq!(rules.is_ok(), legal, "{position} -> {after}: {rules:?}");
                counts[usize::from(!legal)] += 1;
            }
            if turn.wins() {
                break;
            }
            position = position.play(turn);
        }
    }
    counts
}

/// The generator and the explained rules must agree on every turn.
#[test]
fn a_rule_is_broken_exactly_where_the_turn_is_illegal() {
    let mut rng = seeded(11);
    let mut counts = [0; 2];
    let pairs = Card::pairs().map(|pair| pair.map(Some));
    for cards in pairs.chain([[None, None]; 20]) {
        let five = agree::<5>(cards, 12, &mut rng);
        let six = agree::<6>(cards, 2, &mut rng);
        counts = [0, 1].map(|i| counts[i] + five[i] + six[i]);
    }
    assert!(counts[0] > 20_000 && counts[1] > 100_000, "{counts:?}");
}
