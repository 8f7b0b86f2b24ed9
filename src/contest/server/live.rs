//! What spectators can see: the table, the games being played, past games.
//!
//! The tournament and its games only ever write here, in short critical
//! sections; whoever looks on takes copies. So no spectator delays a game.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::game::Game;
use super::outcome::Outcome;
use super::play::Played;
use super::standings::Standings;
use crate::protocol::tcp::{Answer, BotName};

/// A game that is being played: every state so far.
#[derive(Debug)]
pub struct LiveGame {
    pub names: [BotName; 2],
    states: Mutex<Vec<Arc<str>>>,
    /// The number of states.
    count: watch::Sender<usize>,
}

impl LiveGame {
    /// A game that begins.
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

    /// The states from the given number on.
    pub fn states_from(&self, first: usize) -> Vec<Arc<str>> {
        locked(&self.states)
            .get(first..)
            .unwrap_or_default()
            .to_vec()
    }

    /// The number of states so far, and a way to wait for more; it closes
    /// when the game is over and forgotten.
    pub fn follow(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }
}

/// A past game, kept small: thousands are held.
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
    /// Keeps a game that is over; `None` if it is not.
    pub fn new(played: &Played) -> Option<Self> {
        Some(Self {
            game: played.pairing.game,
            round: played.pairing.round,
            names: played.names.clone(),
            outcome: played.game.outcome()?,
            why: played.why.clone(),
            answers: played.game.answers().into(),
        })
    }

    /// Every state of the game, line by line.
    pub fn states(&self) -> Vec<String> {
        let names = [self.names[0].as_str(), self.names[1].as_str()];
        Game::replay(&self.answers, self.outcome, names)
    }
}

/// The phase of the tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// Bots are awaited.
    #[default]
    Entry,
    Playing,
    Over,
}

impl Phase {
    /// The word for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Playing => "playing",
            Self::Over => "over",
        }
    }
}

/// Everything that can be seen at one moment, but for the games' states.
#[derive(Debug, Default)]
pub struct View {
    pub phase: Phase,
    pub standings: Standings,
    /// By the bots' numbers.
    pub connected: Vec<bool>,
    /// The number of games being played.
    pub running: usize,
    /// All games of the schedule.
    pub total: usize,
    /// The games being played, if spectators can follow them.
    pub live: BTreeMap<usize, Arc<LiveGame>>,
    /// In the order in which they ended.
    pub past: Vec<PastGame>,
}

/// What the tournament shows to spectators.
#[derive(Debug)]
pub struct Gallery {
    view: Mutex<View>,
    version: watch::Sender<u64>,
}

impl Default for Gallery {
    fn default() -> Self {
        Self {
            view: Mutex::default(),
            version: watch::Sender::new(0),
        }
    }
}

impl Gallery {
    /// Changes what can be seen.
    pub fn show(&self, change: impl FnOnce(&mut View)) {
        change(&mut locked(&self.view));
        self.version.send_modify(|version| *version += 1);
    }

    /// Reads what can be seen; `look` should be short, for it holds the lock.
    pub fn look<T>(&self, look: impl FnOnce(&View) -> T) -> T {
        look(&locked(&self.view))
    }

    /// A way to wait for the next change.
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }
}

/// A poisoned lock only means that a spectator's task panicked while it
/// looked; what is shown is whole all the same.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
