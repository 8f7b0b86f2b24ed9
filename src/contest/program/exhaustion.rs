//! Notices when a player uses up the machine: its processes, memory or disks.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::sys::statvfs::statvfs;

use super::harm::Harm;
use super::harm_watch::{Players, names};
use super::process_list::{
    ProcessEntry, descendants, kilobytes, page_size, running, stat, threads_and_pages,
};

/// The minimum time between two checks.
const PAUSE: Duration = Duration::from_millis(200);

/// The processes of players are counted once the machine has this many more threads than
/// before the first player.
const MANY_THREADS: u64 = 100;

/// A player with more processes than this is named.
const MANY_PROCESSES: usize = 100;

/// Memory or a disk runs low when less than one part in this many is left.
const LITTLE: u64 = 50;

/// A disk with this many megabytes left is not low, however large it is.
const ENOUGH_DISK: u64 = 100;

/// The machine before the first player, and the shortages reported so far.
pub(super) struct Machine {
    /// The threads before any player started.
    threads: u64,
    /// Players that were reported for their many processes.
    crowds: BTreeSet<u32>,
    memory_is_little: bool,
    /// Where this program and its players write.
    folders: Vec<PathBuf>,
    full_disks: BTreeSet<PathBuf>,
    last_check: Option<Instant>,
}

/// What is left of something, in megabytes.
#[derive(Debug, Clone, Copy)]
struct Left {
    megabytes: u64,
    of: u64,
}

impl Left {
    const fn is_little(self) -> bool {
        self.megabytes < self.of / LITTLE
    }
}

impl Machine {
    /// Checks the machine before any player runs: players did not cause a shortage found now.
    pub(super) fn new() -> Self {
        let mut machine = Self {
            threads: threads(),
            crowds: BTreeSet::new(),
            memory_is_little: false,
            folders: folders(),
            full_disks: BTreeSet::new(),
            last_check: None,
        };
        machine.check(&Players::new());
        machine
    }

    /// Forgets a player that has ended.
    pub(super) fn ended(&mut self, player: u32) {
        self.crowds.remove(&player);
    }

    /// What has run low since the last check. Each shortage is reported once until it is over.
    /// Nothing if the last check was less than [`PAUSE`] ago.
    pub(super) fn check(&mut self, players: &Players) -> Vec<Harm> {
        let mut harms = Vec::new();
        if self.last_check.is_some_and(|check| check.elapsed() < PAUSE) {
            return harms;
        }
        self.last_check = Some(Instant::now());
        if threads() > self.threads + MANY_THREADS {
            harms.extend(self.crowds(players));
        }
        harms.extend(memory_left().and_then(|left| self.memory(left, players)));
        harms.extend(self.disks(players));
        harms
    }

    fn crowds(&mut self, players: &Players) -> Vec<Harm> {
        let mut harms = Vec::new();
        let running = running();
        for (&id, player) in players {
            let count = descendants(&running, HashSet::from([id])).len();
            if count > MANY_PROCESSES && self.crowds.insert(id) {
                harms.push(Harm::ManyProcesses {
                    player: player.name.clone(),
                    count,
                });
            }
        }
        harms
    }

    fn memory(&mut self, left: Left, players: &Players) -> Option<Harm> {
        let was_little = std::mem::replace(&mut self.memory_is_little, left.is_little());
        if was_little || !self.memory_is_little {
            return None;
        }
        let running = running();
        let used = players.iter();
        let used = used.map(|(&id, player)| (memory_of(id, &running), player));
        let (used, player) = used.max_by_key(|&(used, _)| used)?;
        Some(Harm::LittleMemory {
            left: left.megabytes,
            player: player.name.clone(),
            used,
        })
    }

    fn disks(&mut self, players: &Players) -> Vec<Harm> {
        let folders = self.folders.clone().into_iter();
        let disks = folders.filter_map(|folder| Some((disk_left(&folder)?, folder)));
        disks
            .filter_map(|(left, folder)| self.disk(folder, left, players))
            .collect()
    }

    fn disk(&mut self, folder: PathBuf, left: Left, players: &Players) -> Option<Harm> {
        if !left.is_little() || left.megabytes >= ENOUGH_DISK {
            self.full_disks.remove(&folder);
            return None;
        }
        let harm = Harm::LittleDisk {
            folder: folder.display().to_string(),
            left: left.megabytes,
            running: names(players, None),
        };
        self.full_disks.insert(folder).then_some(harm)
    }
}

/// The current folder, and that for temporary files if it is on another disk.
fn folders() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("."), std::env::temp_dir()];
    let disk = |folder: &PathBuf| fs::metadata(folder).map(|folder| folder.dev()).ok();
    folders.dedup_by_key(|folder| disk(folder));
    folders
}

/// The threads of the machine, the second number of the fourth field of `/proc/loadavg`; 0
/// on systems without it.
fn threads() -> u64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let threads = load.split_whitespace().nth(3);
    let threads = threads.and_then(|threads| threads.split_once('/')?.1.parse().ok());
    threads.unwrap_or_default()
}

/// The memory of the machine that can still be used.
fn memory_left() -> Option<Left> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    Some(Left {
        megabytes: kilobytes(&text, "MemAvailable:")? >> 10,
        of: kilobytes(&text, "MemTotal:")? >> 10,
    })
}

/// What users without special rights can still write to the disk of this folder.
#[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
fn disk_left(folder: &PathBuf) -> Option<Left> {
    let disk = statvfs(folder).ok()?;
    let megabytes = |blocks: u64| (blocks * disk.fragment_size() as u64) >> 20;
    Some(Left {
        megabytes: megabytes(disk.blocks_available() as u64),
        of: megabytes(disk.blocks() as u64),
    })
}

/// The megabytes that a process and its children use.
fn memory_of(process: u32, running: &[ProcessEntry]) -> u64 {
    let family = descendants(running, HashSet::from([process])).into_iter();
    let pages = family.filter_map(|id| Some(threads_and_pages(&stat(id)?)?.1));
    (pages.sum::<u64>() * page_size()) >> 20
}

#[cfg(test)]
mod tests {
    use super::super::harm_watch::WatchedPlayer;
    use super::*;

    fn players() -> Players {
        let player = |name: &str| WatchedPlayer {
            name: name.into(),
            is_apart: false,
        };
        Players::from([
            (std::process::id(), player("Ada")),
            (u32::MAX, player("Bob")),
        ])
    }

    #[test]
    fn little_memory_is_reported_once() {
        let mut machine = Machine::new();
        let left = |megabytes| Left {
            megabytes,
            of: 10_000,
        };
        let mut look = |megabytes| machine.memory(left(megabytes), &players());
        assert_eq!(look(200), None);
        let harm = look(199).unwrap().to_string();
        let start = "only 199 MB of memory are left on this machine; Ada uses ";
        assert!(harm.starts_with(start), "{harm}");
        assert_eq!(look(150), None);
        assert_eq!(look(300), None);
        assert!(look(100).is_some());
    }

    #[test]
    fn a_nearly_full_disk_is_reported_once() {
        let mut machine = Machine::new();
        let mut look = |megabytes, of| {
            let harm = machine.disk("games".into(), Left { megabytes, of }, &players());
            harm.map(|harm| harm.to_string())
        };
        assert_eq!(look(100, 1_000_000), None);
        assert_eq!(look(20, 1000), None);
        let said = "only 19 MB are left on the disk of games; Ada and Bob were running";
        assert_eq!(look(19, 1000).as_deref(), Some(said));
        assert_eq!(look(0, 1000), None);
        assert_eq!(look(500, 1000), None);
        assert!(look(0, 1000).is_some());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn disk_memory_and_threads_are_read_from_the_system() {
        let disk = disk_left(&std::env::temp_dir()).unwrap();
        let memory = memory_left().unwrap();
        for left in [disk, memory] {
            assert!(left.of > 10 && left.megabytes <= left.of, "{left:?}");
        }
        assert!(threads() > 2);
        assert!(memory_of(std::process::id(), &running()) > 1);
    }
}
