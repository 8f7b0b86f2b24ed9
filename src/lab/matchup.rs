//! Many games between two agents.

use super::agent::Board;
use super::factory::Factory;
use super::game::{Played, play};
use crate::openings::random_opening;
use crate::seeds::derive_seed;

/// A match of any number of games. Every game depends on the seed and its own
/// number alone.
pub struct Match {
    pub players: [Factory; 2],
    pub seed: u64,
    /// Whether the second player moves first in every other game.
    pub swap: bool,
    /// The random turns after a random placement that games begin with; if
    /// `None`, the players place their workers themselves.
    pub opening: Option<u32>,
}

/// One game of a match.
pub struct MatchGame {
    pub played: Played,
    /// Which player of the match each player of the game was.
    pub seats: [usize; 2],
}

/// What a seed is derived for.
const OPENING: u64 = 0;
const AGENT: u64 = 1;

impl Match {
    /// Plays the game with this number.
    pub fn play(&self, game: u64) -> MatchGame {
        let seats = if self.swap && game % 2 == 1 {
            [1, 0]
        } else {
            [0, 1]
        };
        let agent = |seat: usize| {
            let seed = derive_seed(self.seed, &[AGENT, game, seat as u64]);
            self.players[seats[seat]].agent(seed)
        };
        let (mut first, mut second) = (agent(0), agent(1));
        MatchGame {
            played: play([&mut *first, &mut *second], self.opening(game)),
            seats,
        }
    }

    /// The two games of a pair start from the same board.
    fn opening(&self, game: u64) -> Option<Board> {
        let number = if self.swap { game / 2 } else { game };
        let seed = derive_seed(self.seed, &[OPENING]);
        self.opening
            .map(|turns| random_opening(turns, seed, number, [None, None]))
    }
}

impl MatchGame {
    /// Which player of the match won.
    pub fn winner(&self) -> usize {
        self.seats[self.played.winner]
    }

    /// The seat (0 first, 1 second) of a player of the match.
    pub fn seat_of(&self, player: usize) -> usize {
        usize::from(self.seats[0] != player)
    }
}
