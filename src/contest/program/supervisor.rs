//! Cleans up everything that players start, including orphans without their environment,
//! and even if the referee itself is killed.
//!
//! On Linux the referee is a *child subreaper*: a process whose parent has ended becomes
//! the referee's child and can be found. Nothing can react to SIGKILL, so a second
//! process, the guard, waits for the referee's end and then kills the players that are
//! left. `PR_SET_PDEATHSIG` would reach only the program itself, not the children of a
//! script.

use std::collections::HashSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::kill::{KILL_WAIT, collect, kill_process};
use super::process_list::{children, family};

/// The subcommand that runs this program as the guard. Its argument is the process number
/// of the referee.
pub const GUARD: &str = "guard";

/// `Some` once [`supervise`] was called.
static SUPERVISOR: Mutex<Option<Supervisor>> = Mutex::new(None);

struct Supervisor {
    /// Whether orphans become children of this process. Off if it had children before it
    /// started any player, as in `sh -c 'job & exec santorini ...'`: their orphans would
    /// be taken for players'.
    adopts: bool,
    /// The players' processes that were not collected yet.
    players: HashSet<u32>,
    /// Started with the first player.
    guard: Option<Child>,
}

/// Makes this process clean up everything that players start from now on. It must be the
/// `santorini` program and start nothing but players: other children are taken for
/// orphans of players.
pub fn supervise() {
    *lock() = Some(Supervisor {
        adopts: children().is_empty(),
        players: HashSet::new(),
        guard: None,
    });
}

/// Starts a player's process.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    // Locked during the start, so that a new player is not taken for an orphan.
    let mut supervisor = lock();
    let Some(supervisor) = &mut *supervisor else {
        return command.spawn();
    };
    if supervisor.guard.is_none() {
        if supervisor.adopts {
            adopt_orphans();
        }
        // Without a guard the players can still play.
        supervisor.guard = start_guard().ok();
    }
    let child = command.spawn()?;
    supervisor.players.insert(child.id());
    Ok(child)
}

/// Reports that a player's process was collected. Once no player runs, all orphans are
/// killed: before that it is unknown whose they are.
pub(super) fn ended(player: u32) {
    if let Some(supervisor) = &mut *lock() {
        supervisor.players.remove(&player);
        if supervisor.adopts {
            supervisor.end_orphans();
        }
    }
}

impl Supervisor {
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
        self.players.contains(&id) || self.guard.as_ref().is_some_and(|guard| guard.id() == id)
    }
}

/// Makes orphans become children of this process from now on.
fn adopt_orphans() {
    // Without it, orphans are found by their mark alone.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Starts the guard. It reads from a pipe that is never written to and closes when this
/// process ends, however that happens.
fn start_guard() -> io::Result<Child> {
    Command::new("/proc/self/exe")
        .args([GUARD, &std::process::id().to_string()])
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// Runs the guard: waits for the end of standard input, then kills all players of the
/// referee that are left.
pub fn guard(referee: u32) {
    // `killall santorini` must not kill the guard.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_name(c"referee-guard");
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    let start = format!("{referee}-");
    let end = Instant::now() + KILL_WAIT;
    // The mark of a player that was just being started may show up late, so look twice.
    let mut empty_looks = 0;
    while empty_looks < 2 && Instant::now() < end {
        let left = family(None, |mark| mark.starts_with(&start));
        empty_looks = if left.is_empty() { empty_looks + 1 } else { 0 };
        left.into_iter().for_each(kill_process);
        thread::sleep(Duration::from_millis(10));
    }
}

fn lock() -> MutexGuard<'static, Option<Supervisor>> {
    SUPERVISOR.lock().unwrap_or_else(PoisonError::into_inner)
}
