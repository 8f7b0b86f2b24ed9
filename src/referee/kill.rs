//! Ending a player program with everything it has started.
//!
//! The process group catches all that a program starts in the ordinary way.
//! A process that has left the group is found, where `/proc` shows processes,
//! by its parents or by the environment variable that every player program is
//! started with and that its children inherit.

use std::collections::HashSet;
use std::fs;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// The environment variable that marks a player program and its children.
pub(super) const MARK: &str = "SANTORINI_PLAYER";

/// How long killed processes may take to end. They end at once unless the
/// system itself holds them, in a hanging network file system for example.
const KILL_WAIT: Duration = Duration::from_secs(2);

/// Kills the child, its process group and all its descendants, and waits
/// until they have ended. `mark` is the child's value of [`MARK`].
pub(super) fn kill_tree(child: &mut Child, mark: &str) {
    let group = Pid::from_raw(child.id() as i32);
    let end = Instant::now() + KILL_WAIT;
    let mut others = family(child.id(), mark);
    loop {
        // Errors mean that there is nothing left to kill.
        let _ = killpg(group, Signal::SIGKILL);
        let _ = child.kill();
        for &other in &others {
            let _ = kill(Pid::from_raw(other as i32), Signal::SIGKILL);
        }
        let runs = matches!(child.try_wait(), Ok(None));
        if !runs && others.is_empty() || Instant::now() > end {
            break;
        }
        thread::sleep(Duration::from_micros(200));
        // Most programs have started nothing; then one look is enough.
        if !others.is_empty() {
            others = family(child.id(), mark);
        }
    }
}

/// The running processes, beside the leader, that belong to its group,
/// descend from it or carry its mark.
fn family(leader: u32, mark: &str) -> Vec<u32> {
    let processes = running_processes();
    let mut family: HashSet<u32> = processes
        .iter()
        .filter(|process| process.group == leader || carries(process.id, mark))
        .map(|process| process.id)
        .collect();
    family.insert(leader);
    loop {
        let before = family.len();
        for process in &processes {
            if family.contains(&process.parent) {
                family.insert(process.id);
            }
        }
        if family.len() == before {
            break;
        }
    }
    family.remove(&leader);
    family.into_iter().collect()
}

/// A line of the system's list of processes.
struct Process {
    id: u32,
    parent: u32,
    group: u32,
}

/// All processes that have not ended; none where there is no `/proc`.
fn running_processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|id| parse_stat(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?))
        .collect()
}

/// Reads `PID (NAME) STATE PARENT GROUP …`; the name may hold anything, also
/// brackets. `None` for a process that has ended and waits to be collected.
fn parse_stat(id: u32, stat: &str) -> Option<Process> {
    let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    Some(Process {
        id,
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
    })
}

/// Whether the process was started with the mark in its environment.
fn carries(id: u32, mark: &str) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{id}/environ")) else {
        return false;
    };
    let wanted = format!("{MARK}={mark}");
    environment
        .split(|&byte| byte == 0)
        .any(|entry| entry == wanted.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_name_may_hold_brackets() {
        let process = parse_stat(7, "7 (a) b (c) S 3 5 5 0 -1").unwrap();
        assert_eq!((process.id, process.parent, process.group), (7, 3, 5));
        assert!(parse_stat(7, "7 (a) Z 3 5 5 0 -1").is_none());
    }
}
