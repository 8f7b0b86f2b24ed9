//! The pairings: a pure function of the number of players, rounds and cards, so that
//! every machine and every later run computes the same games.
//!
//! In each round, with each choice of cards, every two players play a pair of games: same
//! cards, same opening, seats swapped. Rounds follow each other, so a tournament that is
//! interrupted or extended has played all pairings about equally often.

use crate::openings::OpeningNumber;
use crate::rules::Cards;

/// The games of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    players: usize,
    rounds: u64,
    cards: Vec<Cards>,
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Counted from 0 through the whole schedule.
    pub game: u64,
    /// The number of its pair: half the number of the game.
    pub pair: u64,
    /// The players by number; the first has the even turns.
    pub players: [usize; 2],
    /// The cards of the first and the second player.
    pub cards: Cards,
    /// The opening: the same for all pairings of a round with the same cards.
    pub opening: OpeningNumber,
}

impl ScheduledGame {
    /// Both games of a pair: the same opening from both seats.
    pub fn pair(pair: u64, [a, b]: [usize; 2], cards: Cards, opening: OpeningNumber) -> [Self; 2] {
        [[a, b], [b, a]].map(|players| Self {
            game: 2 * pair + u64::from(players == [b, a]),
            pair,
            players,
            cards,
            opening,
        })
    }
}

impl Schedule {
    /// Schedules all pairings `rounds` times with each of the `cards`. Cards belong to
    /// seats, not to players.
    pub fn new(players: usize, rounds: u64, cards: Vec<Cards>) -> Self {
        Self {
            players,
            rounds,
            cards,
        }
    }

    fn pairings(&self) -> u64 {
        let players = self.players as u64;
        players * players.saturating_sub(1) / 2
    }

    /// The number of pairs of games.
    pub fn pairs(&self) -> u64 {
        self.rounds * self.cards.len() as u64 * self.pairings()
    }

    /// Both games of a pair. `pair` must be less than [`Schedule::pairs`].
    pub fn pair(&self, pair: u64) -> [ScheduledGame; 2] {
        let opening = pair / self.pairings();
        let players = self.pairing(pair % self.pairings());
        let choices = self.cards.len() as u64;
        let cards = self.cards[(opening % choices) as usize];
        let opening = OpeningNumber {
            of_all: opening,
            of_cards: opening / choices,
        };
        ScheduledGame::pair(pair, players, cards, opening)
    }

    /// The players of a pairing: first all pairings of player 0, then the others of
    /// player 1, and so on.
    fn pairing(&self, mut number: u64) -> [usize; 2] {
        let mut first = 0;
        loop {
            let others = (self.players - first - 1) as u64;
            if number < others {
                return [first, first + 1 + number as usize];
            }
            number -= others;
            first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::rules::Card;

    fn games(schedule: &Schedule) -> Vec<ScheduledGame> {
        (0..schedule.pairs())
            .flat_map(|pair| schedule.pair(pair))
            .collect()
    }

    #[test]
    fn all_players_meet_equally_often_in_both_seats() {
        for players in 2..=9 {
            let schedule = Schedule::new(players, 3, vec![[None, None]]);
            let mut met = BTreeMap::new();
            for game in games(&schedule) {
                assert_ne!(game.players[0], game.players[1]);
                *met.entry(game.players).or_insert(0) += 1;
            }
            assert_eq!(met.len(), players * (players - 1));
            assert!(met.values().all(|&count| count == 3));
        }
        assert_eq!(Schedule::new(1, 3, vec![[None, None]]).pairs(), 0);
    }

    #[test]
    fn the_games_of_a_pair_differ_only_by_seats() {
        let cards = Card::pairs().map(|pair| pair.map(Some)).collect();
        let schedule = Schedule::new(3, 2, cards);
        for (number, game) in games(&schedule).into_iter().enumerate() {
            assert_eq!(game.game, number as u64);
            let [first, second] = schedule.pair(game.pair);
            assert!(game == first || game == second);
            assert_eq!(first.players[0], second.players[1]);
            assert_eq!(first.players[1], second.players[0]);
            assert_eq!((first.cards, first.opening), (second.cards, second.opening));
        }
    }

    #[test]
    fn a_round_has_every_ordered_pair_of_cards_once() {
        let cards: Vec<Cards> = Card::pairs().map(|pair| pair.map(Some)).collect();
        let schedule = Schedule::new(2, 1, cards);
        let played: BTreeSet<Cards> = games(&schedule).iter().map(|game| game.cards).collect();
        assert_eq!((played.len(), schedule.pairs()), (56, 56));
    }

    #[test]
    fn a_longer_schedule_starts_with_the_shorter_one() {
        let cards = vec![[None, None]];
        let short = games(&Schedule::new(4, 2, cards.clone()));
        assert_eq!(games(&Schedule::new(4, 5, cards))[..short.len()], short);
    }
}
