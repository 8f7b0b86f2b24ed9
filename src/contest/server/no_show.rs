//! Games that never start because a bot is absent.

use std::sync::Arc;

use super::connection::Connection;
use super::play::TournamentGame;
use super::schedule::Pairing;
use crate::protocol::tcp::{BotName, remark};
use crate::record::Ending;

/// All bots by number, and which of them are absent.
pub(super) struct NoShows {
    pub names: Vec<BotName>,
    pub absent: Vec<bool>,
}

impl NoShows {
    /// Whether a bot of the game is absent.
    pub(super) fn concerns(&self, bots: [usize; 2]) -> bool {
        bots.iter().any(|&bot| self.absent[bot])
    }

    /// The bot of the game that is present, if any.
    pub(super) fn winner(&self, bots: [usize; 2]) -> Option<usize> {
        bots.into_iter().find(|&bot| !self.absent[bot])
    }

    /// The result of a game that never started: an absent bot loses; if both are absent,
    /// it is a draw.
    pub(super) fn forfeited(&self, pairing: Pairing) -> TournamentGame {
        let names = pairing.bots.map(|bot| self.names[bot].clone());
        let winner = pairing.bots.iter().position(|&bot| !self.absent[bot]);
        let why = match winner {
            Some(winner) => format!("{} was absent", names[1 - winner]),
            None => format!("{} and {} were absent", names[0], names[1]),
        };
        let mut played = TournamentGame::new(pairing, names);
        played.game.end(winner, Ending::Absent);
        played.why = Some(why);
        played
    }

    /// The messages to the winner of such a game: why it ended, and its only state.
    fn lines(&self, pairing: Pairing) -> String {
        let played = self.forfeited(pairing);
        remark(played.why.as_deref().unwrap_or_default()) + &played.state_line()
    }
}

/// Sends a bot the results of games that it won against absent bots.
pub(super) async fn tell_wins(
    no_shows: Arc<NoShows>,
    won: Vec<Pairing>,
    mut connection: Connection,
) -> Connection {
    let games = won.into_iter();
    connection
        .send_each(games.map(|game| no_shows.lines(game)))
        .await;
    connection
}
