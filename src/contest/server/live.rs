//! What spectators can see: the table, running games and past games.
//!
//! The tournament and its games only write here, in short critical sections, and
//! spectators take copies. So no spectator delays a game.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::game::Game;
use super::outcome::Outcome;
use super::play::FinishedGame;
use super::standings::Standings;
use crate::protocol::tcp::{Answer, BotName};

/// A running game: every state so far.
#[derive(Debug)]
pub struct LiveGame {
    pub names: [BotName; 2],
    states: Mutex<Vec<Arc<str>>>,
    /// The number of states.
    count: watch::Sender<usize>,
}

impl LiveGame {
    /// Creates a game without states.
    pub fn new(names: [BotName; 2]) -> Self {
        Self {
            names,
            states: Mutex::default(),
            count: watch::Sender::new(0),
        }
    }

    /// Adds a state line.
    pub fn push(&self, line: String) {
        let mut states = locked(&self.states);
        states.push(line.into());
        self.count.send_replace(states.len());
    }

    /// The states starting at index `first`.
    pub fn states_from(&self, first: usize) -> Vec<Arc<str>> {
        locked(&self.states)
            .get(first..)
            .unwrap_or_default()
            .to_vec()
    }

    /// The number of states so far, as a channel that reports changes. It closes when the
    /// game is over and dropped.
    pub fn follow(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
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
    pub fn new(played: &FinishedGame) -> Option<Self> {
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
        let names = [self.names[0].as_str(), self.names[1].as_str()];
        Game::replay(&self.answers, self.outcome, names)
    }
}

/// The phase of the tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// Waiting for bots.
    #[default]
    Entry,
    /// Games are in progress.
    Playing,
    /// The final standings are known.
    Over,
}

impl Phase {
    /// The name in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Playing => "playing",
            Self::Over => "over",
        }
    }
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
#[derive(Debug)]
pub struct Spectators {
    view: Mutex<TournamentView>,
    version: watch::Sender<u64>,
}

impl Default for Spectators {
    fn default() -> Self {
        Self {
            view: Mutex::default(),
            version: watch::Sender::new(0),
        }
    }
}

impl Spectators {
    /// Changes the view.
    pub fn show(&self, change: impl FnOnce(&mut TournamentView)) {
        change(&mut locked(&self.view));
        self.version.send_modify(|version| *version += 1);
    }

    /// Reads the view. `look` should be short because it holds the lock.
    pub fn look<T>(&self, look: impl FnOnce(&TournamentView) -> T) -> T {
        look(&locked(&self.view))
    }

    /// A channel that reports changes of the view.
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }
}

/// Locks in spite of poisoning: a spectator's task panicked while reading, and the data
/// is intact.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
