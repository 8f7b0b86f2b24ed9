//! Answering for everything that players start, even what has lost its parent
//! and its environment, and even if the referee itself is killed.
//!
//! On Linux the referee is a *child subreaper*: a process whose parent has
//! ended becomes the referee's child and can be found. And since nobody can
//! act on SIGKILL, a second process, the guard, waits for the referee's end
//! and then kills the players that are left. `PR_SET_PDEATHSIG` would reach
//! only the program that was started and not the children of a script.

use std::collections::HashSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::kill::{KILL_WAIT, collect, kill_process};
use super::processes::{children, family};

/// The subcommand that makes this program a guard, followed by the process
/// number of the referee.
pub const GUARD: &str = "guard";

/// There if this process answers for everything that players start.
static SUPERVISOR: Mutex<Option<Supervisor>> = Mutex::new(None);

struct Supervisor {
    /// Whether processes that lose their parent become children of this one.
    /// Not if it had children before it started any player, as it has after
    /// `sh -c 'job & exec santorini ...'`: theirs would be taken for players'.
    adopts: bool,
    /// The players' processes that have not been collected.
    players: HashSet<u32>,
    /// There since the first player was started.
    guard: Option<Child>,
}

/// Makes this process, which must be the `santorini` program, answer for
/// everything that players start from now on. It must start nothing but
/// players: other children are taken for their orphans.
pub fn supervise() {
    *lock() = Some(Supervisor {
        adopts: children().is_empty(),
        players: HashSet::new(),
        guard: None,
    });
}

/// Starts a player's process.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    // Held meanwhile, so that a new player is not taken for an orphan.
    let mut supervisor = lock();
    let Some(supervisor) = &mut *supervisor else {
        return command.spawn();
    };
    if supervisor.guard.is_none() {
        if supervisor.adopts {
            adopt_orphans();
        }
        // If there is no room for it the players can still play.
        supervisor.guard = start_guard().ok();
    }
    let child = command.spawn()?;
    supervisor.players.insert(child.id());
    Ok(child)
}

/// Says that a player's process has been collected. When no player runs any
/// more, all orphans are killed: nobody can tell whose they are before.
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
        // Its children are orphans when an orphan has ended.
        while self.kill_orphans() && Instant::now() < end {
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// Collects the orphans that have ended; kills the others if no player
    /// runs. Returns whether any were killed that still run.
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

/// From now on processes whose parent has ended become children of this one.
fn adopt_orphans() {
    // Where it cannot be done they are found by their mark alone.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Starts the guard. It keeps the end of a pipe that nobody writes to, and the
/// other end closes with this process, however that ends.
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

/// What a guard does: waits for the end of standard input, and then kills all
/// players of the referee that are left.
pub fn guard(referee: u32) {
    // Whoever kills all programs called santorini spares it.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_name(c"referee-guard");
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    let start = format!("{referee}-");
    let end = Instant::now() + KILL_WAIT;
    // A player that was being started at the end shows its mark a little later.
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
