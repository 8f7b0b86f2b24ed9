//! Cleans up everything that players start, including orphans without their environment,
//! and even if the referee itself is killed.
//!
//! On Linux the referee is a *child subreaper*: a process whose parent has ended becomes
//! the referee's child and can be found. If the referee is killed, the guard kills the
//! players that are left: see `guard.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};

use super::command::PlayerCommand;
use super::guard::{GuardMessage, GuardProcess};
use super::harm_watch::WatchedPlayer;
use super::inherited_files;
use super::kill::{KILL_WAIT, collect, kill_process};
use super::process_list::children;
use super::program_file::ProgramFile;
use crate::mutex::MutexExt as _;

/// `Some` once [`supervise`] was called.
static SUPERVISOR: Mutex<Option<Supervisor>> = Mutex::new(None);

struct Supervisor {
    /// Whether orphans become children of this process. Off if it had children before it
    /// started any player, as in `sh -c 'job & exec santorini ...'`: orphans of such a child
    /// would be killed with those of players.
    adopts: bool,
    /// The players' processes that were not collected yet, and the players' names.
    players: BTreeMap<u32, String>,
    /// The programs of all players, as they were before these were started.
    programs: Vec<ProgramFile>,
    /// Started with the first player.
    guard: Option<GuardProcess>,
    /// The file that gets a line if this process is killed.
    kills_file: Option<PathBuf>,
}

/// Makes this process clean up everything that players start from now on, and keeps files
/// from them that were open when it was started. It must be the `santorini` program and
/// start nothing but players: other children would be killed as orphans of players.
pub fn supervise() {
    inherited_files::keep_from_players();
    *lock() = Some(Supervisor {
        adopts: children().is_empty(),
        players: BTreeMap::new(),
        programs: Vec::new(),
        guard: None,
        kills_file: None,
    });
}

/// Names the file that gets a line with the running players if this process is killed.
pub fn note_kills_in(file: PathBuf) {
    if let Some(supervisor) = &mut *lock() {
        supervisor.tell_guard(&GuardMessage::KillsFile(file.clone()));
        supervisor.kills_file = Some(file);
    }
}

/// Remembers the program of a player that is not started yet. A later change is reported.
pub(crate) fn remember_program(player: &str, command: &PlayerCommand) {
    if let Some(supervisor) = &mut *lock()
        && let Some(program) = ProgramFile::of(player, command)
    {
        supervisor.remember(program);
    }
}

/// Starts a player's process. It inherits `passed`, which is closed here.
pub(super) fn spawn(command: &mut Command, passed: Option<OwnedFd>) -> io::Result<Child> {
    // Locked during the start. Otherwise a new player could be taken for an orphan, or could
    // inherit what is passed to another.
    let mut supervisor = lock();
    if let Some(supervisor) = &mut *supervisor {
        supervisor.prepare();
    }
    if let Some(passed) = &passed {
        fcntl(passed, FcntlArg::F_SETFD(FdFlag::empty()))?;
    }
    let child = command.spawn();
    drop(passed);
    let child = child?;
    if let Some(supervisor) = &mut *supervisor {
        supervisor.players.insert(child.id(), String::new());
    }
    Ok(child)
}

/// Names the player of a process.
pub(super) fn name(process: u32, player: WatchedPlayer) {
    if let Some(supervisor) = &mut *lock() {
        supervisor.players.insert(process, player.name.clone());
        supervisor.tell_guard(&GuardMessage::Started(process, player));
    }
}

/// The names of the running players other than that of the process, each once.
pub(super) fn others(process: u32) -> Vec<String> {
    let supervisor = lock();
    let players = supervisor.iter().flat_map(|supervisor| &supervisor.players);
    let others = players.filter(|&(&id, name)| id != process && !name.is_empty());
    let names: BTreeSet<&String> = others.map(|(_, name)| name).collect();
    names.into_iter().cloned().collect()
}

/// Reports that a player's process was collected. Once no player runs, all orphans are
/// killed: before that it is unknown whose they are.
pub(super) fn ended(player: u32) {
    if let Some(supervisor) = &mut *lock() {
        supervisor.players.remove(&player);
        supervisor.tell_guard(&GuardMessage::Ended(player));
        if supervisor.adopts {
            supervisor.end_orphans();
        }
    }
}

impl Supervisor {
    /// Before the first player: adopts orphans and starts the guard.
    fn prepare(&mut self) {
        if self.guard.is_none() {
            if self.adopts {
                adopt_orphans();
            }
            let programs = self.programs.iter().cloned().map(GuardMessage::Program);
            let file = self.kills_file.clone().map(GuardMessage::KillsFile);
            // Without a guard the players can still play.
            self.guard = GuardProcess::start(programs.chain(file)).ok();
        }
    }

    fn remember(&mut self, program: ProgramFile) {
        if self.programs.iter().any(|known| known.is_same(&program)) {
            return;
        }
        self.tell_guard(&GuardMessage::Program(program.clone()));
        self.programs.push(program);
    }

    /// Sends a message to the guard, if it runs.
    fn tell_guard(&mut self, message: &GuardMessage) {
        if let Some(guard) = &mut self.guard {
            guard.send(message);
        }
    }

    fn end_orphans(&self) {
        let end = Instant::now() + KILL_WAIT;
        // Killing an orphan may make orphans of its children.
        while self.kill_orphans() && Instant::now() < end {
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// Collects the orphans that have ended, and kills the others if no player runs.
    /// Returns whether killed orphans may still be running.
    fn kill_orphans(&self) -> bool {
        let mut orphans = children();
        orphans.retain(|&id| !self.knows(id));
        let running: Vec<u32> = orphans.into_iter().filter(|&id| collect(id)).collect();
        if !self.players.is_empty() {
            return false;
        }
        running.iter().for_each(|&id| kill_process(id));
        !running.is_empty()
    }

    fn knows(&self, id: u32) -> bool {
        self.players.contains_key(&id) || self.guard.as_ref().is_some_and(|guard| guard.id() == id)
    }
}

/// Makes orphans become children of this process from now on.
fn adopt_orphans() {
    // Without it, orphans are found by their mark alone.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

fn lock() -> MutexGuard<'static, Option<Supervisor>> {
    SUPERVISOR.locked()
}
