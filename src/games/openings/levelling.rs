//! Boards of games with cards that come nearer and nearer to even.
//!
//! Most pairs of cards favour one player, so good turns do not lead to even boards. Here
//! every turn is the one of some random ones that leaves the board the nearest to even.
//! Of those that short searches find the nearest, longer ones take the best. And the
//! longest searches teach what the shorter ones overlook: with some pairs one player is
//! always better off than it seems.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analyst::Analyst;
use super::candidate::{Variety, is_quiet};
use crate::rules::random_opening;
use crate::rules::{Cards, Geometry, Position};
use crate::search::Limits;

/// The random placements or turns that are looked at. Each longer search has the nodes
/// of them all.
const CHOICES: u64 = 20;
/// The number of these that are searched longer.
const LONGER: usize = 3;
/// The most times that random placements are looked at, until one is level.
const PLACEMENT_ROUNDS: u64 = 4;
/// The most that a longer search is believed to find more, in hundredths of a level.
const MOST_BIAS: i32 = 500;

/// One board after another, each nearly even by a longer search than the choice of turns.
/// All scores are in hundredths of a level.
pub struct Levelling {
    rng: Xoshiro256PlusPlus,
    variety: Variety,
    /// The score of an even board for the player to move.
    even: i32,
    position: Position<5>,
    /// Of the present board for the player to move, by a short search.
    short: i32,
    /// How much more longer searches find than short ones for the first player.
    bias: i32,
}

impl Levelling {
    /// The most even of some random placements. `even` is the score of an even board for
    /// the player to move.
    pub fn new(
        seed: u64,
        cards: Cards,
        variety: Variety,
        even: i32,
        analyst: &mut Analyst,
    ) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let seed = rng.random();
        let placement = |number| random_opening(0, seed, number, cards);
        let mut levelling = Self {
            rng,
            variety,
            even,
            position: placement(0),
            short: 0,
            bias: 0,
        };
        for round in 0..PLACEMENT_ROUNDS {
            let numbers = round * CHOICES..(round + 1) * CHOICES;
            let found = levelling.choose(numbers.map(placement), analyst);
            if found.is_none_or(|found| levelling.is_level(found)) {
                break;
            }
        }
        levelling
    }

    /// The present board.
    pub fn board(&self) -> Position<5> {
        self.position
    }

    /// The next board that is nearly even and undecided; `None` if no turn is left for it.
    pub fn next(&mut self, analyst: &mut Analyst) -> Option<Position<5>> {
        while self.position.turn() < self.variety.turns {
            let found = self.play_turn(analyst)?;
            if self.is_level(found) && is_quiet(&self.position) {
                return Some(self.position);
            }
        }
        None
    }

    /// Learns that the present board is worth this to the player to move.
    pub fn learn(&mut self, worth: i32) {
        let more = (worth - self.short).clamp(-MOST_BIAS, MOST_BIAS);
        self.bias = i32::midpoint(self.bias, first_sign(&self.position) * more);
    }

    fn is_level(&self, score: i32) -> bool {
        (score - self.even).abs() <= self.variety.slack
    }

    /// Plays the turn that leaves the most even board; returns the score of a longer
    /// search. `None` if all turns decide the game.
    fn play_turn(&mut self, analyst: &mut Analyst) -> Option<i32> {
        let position = self.position;
        let mut turns = Vec::new();
        position.for_each_quiet(Geometry::<5>::BOARD, |turn| turns.push(turn));
        let choice = turns.sample(&mut self.rng, CHOICES as usize);
        let after: Vec<_> = choice.map(|&turn| position.play(turn)).collect();
        let undecided = after
            .into_iter()
            .filter(|after| after.has_turn() && !after.has_win());
        self.choose(undecided, analyst)
    }

    /// Goes on to the most even of the boards; returns the score of a longer search.
    /// `None` if there are no boards.
    fn choose(
        &mut self,
        boards: impl Iterator<Item = Position<5>>,
        analyst: &mut Analyst,
    ) -> Option<i32> {
        let limits = Limits::nodes(self.variety.nodes);
        let mut boards: Vec<_> = boards
            .map(|board| (analyst.score(&board, &limits), board))
            .collect();
        boards.sort_by_key(|(short, board)| {
            (short + first_sign(board) * self.bias - self.even).abs()
        });
        let limits = Limits::nodes(self.variety.nodes * CHOICES);
        let longer = boards
            .into_iter()
            .take(LONGER)
            .map(|(short, board)| (analyst.score(&board, &limits), short, board));
        let (found, short, board) = longer.min_by_key(|&(found, ..)| (found - self.even).abs())?;
        (self.short, self.position) = (short, board);
        self.learn(found);
        Some(found)
    }
}

/// 1 if the first player is to move, -1 if the second is.
fn first_sign(position: &Position<5>) -> i32 {
    match position.turn().is_multiple_of(2) {
        true => 1,
        false => -1,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::rules::Card;

    const VARIETY: Variety = Variety {
        turns: 5,
        slack: 60,
        nodes: 300,
    };
    const CARDS: Cards = [Some(Card::Atlas), Some(Card::Demeter)];

    fn boards(seed: u64, even: i32) -> Vec<Position<5>> {
        let never = AtomicBool::new(false);
        let analyst = &mut Analyst::new(EvalKind::Weighted(Weights::TUNED), 1, &never);
        let mut levelling = Levelling::new(seed, CARDS, VARIETY, even, analyst);
        std::iter::from_fn(|| levelling.next(analyst)).collect()
    }

    #[test]
    fn boards_follow_one_another_and_are_made_again() {
        let found = boards(1, 0);
        assert_eq!(found, boards(1, 0));
        assert!(!found.is_empty());
        assert!(found.is_sorted_by(|a, b| a.turn() < b.turn()));
        assert!(found.iter().all(|board| board.turn() <= 5));
        assert!(found.iter().all(is_quiet));
        assert!(found.iter().all(|board| board.first_cards() == CARDS));
        assert_ne!(found, boards(2, 0));
    }

    #[test]
    fn boards_are_as_good_for_the_mover_as_is_wanted() {
        let never = AtomicBool::new(false);
        for even in [-100, 0, 100] {
            let found: Vec<_> = (1..=8).flat_map(|seed| boards(seed, even)).collect();
            assert!(found.len() >= 8, "{even}: {}", found.len());
            // Another search of as many nodes does not find quite the same.
            let near = found.iter().filter(|board| {
                let analyst = &mut Analyst::new(EvalKind::Weighted(Weights::TUNED), 1, &never);
                let score = analyst.score(board, &Limits::nodes(VARIETY.nodes * CHOICES));
                (score - even).abs() <= 2 * VARIETY.slack
            });
            let near = near.count();
            assert!(
                3 * near >= 2 * found.len(),
                "{even}: {near} of {}",
                found.len()
            );
        }
    }

    #[test]
    fn what_longer_searches_find_is_learned_for_the_first_player() {
        let never = AtomicBool::new(false);
        let analyst = &mut Analyst::new(EvalKind::Weighted(Weights::TUNED), 1, &never);
        let mut levelling = Levelling::new(1, CARDS, VARIETY, 0, analyst);
        (levelling.bias, levelling.short) = (0, 10);
        levelling.learn(110);
        assert_eq!(levelling.bias, 50);
        // After a turn the second player is to move.
        levelling.play_turn(analyst).unwrap();
        (levelling.bias, levelling.short) = (0, 10);
        levelling.learn(110);
        assert_eq!(levelling.bias, -50);
        levelling.learn(30_000);
        assert_eq!(levelling.bias, -275);
    }
}
