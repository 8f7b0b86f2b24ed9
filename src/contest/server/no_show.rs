//! Games that never start because a bot is absent.

use super::game::Game;
use super::play::FinishedGame;
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
    pub(super) fn forfeited(&self, pairing: Pairing) -> FinishedGame {
        let names = pairing.bots.map(|bot| self.names[bot].clone());
        let mut game = Game::new();
        let why = match pairing.bots.map(|bot| self.absent[bot]) {
            [true, true] => {
                game.draw(Ending::Absent);
                format!("{} and {} were absent", names[0], names[1])
            }
            [first, _] => {
                let loser = usize::from(!first);
                game.forfeit(loser, Ending::Absent);
                format!("{} was absent", names[loser])
            }
        };
        FinishedGame {
            pairing,
            names,
            game,
            seconds: Vec::new(),
            why: Some(why),
            endings: None,
        }
    }

    /// The messages to the winner of such a game: why it ended, and its only state.
    pub(super) fn lines(&self, pairing: Pairing) -> String {
        let played = self.forfeited(pairing);
        let why = played.why.as_deref().unwrap_or_default();
        let names = played.names.each_ref().map(BotName::as_str);
        remark(why) + &played.game.state(names).line()
    }
}
