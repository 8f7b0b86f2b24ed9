//! Candidates for a book with cards: boards of one game in which each turn keeps the
//! position as even as possible.
//!
//! Most pairs of cards favour one player, so good turns do not lead to even boards. Here
//! each turn is chosen from random ones: the one that leaves the board closest to even.
//! Short searches select a few turns, longer ones choose among them. The bias between short
//! and long searches is learned: with some pairs one player is always better off than short
//! searches find.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::candidate::{Variety, is_quiet};
use super::fixed_nodes::FixedNodeEngine;
use crate::rules::{Cards, Position, random_opening};
use crate::search::Limits;
use crate::seeds::{SeededRng, seeded};

/// The number of random placements or turns per step. A longer search gets this many times
/// the nodes.
const CHOICES: u64 = 20;
/// The number of placements or turns that are searched longer.
const LONGER: usize = 3;
/// The maximum number of rounds of random placements until one is about even.
const PLACEMENT_ROUNDS: u64 = 4;
/// The maximum bias learned from a longer search, in hundredths of a level.
const MOST_BIAS: i32 = 500;

/// The boards of one game that are about even by a longer search. All scores are in
/// hundredths of a level.
pub(super) struct CardCandidates {
    rng: SeededRng,
    variety: Variety,
    /// The score of an even board for the player to move.
    even: i32,
    position: Position<5>,
    /// The score of the current board for the player to move, by a short search.
    short: i32,
    /// The average excess of longer searches over short ones, for the first player.
    bias: i32,
}

impl CardCandidates {
    /// Starts at the most even of some random placements. `even` is the score of an even
    /// board for the player to move.
    pub(super) fn new(
        seed: u64,
        cards: Cards,
        variety: Variety,
        even: i32,
        engine: &mut FixedNodeEngine,
    ) -> Self {
        let mut rng = seeded(seed);
        let seed = rng.random();
        let placement = |number| random_opening(0, seed, number, cards);
        let mut candidates = Self {
            rng,
            variety,
            even,
            position: placement(0),
            short: 0,
            bias: 0,
        };
        for round in 0..PLACEMENT_ROUNDS {
            let numbers = round * CHOICES..(round + 1) * CHOICES;
            let found = candidates.choose(numbers.map(placement), engine);
            if found.is_none_or(|found| candidates.is_about_even(found)) {
                break;
            }
        }
        candidates
    }

    /// The current board.
    pub(super) fn board(&self) -> Position<5> {
        self.position
    }

    /// The next board that is about even and quiet; `None` after the maximum number of
    /// turns, or if every turn decides the game.
    pub(super) fn next(&mut self, engine: &mut FixedNodeEngine) -> Option<Position<5>> {
        while self.position.turn() < self.variety.turns {
            let found = self.play_turn(engine)?;
            if self.is_about_even(found) && is_quiet(&self.position) {
                return Some(self.position);
            }
        }
        None
    }

    /// Learns from the worth of the current board for the player to move.
    pub(super) fn learn(&mut self, worth: i32) {
        let more = (worth - self.short).clamp(-MOST_BIAS, MOST_BIAS);
        self.bias = i32::midpoint(self.bias, first_sign(&self.position) * more);
    }

    fn is_about_even(&self, score: i32) -> bool {
        (score - self.even).abs() <= self.variety.slack
    }

    /// Plays the turn that leaves the most even board; returns its score by a longer
    /// search. `None` if all turns decide the game.
    fn play_turn(&mut self, engine: &mut FixedNodeEngine) -> Option<i32> {
        let position = self.position;
        let turns = position.quiet_turns();
        let choice = turns.sample(&mut self.rng, CHOICES as usize);
        let after: Vec<_> = choice.map(|&turn| position.play(turn)).collect();
        let undecided = after
            .into_iter()
            .filter(|after| after.has_turn() && !after.has_win());
        self.choose(undecided, engine)
    }

    /// Moves to the most even of the boards; returns its score by a longer search. `None`
    /// without boards.
    fn choose(
        &mut self,
        boards: impl Iterator<Item = Position<5>>,
        engine: &mut FixedNodeEngine,
    ) -> Option<i32> {
        let limits = Limits::nodes(self.variety.nodes);
        let mut boards: Vec<_> = boards
            .map(|board| (engine.score(&board, &limits), board))
            .collect();
        boards.sort_by_key(|(short, board)| {
            (short + first_sign(board) * self.bias - self.even).abs()
        });
        let limits = Limits::nodes(self.variety.nodes * CHOICES);
        let longer = boards
            .into_iter()
            .take(LONGER)
            .map(|(short, board)| (engine.score(&board, &limits), short, board));
        let (found, short, board) = longer.min_by_key(|&(found, ..)| (found - self.even).abs())?;
        (self.short, self.position) = (short, board);
        self.learn(found);
        Some(found)
    }
}

/// 1 if the first player is to move, -1 if the second is.
fn first_sign(position: &Position<5>) -> i32 {
    match position.player() {
        0 => 1,
        _ => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::jobs::NEVER;
    use crate::rules::Card;

    const VARIETY: Variety = Variety {
        turns: 5,
        slack: 60,
        nodes: 300,
    };
    const CARDS: Cards = [Some(Card::Atlas), Some(Card::Demeter)];

    fn boards(seed: u64, even: i32) -> Vec<Position<5>> {
        let engine = &mut FixedNodeEngine::new(EvalKind::Weighted(Weights::TUNED), 1, &NEVER);
        let mut candidates = CardCandidates::new(seed, CARDS, VARIETY, even, engine);
        std::iter::from_fn(|| candidates.next(engine)).collect()
    }

    #[test]
    fn boards_follow_one_game_and_are_reproducible() {
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
    fn boards_have_about_the_wanted_score() {
        for even in [-100, 0, 100] {
            let found: Vec<_> = (1..=8).flat_map(|seed| boards(seed, even)).collect();
            assert!(found.len() >= 8, "{even}: {}", found.len());
            // Another search with as many nodes finds a slightly different score.
            let near = found.iter().filter(|board| {
                let engine =
                    &mut FixedNodeEngine::new(EvalKind::Weighted(Weights::TUNED), 1, &NEVER);
                let score = engine.score(board, &Limits::nodes(VARIETY.nodes * CHOICES));
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
    fn the_bias_of_searches_is_learned_for_the_first_player() {
        let engine = &mut FixedNodeEngine::new(EvalKind::Weighted(Weights::TUNED), 1, &NEVER);
        let mut candidates = CardCandidates::new(1, CARDS, VARIETY, 0, engine);
        (candidates.bias, candidates.short) = (0, 10);
        candidates.learn(110);
        assert_eq!(candidates.bias, 50);
        // After a turn the second player is to move.
        candidates.play_turn(engine).unwrap();
        (candidates.bias, candidates.short) = (0, 10);
        candidates.learn(110);
        assert_eq!(candidates.bias, -50);
        candidates.learn(30_000);
        assert_eq!(candidates.bias, -275);
    }
}
