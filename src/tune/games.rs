//! Pairs of games between two searches that differ in their numbers.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::eval::EvalKind;
use crate::lab::agent::derive_seed;
use crate::rules::{Card, Position};
use crate::search::{Engine, EngineOptions, Limits, Params, is_proved};
use crate::tournament::random_opening;

/// The most that an engine's table takes, in MiB; it uses what the nodes of
/// its searches need.
const HASH_MIB: usize = 16;

/// Where games start.
#[derive(Clone, Debug)]
pub enum Start {
    /// On given boards, one after the other.
    Boards(Vec<Position<5>>),
    /// After a random placement, each player with a card of a random pair.
    Cards,
}

/// The games of one tuning. A pair depends on nothing but these, its number
/// and its players.
#[derive(Clone, Debug)]
pub struct Games {
    pub start: Start,
    pub eval: EvalKind,
    /// Nodes a turn.
    pub nodes: u64,
    pub seed: u64,
}

impl Games {
    /// Plays two games from one opening, with seats changed; the points of the
    /// first player less those of the second, halved: from -1 to 1. Once
    /// `stop` is set the answer comes soon and means nothing.
    pub fn pair(&self, number: u64, players: [Params; 2], stop: &AtomicBool) -> f64 {
        let opening = self.opening(number);
        let [first, second] = players;
        let won = self.mover_wins(opening, [first, second], stop);
        let lost = self.mover_wins(opening, [second, first], stop);
        f64::from(i8::from(won) - i8::from(lost))
    }

    /// Whether the first of two players wins, who moves first. What a search
    /// proves counts as played.
    fn mover_wins(&self, opening: Position<5>, players: [Params; 2], stop: &AtomicBool) -> bool {
        let limits = Limits::nodes(self.nodes);
        let mut engines = players.map(|params| self.engine(params));
        let mut position = opening;
        let mut mover = 0;
        loop {
            let report = engines[mover].search(&position, &limits, stop, &mut |_| {});
            let score = report.score();
            let Some(turn) = report.turn().filter(|_| !is_proved(score)) else {
                // A player without a turn has lost, which is a proof too.
                return (score > 0) == (mover == 0);
            };
            position = position.play(turn);
            mover = 1 - mover;
        }
    }

    fn engine(&self, params: Params) -> Engine<5> {
        Engine::new(EngineOptions {
            hash_mib: HASH_MIB,
            threads: 1,
            eval: self.eval,
            params,
        })
    }

    fn opening(&self, number: u64) -> Position<5> {
        match &self.start {
            Start::Boards(boards) => boards[(number % boards.len() as u64) as usize],
            Start::Cards => {
                let seed = derive_seed(self.seed, &[OPENING, number]);
                let pairs: Vec<[Card; 2]> = Card::pairs().collect();
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                let cards = pairs
                    .choose(&mut rng)
                    .map_or([None; 2], |pair| pair.map(Some));
                random_opening(0, seed, number, cards)
            }
        }
    }
}

/// What a seed is derived for.
const OPENING: u64 = 0;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::eval::Weights;

    fn games(start: Start) -> Games {
        Games {
            start,
            eval: EvalKind::Weighted(Weights::TUNED),
            nodes: 300,
            seed: 1,
        }
    }

    #[test]
    fn equal_players_tie_and_changed_seats_change_the_sign() {
        let never = AtomicBool::new(false);
        let games = games(Start::Cards);
        let other = Params {
            late_move_pruning_base: 1,
            late_move_pruning_factor: 1,
            reduction_base: 200,
            climb_value: 0,
            ..Params::DEFAULT
        };
        let mut sum = 0.0;
        for number in 0..20 {
            let same = games.pair(number, [Params::DEFAULT; 2], &never);
            assert_eq!(same, 0.0);
            let better = games.pair(number, [Params::DEFAULT, other], &never);
            assert_eq!(
                games.pair(number, [other, Params::DEFAULT], &never),
                -better
            );
            sum += better;
        }
        assert!(sum > 0.0, "{sum}");
    }

    #[test]
    fn openings_differ_and_have_the_cards() {
        let with_cards = games(Start::Cards);
        let openings: Vec<Position<5>> = (0..100).map(|n| with_cards.opening(n)).collect();
        let texts: BTreeSet<String> = openings.iter().map(Position::to_string).collect();
        assert_eq!(texts.len(), 100);
        assert!(
            openings
                .iter()
                .all(|opening| opening.cards().iter().all(Option::is_some))
        );
        let pairs: BTreeSet<String> = (openings.iter())
            .map(|opening| format!("{:?}", opening.cards()))
            .collect();
        assert!(pairs.len() > 30);
        assert_eq!(with_cards.opening(7), openings[7]);
        let on_boards = games(Start::Boards(openings[..3].to_vec()));
        assert_eq!(on_boards.opening(5), openings[2]);
    }
}
