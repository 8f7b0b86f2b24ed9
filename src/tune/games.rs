//! Pairs of games between two searches that differ in their numbers.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::eval::EvalKind;
use crate::lab::agent::derive_seed;
use crate::rules::{Card, Position};
use crate::search::{Engine, EngineOptions, Limits, ParamSets, Params, is_proved};
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
    /// The numbers that the search is built with for such games.
    pub const fn built_in(&self) -> Params {
        match self.start {
            Start::Boards(_) => ParamSets::BUILT_IN.base,
            Start::Cards => ParamSets::BUILT_IN.cards,
        }
    }

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
            params: ParamSets::same(params),
            ..EngineOptions::default()
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
            nodes: 1000,
            seed: 1,
        }
    }

    #[test]
    fn who_wins_from_both_seats_is_better_and_equal_players_tie() {
        let never = AtomicBool::new(false);
        let games = games(Start::Cards);
        let (one, other) = (
            Params::DEFAULT,
            Params {
                late_move_pruning_depth: 0,
                policy_weight: 0,
                ..Params::DEFAULT
            },
        );
        let mut seen = BTreeSet::new();
        for number in 0..20 {
            assert_eq!(games.pair(number, [one, one], &never), 0.0);
            let opening = games.opening(number);
            let one_wins = [
                games.mover_wins(opening, [one, other], &never),
                !games.mover_wins(opening, [other, one], &never),
            ];
            let better = match one_wins {
                [true, true] => 1.0,
                [false, false] => -1.0,
                _ => 0.0,
            };
            assert_eq!(games.pair(number, [one, other], &never), better);
            assert_eq!(games.pair(number, [other, one], &never), -better);
            seen.insert(better as i8);
        }
        assert!(seen.len() > 1, "{seen:?}");
    }

    #[test]
    fn a_game_ends_with_what_is_proved() {
        let never = AtomicBool::new(false);
        let games = games(Start::Cards);
        // The worker on c3 climbs to the third level, or the other cannot stop
        // the one on c3 from doing so by b4 and c4.
        for (board, wins) in [
            ("00000/00030/00200/00000/00000 c3a1 e1e5 10", true),
            ("00000/00330/00200/00000/00000 a1a2 c3e1 11", false),
        ] {
            let opening = board.parse().unwrap();
            let won = games.mover_wins(opening, [Params::DEFAULT; 2], &never);
            assert_eq!(won, wins, "{board}");
        }
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
