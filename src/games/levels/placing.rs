//! Places a level's workers: from the placement book if it has an entry, otherwise by the
//! heuristic after the best reply.

use rand::{Rng, RngExt};

use super::choice::choose;
use crate::eval::{Evaluator, Weighted, Weights};
use crate::rules::{Bitboard, Cards, Placement, Position, Setup, Symmetry};
use crate::search::placement::{PlacementBook, distinct_placements};

/// The number of best placements to choose from.
pub(super) const CANDIDATES: usize = 16;

/// A random placement; better ones are more likely.
pub(super) fn place<const N: usize>(
    setup: &Setup,
    temperature: f64,
    rng: &mut impl Rng,
) -> Placement {
    let (mut scored, symmetric) = match *setup {
        Setup::First { cards } => (first::<N>(cards), true),
        Setup::Second { cards, first } => (second::<N>(cards, first), false),
    };
    scored.sort_by_key(|&(score, _)| -score);
    scored.truncate(CANDIDATES);
    let placement = choose(&scored, temperature, rng).expect("there are free squares");
    // On the empty board one placement stands for all its symmetric images.
    let mut symmetries = Symmetry::all();
    match symmetries.nth(rng.random_range(0..8)) {
        Some(symmetry) if symmetric && temperature > 0.0 => {
            placement.map(|square| symmetry.square::<N>(square))
        }
        _ => placement,
    }
}

/// The first player's placements with their scores.
fn first<const N: usize>(cards: Cards) -> Vec<(i32, Placement)> {
    if N == 5 && cards == [None; 2] {
        let entries = PlacementBook::built_in().entries().iter();
        return entries.map(|entry| (entry.score(), entry.first)).collect();
    }
    let [own, other] = cards;
    let score = |first: Placement| {
        let replies = second::<N>([other, own], first).into_iter();
        replies.map(|(score, _)| -score).min().unwrap_or(0)
    };
    let placements = distinct_placements::<N>(Bitboard::EMPTY).into_iter();
    placements.map(|first| (score(first), first)).collect()
}

/// The second player's placements with their scores.
fn second<const N: usize>([own, other]: Cards, first: Placement) -> Vec<(i32, Placement)> {
    if N == 5
        && own.is_none()
        && let Some(replies) = PlacementBook::built_in().replies(first)
    {
        let replies = replies.into_iter();
        return replies.map(|it| (-it.score, it.placement)).collect();
    }
    let mut heuristic = Weighted(Weights::TUNED);
    let mut score = |placement| {
        let start = Position::<N>::start([first, placement], [other, own]);
        let start = start.expect("placements leave out the occupied squares");
        -heuristic.evaluate(&start)
    };
    let placements = distinct_placements::<N>(first.into_iter().collect()).into_iter();
    placements
        .map(|placement| (score(placement), placement))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::{Card, Square};
    use crate::seeds::seeded;

    /// Both players' placements for a seed, checked to be on free squares.
    fn both<const N: usize>(cards: Cards, temperature: f64, seed: u64) -> [Placement; 2] {
        let mut rng = seeded(seed);
        let first = place::<N>(&Setup::First { cards }, temperature, &mut rng);
        let [own, other] = cards;
        let cards = [other, own];
        let second = place::<N>(&Setup::Second { cards, first }, temperature, &mut rng);
        let taken: Bitboard = first.into_iter().chain(second).collect();
        assert_eq!(taken.count(), 4);
        [first, second]
    }

    #[test]
    fn placements_vary_and_are_central() {
        let cards = [Some(Card::Pan), Some(Card::Atlas)];
        let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut centres = 0;
        for seed in 0..20 {
            let placed = [
                both::<5>([None; 2], 50.0, seed),
                both::<5>(cards, 50.0, seed),
            ];
            let squares = placed.as_flattened().as_flattened();
            centres += squares
                .iter()
                .map(|&square| crate::eval::centre_value::<5>(square))
                .sum::<i32>();
            seen.insert(
                squares
                    .iter()
                    .map(|square: &Square| square.index())
                    .collect(),
            );
        }
        assert!(seen.len() > 10 && centres > 0, "{} {centres}", seen.len());
        both::<6>([None; 2], 50.0, 1);
    }

    #[test]
    fn temperature_0_plays_the_book() {
        let [first, second] = both::<5>([None; 2], 0.0, 1);
        let book = PlacementBook::built_in();
        assert_eq!(Some(first), book.first());
        assert_eq!(Some(second), book.reply(first));
    }
}
