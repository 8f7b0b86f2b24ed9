//! Watches, in the guard, what players that are not isolated can do without a trace in the
//! game: read memory, change settings of the referee, use up the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;
use std::os::fd::BorrowedFd;

use serde::{Deserialize, Serialize};

use super::exhaustion::Machine;
use super::harm::Harm;
use super::open_watch::{OpenWatch, WatchedFile};
use super::process_settings::ProcessSettings;
use super::program_file::ProgramFile;

/// A running player, as the guard knows it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WatchedPlayer {
    pub name: String,
    /// Whether no other player can reach it.
    pub is_apart: bool,
}

/// The running players by the numbers of their processes.
pub(super) type Players = BTreeMap<u32, WatchedPlayer>;

/// The names of the players, each once, without that of the process `but`.
pub(super) fn names(players: &Players, but: Option<u32>) -> Vec<String> {
    let others = players.iter().filter(|&(&id, _)| Some(id) != but);
    let names: BTreeSet<&String> = others.map(|(_, player)| &player.name).collect();
    names.into_iter().cloned().collect()
}

/// A watch over the referee and its players.
pub(super) struct HarmWatch {
    referee: u32,
    settings: ProcessSettings,
    memory: OpenWatch,
    /// The processes whose memory is watched: the referee and players.
    files: BTreeMap<WatchedFile, u32>,
    programs: Vec<ProgramFile>,
    /// What was noticed since the last check.
    noticed: Vec<Harm>,
    machine: Machine,
}

impl HarmWatch {
    /// Starts to watch the referee, which must not have started a player yet.
    pub(super) fn new(referee: u32) -> Self {
        let mut watch = Self {
            referee,
            settings: ProcessSettings::of(referee),
            memory: OpenWatch::new(),
            files: BTreeMap::new(),
            programs: Vec::new(),
            noticed: Vec::new(),
            machine: Machine::new(),
        };
        watch.watch_memory(referee);
        watch
    }

    /// Watches a new player.
    pub(super) fn started(&mut self, id: u32, player: &WatchedPlayer) {
        if !player.is_apart {
            self.watch_memory(id);
        }
    }

    /// Watches the program of a player, which may not run yet.
    pub(super) fn watch_program(&mut self, program: ProgramFile) {
        self.programs.push(program);
    }

    fn watch_memory(&mut self, process: u32) {
        let file = self.memory.add(&format!("/proc/{process}/mem"));
        self.files.extend(file.map(|file| (file, process)));
    }

    /// Forgets a player that has ended. `players` still holds it.
    pub(super) fn ended(&mut self, id: u32, players: &Players) {
        // It may have changed the program of another.
        let changed = self.changed_programs(players);
        self.noticed.extend(changed);
        self.machine.ended(id);
        self.files.retain(|&file, player| {
            if *player == id {
                self.memory.remove(file);
            }
            *player != id
        });
    }

    /// The descriptor that becomes readable when memory is opened.
    pub(super) fn events(&self) -> Option<BorrowedFd<'_>> {
        self.memory.events()
    }

    /// What was done since the last call.
    pub(super) fn check(&mut self, players: &Players) -> Vec<Harm> {
        let mut harms = take(&mut self.noticed);
        harms.extend(self.opened_memory(players));
        if !players.is_empty() {
            harms.extend(self.changed_programs(players));
            harms.extend(self.changed_settings(players));
            harms.extend(self.machine.check(players));
        }
        harms
    }

    /// The processes whose memory was opened. Each is reported once.
    fn opened_memory(&mut self, players: &Players) -> Vec<Harm> {
        let mut harms = Vec::new();
        for file in self.memory.opened() {
            let Some(id) = self.files.remove(&file) else {
                continue;
            };
            self.memory.remove(file);
            let running = names(players, Some(id));
            harms.push(match players.get(&id) {
                Some(player) => Harm::PlayerRead {
                    player: player.name.clone(),
                    running,
                },
                None => Harm::RefereeRead { running },
            });
        }
        harms
    }

    /// The programs that were changed.
    fn changed_programs(&mut self, players: &Players) -> Vec<Harm> {
        let changed = self.programs.iter_mut().filter_map(|program| {
            program.take_change().then(|| Harm::ProgramChanged {
                file: program.path.display().to_string(),
                is_removed: program.is_removed(),
                player: program.player.clone(),
                running: names(players, None),
            })
        });
        changed.collect()
    }

    /// The settings of the referee that were changed.
    fn changed_settings(&mut self, players: &Players) -> Vec<Harm> {
        let settings = ProcessSettings::of(self.referee);
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
