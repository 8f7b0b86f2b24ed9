//! Kills a player program and everything that it has started.
//!
//! The process group covers everything that a program starts in the ordinary way. A
//! process that has left the group is found by its parents, or by the environment
//! variable that every player program gets and its children inherit. Processes without
//! any of the three are left to `supervisor.rs`.

use std::collections::HashSet;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::process_list::family;
use super::termination::Exit;

/// The maximum wait for killed processes. They end at once unless the system holds them,
/// for example in a hanging network file system.
pub(super) const KILL_WAIT: Duration = Duration::from_secs(2);

/// How the child ended; `None` if it runs. Where there is `waitid`, the child is left for
/// [`kill_tree`] to collect: until then no other process gets its number, which is also the
/// number of its group. On other systems it is collected here.
pub(super) fn exit_of(child: &mut Child) -> Option<Exit> {
    #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
    {
        use nix::sys::wait::{Id, waitid};

        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(Id::Pid(process_id(child.id())), flags) {
            Ok(WaitStatus::Exited(_, code)) => return Some(Exit::Code(code)),
            Ok(WaitStatus::Signaled(_, signal, _)) => return Some(Exit::Signal(signal as i32)),
            Ok(_) => return None,
            // Its signal has no name, or it has been collected.
            Err(_) => {}
        }
    }
    child.try_wait().ok().flatten().map(Exit::from)
}

/// Kills the child, its process group and all descendants, and waits until they have
/// ended. The child is collected last. `mark` is the child's value of
/// [`MARK`](super::process_list::MARK).
pub(super) fn kill_tree(child: &mut Child, mark: &str) {
    let group = process_id(child.id());
    let end = Instant::now() + KILL_WAIT;
    let mut others = family_of(child.id(), mark);
    let mut killed = HashSet::new();
    loop {
        // Errors mean that there is nothing left to kill.
        let _ = killpg(group, Signal::SIGKILL);
        let _ = child.kill();
        for &other in &others {
            kill_process(other);
        }
        killed.extend(others.iter().copied());
        // The init of a player's namespace ends once all processes in it were collected.
        for &id in &killed {
            collect(id);
        }
        let runs = exit_of(child).is_none();
        if !runs && others.is_empty() || Instant::now() > end {
            break;
        }
        thread::sleep(Duration::from_micros(200));
        // Most programs have no children, so one look is enough.
        if !others.is_empty() {
            others = family_of(child.id(), mark);
        }
    }
    let _ = child.try_wait();
    for id in killed {
        collect(id);
    }
}

/// The running processes besides the leader that belong to its group, descend from it or
/// carry its mark.
fn family_of(leader: u32, mark: &str) -> HashSet<u32> {
    let mut family = family(Some(leader), |carried| carried == mark);
    family.remove(&leader);
    family
}

/// Kills a process. Failing means that it has ended already.
pub(super) fn kill_process(id: u32) {
    let _ = kill(process_id(id), Signal::SIGKILL);
}

/// Reaps a process that has ended, if it became a child of this one. Returns whether such
/// a child still runs.
pub(super) fn collect(id: u32) -> bool {
    let state = waitpid(process_id(id), Some(WaitPidFlag::WNOHANG));
    state == Ok(WaitStatus::StillAlive)
}

const fn process_id(id: u32) -> Pid {
    Pid::from_raw(id as i32)
}
