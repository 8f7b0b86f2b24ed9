//! What spectators can see: the table, running games and past games.
//!
//! The tournament and its games publish this through channels, in short critical sections.
//! Spectators take copies, so no spectator delays a game.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use tokio::sync::watch;

use super::game::{Game, Outcome};
use super::play::TournamentGame;
use super::standings::Standings;
use crate::protocol::tcp::{Answer, BotName};

/// A running game.
#[derive(Debug)]
pub struct LiveGame {
    pub names: [BotName; 2],
    /// The line of every state so far.
    pub states: watch::Sender<Vec<Arc<str>>>,
}

/// A past game, kept small because there may be thousands.
#[derive(Debug, Clone)]
pub struct PastGame {
    pub game: usize,
    pub round: usize,
    pub names: [BotName; 2],
    pub outcome: Outcome,
    pub why: Option<String>,
    answers: Box<[Answer]>,
}

impl PastGame {
    /// Creates a past game; `None` if it is not over.
    pub fn new(played: &TournamentGame) -> Option<Self> {
        Some(Self {
            game: played.pairing.game,
            round: played.pairing.round,
            names: played.names.clone(),
            outcome: played.game.outcome()?,
            why: played.why.clone(),
            answers: played.game.answers().into(),
        })
    }

    /// The line of every state of the game.
    pub fn states(&self) -> Vec<String> {
        let names = self.names.each_ref().map(BotName::as_str);
        Game::replay(&self.answers, self.outcome, names)
    }
}

/// The phase of the tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Waiting for bots.
    #[default]
    Entry,
    /// Games are in progress.
    Playing,
    /// The final standings are known.
    Over,
}

/// Everything that can be seen at one time, except the states of games.
#[derive(Debug, Default)]
pub struct TournamentView {
    /// Whether bots are awaited, games are played, or all is over.
    pub phase: Phase,
    /// The points of all bots so far.
    pub standings: Standings,
    /// Whether each bot is connected, by number.
    pub connected: Vec<bool>,
    /// The number of running games.
    pub running: usize,
    /// The number of games in the schedule.
    pub total: usize,
    /// The running games, if spectators can follow them.
    pub live: BTreeMap<usize, Arc<LiveGame>>,
    /// Finished games, in the order in which they ended.
    pub past: Vec<PastGame>,
}
