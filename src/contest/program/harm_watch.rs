//! Watches, in the guard, what players that are not isolated can do without a trace in the
//! game: read memory, change settings of the referee, use up the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use super::exhaustion::Machine;
use super::harm::Harm;
use super::open_watch::{OpenWatch, WatchedFile};
use super::settings::Settings;

/// The interval between looks at settings and at the machine.
const LOOK: Duration = Duration::from_secs(1);

/// A running player, as the guard knows it.
pub(super) struct Running {
    pub name: String,
    /// Whether no other player can reach it.
    pub is_apart: bool,
}

/// The running players by the numbers of their processes.
pub(super) type Players = BTreeMap<u32, Running>;

/// The names of the players, each once, without that of the process `but`.
pub(super) fn names(players: &Players, but: Option<u32>) -> Vec<String> {
    let others = players.iter().filter(|&(&id, _)| Some(id) != but);
    let names: BTreeSet<&String> = others.map(|(_, player)| &player.name).collect();
    names.into_iter().cloned().collect()
}

/// A watch over the referee and its players.
pub(super) struct HarmWatch {
    referee: u32,
    settings: Settings,
    memory: OpenWatch,
    /// The watched memory of players.
    files: BTreeMap<WatchedFile, u32>,
    machine: Machine,
    looked: Instant,
}

impl HarmWatch {
    /// Starts to watch the referee, which must not have started a player yet.
    pub(super) fn new(referee: u32) -> Self {
        let memory = OpenWatch::new();
        memory.add(&memory_of(referee));
        Self {
            referee,
            settings: Settings::of(referee),
            memory,
            files: BTreeMap::new(),
            machine: Machine::new(),
            looked: Instant::now(),
        }
    }

    /// Watches a new player, unless no other can reach it.
    pub(super) fn started(&mut self, id: u32, player: &Running) {
        if !player.is_apart
            && let Some(file) = self.memory.add(&memory_of(id))
        {
            self.files.insert(file, id);
        }
    }

    /// Forgets a player that has ended.
    pub(super) fn ended(&mut self, id: u32) {
        self.machine.ended(id);
        self.files.retain(|&file, player| {
            if *player == id {
                self.memory.remove(file);
            }
            *player != id
        });
    }

    /// What becomes readable when memory is opened.
    pub(super) fn events(&self) -> Option<BorrowedFd<'_>> {
        self.memory.events()
    }

    /// What was done since the last call. Settings and the machine are looked at now and
    /// then, or `now`.
    pub(super) fn look(&mut self, players: &Players, now: bool) -> Vec<Harm> {
        let mut harms = self.read(players);
        if !players.is_empty() && (now || self.looked.elapsed() >= LOOK) {
            self.looked = Instant::now();
            harms.extend(self.changed(players));
            harms.extend(self.machine.look(players));
        }
        harms
    }

    /// Whose memory was opened.
    fn read(&self, players: &Players) -> Vec<Harm> {
        let opened: BTreeSet<WatchedFile> = self.memory.opened().into_iter().collect();
        let harm = |file| match self.files.get(&file) {
            Some(id) => Harm::PlayerRead {
                player: players
                    .get(id)
                    .map_or_else(String::new, |player| player.name.clone()),
                running: names(players, Some(*id)),
            },
            None => Harm::RefereeRead {
                running: names(players, None),
            },
        };
        opened.into_iter().map(harm).collect()
    }

    /// The settings of the referee that were changed.
    fn changed(&mut self, players: &Players) -> Vec<Harm> {
        let settings = Settings::of(self.referee);
        let changes = self.settings.changes(&settings);
        if !settings.is_empty() {
            self.settings = settings;
        }
        let harm = |change| Harm::RefereeChanged {
            change,
            running: names(players, None),
        };
        changes.into_iter().map(harm).collect()
    }
}

fn memory_of(process: u32) -> String {
    format!("/proc/{process}/mem")
}
