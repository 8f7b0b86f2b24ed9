//! Games that never begin, because bots are away.

use super::game::Game;
use super::play::Played;
use super::schedule::Pairing;
use crate::protocol::tcp::{BotName, remark};
use crate::record::Ending;

/// All bots by their numbers, and which of them are away.
pub struct Absence {
    pub names: Vec<BotName>,
    pub absent: Vec<bool>,
}

impl Absence {
    /// Whether a bot of the game is away.
    pub fn concerns(&self, bots: [usize; 2]) -> bool {
        bots.iter().any(|&bot| self.absent[bot])
    }

    /// The bot of the game that is there, if one is.
    pub fn winner(&self, bots: [usize; 2]) -> Option<usize> {
        bots.into_iter().find(|&bot| !self.absent[bot])
    }

    /// The end of a game that never began: who is away has lost it.
    pub fn forfeited(&self, pairing: Pairing) -> Played {
        let names = pairing.bots.map(|bot| self.names[bot].clone());
        let mut game = Game::new();
        let why = match pairing.bots.map(|bot| self.absent[bot]) {
            [true, true] => {
                game.draw(Ending::Absent);
                "both bots were not there".to_string()
            }
            [first, _] => {
                let loser = usize::from(!first);
                game.forfeit(loser, Ending::Absent);
                format!("{} was not there", names[loser])
            }
        };
        Played {
            pairing,
            names,
            game,
            seconds: Vec::new(),
            why: Some(why),
        }
    }

    /// What the bot that is there is told of such a game: why it ended, and its
    /// only state.
    pub fn lines(&self, pairing: Pairing) -> String {
        let played = self.forfeited(pairing);
        let why = played.why.as_deref().unwrap_or_default();
        let names = played.names.each_ref().map(BotName::as_str);
        remark(why) + &played.game.state(names).line()
    }
}
