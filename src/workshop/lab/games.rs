//! Games between two agents, and their records.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::Map;

use super::agent::{Agent, Board, Fault, start};
use super::factory::Factory;
use crate::arena::{Action, Pair, PlayedGame};
use crate::fnv::Fnv;
use crate::jobs::NEVER;
use crate::openings::{OpeningNumber, Openings};
use crate::protocol::exchange::write_board;
use crate::record::{Ending, GameRecord};
use crate::seeds::derive_seed;

/// A match of any number of games. Each game depends only on the seed and its
/// number.
pub struct Match {
    /// The two agents.
    pub players: [Factory; 2],
    /// The seed of all games.
    pub seed: u64,
    /// Whether the players swap seats after every game.
    pub swap: bool,
    /// The boards that games begin from.
    pub openings: Openings,
}

/// One game of a match.
pub struct MatchGame {
    /// The turns and the winner.
    pub played: PlayedGame<5>,
    /// The times of both placements; empty after an opening.
    pub setup_seconds: Vec<f64>,
    /// The player of the match in each seat.
    pub seats: [usize; 2],
}

/// Purposes for which seeds are derived.
const OPENING: u64 = 0;
const AGENT: u64 = 1;

/// Random placements followed by this many random turns, for a match with this seed.
pub fn random_openings(turns: u32, seed: u64) -> Openings {
    let seed = derive_seed(seed, &[OPENING]);
    Openings::Random { turns, seed }
}

impl Match {
    /// Plays game number `game`.
    ///
    /// # Errors
    /// If an agent has no answer.
    pub fn play(&self, game: u64) -> Result<MatchGame, Fault> {
        self.play_with(game, &NEVER)
    }

    /// Like [`Match::play`], but returns `None` soon after `stop` is set.
    ///
    /// # Errors
    /// As [`Match::play`].
    pub fn play_until(&self, game: u64, stop: &AtomicBool) -> Result<Option<MatchGame>, Fault> {
        let played = self.play_with(game, stop);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        played.map(Some)
    }

    /// Plays a game. Once `stop` is set, the game ends soon and its result is meaningless.
    fn play_with(&self, game: u64, stop: &AtomicBool) -> Result<MatchGame, Fault> {
        let seats = if self.swap && game % 2 == 1 {
            [1, 0]
        } else {
            [0, 1]
        };
        let mut agents = [0, 1].map(|seat| {
            let seed = derive_seed(self.seed, &[AGENT, game, seat as u64]);
            self.players[seats[seat]].agent_until(seed, stop)
        });
        let (start, setup_seconds) = match self.opening(game) {
            Some(start) => (start, Vec::new()),
            None => place(&mut agents)?,
        };
        let mut fault = None;
        let played = PlayedGame::play(start, |player, board| match agents[player].turn(board) {
            Ok(turn) => Action::Play(turn),
            Err(found) => {
                fault = Some(found);
                Action::STOPPED
            }
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        Ok(MatchGame {
            played,
            setup_seconds,
            seats,
        })
    }

    /// Plays pair number `number` of a match with swapped seats. Once `stop` is set, the result
    /// is meaningless.
    ///
    /// # Errors
    /// As [`Match::play`].
    pub fn pair(&self, number: u64, stop: &AtomicBool) -> Result<Pair, Fault> {
        let won = |game: u64| {
            let game = self.play_until(2 * number + game, stop)?;
            Ok(game.is_some_and(|game| game.winner() == 0))
        };
        Ok(Pair {
            moving_first: won(0)?,
            moving_second: won(1)?,
        })
    }

    /// The opening board of a game; the same for both games of a pair.
    pub(super) fn opening(&self, game: u64) -> Option<Board> {
        let number = if self.swap { game / 2 } else { game };
        self.openings
            .board(OpeningNumber::of_one_game(number), [None, None])
    }
}

/// Lets both agents place their workers. Returns the board and the times they took.
fn place([first, second]: &mut [Box<dyn Agent + '_>; 2]) -> Result<(Board, Vec<f64>), Fault> {
    let began = Instant::now();
    let own = first.place(None)?;
    let first_seconds = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let reply = second.place(Some(own))?;
    let second_seconds = began.elapsed().as_secs_f64();
    Ok((start(own, reply), vec![first_seconds, second_seconds]))
}

impl MatchGame {
    /// The winner, as a player of the match.
    pub fn winner(&self) -> usize {
        self.seats[self.played.winner]
    }

    /// The seat (0 first, 1 second) of a player of the match.
    pub fn seat_of(&self, player: usize) -> usize {
        usize::from(self.seats[0] != player)
    }

    /// The times of the placement and the turns of a seat.
    pub fn seconds_of(&self, seat: usize) -> impl Iterator<Item = f64> + '_ {
        let setup = self.setup_seconds.get(seat).copied();
        setup.into_iter().chain(self.played.seconds_of(seat))
    }

    /// The time of the whole game, in seconds.
    pub fn total_seconds(&self) -> f64 {
        self.setup_seconds.iter().chain(&self.played.seconds).sum()
    }

    /// A checksum of the seats, the opening and the turns, which only copies of a game share.
    pub fn key(&self) -> u64 {
        let mut key = Fnv::default();
        key.add(format!("{:?} {}", self.seats, self.played.start).as_bytes());
        for turn in &self.played.turns {
            key.add(turn.text::<5>().to_string().as_bytes());
        }
        key.value()
    }

    /// The record of the game, as in tournaments, with the names of the match.
    pub fn record(&self, game: u64, names: &[String; 2]) -> GameRecord {
        let played = &self.played;
        let ending = match played.turns.last() {
            Some(turn) if turn.wins() => Ending::Win,
            _ => Ending::NoTurnLeft,
        };
        let turns = played.turns.iter().map(|turn| turn.text::<5>().to_string());
        GameRecord {
            game,
            players: self.seats.map(|player| names[player].clone()),
            cards: None,
            start: Some(write_board(&played.start)),
            turns: turns.collect(),
            seconds: played.seconds.clone(),
            setup_seconds: self.setup_seconds.clone(),
            winner: Some(played.winner as u8),
            ending: ending.name().to_string(),
            why: None,
            pair: None,
            more: Map::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(swap: bool, opening: Option<u32>) -> Match {
        let factory = |text: &str| Factory::new(&text.parse().unwrap(), 0, &mut |_, _| {}).unwrap();
        Match {
            players: [factory("alphabeta:depth=1"), factory("random")],
            seed: 1,
            swap,
            openings: opening.map_or(Openings::SetUp, |turns| random_openings(turns, 1)),
        }
    }

    #[test]
    fn records_replay() {
        for number in 0..40 {
            let opening = (number % 2 == 1).then_some(number as u32 % 4);
            let game = games(number % 3 == 0, opening).play(number).unwrap();
            let record = game.record(number, &["A".into(), "B".into()]);
            let replay = record.replay::<5>().unwrap();
            let last = replay.positions.last().unwrap();
            assert_eq!(last.shows_win(), record.ending == "win");
            assert!(last.shows_win() || !last.has_turn());
            assert_eq!(record.winner.map(u32::from), Some((last.turn() + 1) % 2));
            assert_eq!(record.seconds.len(), replay.turns.len());
            assert_eq!(replay.positions[0], game.played.start);
            assert_eq!(record.setup_seconds.is_empty(), opening.is_some());
            assert_eq!(record.players[game.seat_of(0)], "A");
        }
    }

    #[test]
    fn a_game_that_was_stopped_has_no_result() {
        let stop = AtomicBool::new(true);
        let played = games(false, None).play_until(0, &stop);
        assert!(played.is_ok_and(|game| game.is_none()));
    }

    #[test]
    fn the_times_of_both_players_add_up() {
        let game = games(false, None).play(3).unwrap();
        let sum: f64 = (0..2).flat_map(|seat| game.seconds_of(seat)).sum();
        assert!((sum - game.total_seconds()).abs() < 1e-9);
        assert_eq!(game.setup_seconds.len(), 2);
    }

    #[test]
    fn a_pair_has_one_opening_and_swapped_seats() {
        let games = games(true, Some(4));
        for number in 0..10 {
            let [first, second] = [0, 1].map(|game| games.play(2 * number + game).unwrap());
            assert_eq!(first.played.start, second.played.start);
            assert_eq!([first.seats, second.seats], [[0, 1], [1, 0]]);
            let expected = Pair {
                moving_first: first.winner() == 0,
                moving_second: second.winner() == 0,
            };
            assert_eq!(games.pair(number, &NEVER), Ok(expected));
        }
    }
}
