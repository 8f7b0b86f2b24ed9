//! What spectators can see: the table, running games and past games.
//!
//! The tournament and its games only write here, in short critical sections, and
//! spectators take copies. So no spectator delays a game.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use tokio::sync::watch;

use super::game::Game;
use super::outcome::Outcome;
use super::play::TournamentGame;
use super::standings::Standings;
use crate::protocol::tcp::{Answer, BotName};

/// A running game: every state so far.
#[derive(Debug)]
pub struct LiveGame {
    pub names: [BotName; 2],
    states: watch::Sender<Vec<Arc<str>>>,
}

impl LiveGame {
    /// Creates a game without states.
    pub fn new(names: [BotName; 2]) -> Self {
        Self {
            names,
            states: watch::Sender::default(),
        }
    }

    /// Adds a state line.
    pub fn push(&self, line: String) {
        self.states.send_modify(|states| states.push(line.into()));
    }

    /// A channel with all states so far, which reports new ones. It closes when the game is
    /// over and dropped.
    pub fn follow(&self) -> watch::Receiver<Vec<Arc<str>>> {
        self.states.subscribe()
    }
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

/// The view of the tournament for spectators.
#[derive(Debug, Default)]
pub struct Spectators(watch::Sender<TournamentView>);

impl Spectators {
    /// Changes the view.
    pub fn show(&self, change: impl FnOnce(&mut TournamentView)) {
        self.0.send_modify(change);
    }

    /// Reads the view. `look` should be short because it holds the lock.
    pub fn look<T>(&self, look: impl FnOnce(&TournamentView) -> T) -> T {
        look(&self.0.borrow())
    }

    /// A channel that reports changes of the view.
    pub fn follow(&self) -> watch::Receiver<TournamentView> {
        self.0.subscribe()
    }
}
