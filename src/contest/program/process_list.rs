//! The system's process list from `/proc`; empty on systems without it.

use std::collections::HashSet;
use std::fs;
use std::str::SplitAsciiWhitespace;

use nix::unistd::{SysconfVar, sysconf};

/// The environment variable that marks a player program and its children. Its value is
/// the process number of the referee, a hyphen, and the player's number or `probe`.
pub(super) const MARK: &str = "SANTORINI_PLAYER";

/// An entry of the list.
pub(super) struct ProcessEntry {
    pub id: u32,
    pub parent: u32,
    pub group: u32,
    /// It is stopped by a signal or a tracer.
    pub stopped: bool,
    /// It has a terminal, and another group of processes is in the foreground.
    in_background: bool,
    /// It has ended, and its parent has not collected it yet.
    pub ended: bool,
}

/// The children of this process, including those that have ended.
pub(super) fn children() -> Vec<u32> {
    // Most kernels list them, which is much faster than reading all processes.
    if let Some(listed) = listed_children() {
        return listed;
    }
    let own = std::process::id();
    let ours = all().into_iter().filter(|process| process.parent == own);
    ours.map(|process| process.id).collect()
}

/// The children that the kernel lists for each thread; `None` if it does not.
fn listed_children() -> Option<Vec<u32>> {
    let mut children = Vec::new();
    for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
        let listed = fs::read_to_string(thread.path().join("children")).ok()?;
        children.extend(listed.split_whitespace().flat_map(str::parse::<u32>));
    }
    Some(children)
}

/// All processes.
fn all() -> Vec<ProcessEntry> {
    ids().filter_map(entry).collect()
}

/// The numbers of all processes.
pub(super) fn ids() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The contents of `/proc/PID/stat`.
pub(super) fn stat(id: u32) -> Option<String> {
    // The name is cut after 15 bytes, perhaps within a character.
    let stat = fs::read(format!("/proc/{id}/stat")).ok()?;
    Some(String::from_utf8_lossy(&stat).into_owned())
}

/// The fields of `/proc/PID/stat` after the name, which is the second and may contain
/// anything, even spaces and brackets.
pub(super) fn after_name(stat: &str) -> Option<SplitAsciiWhitespace<'_>> {
    Some(stat[stat.rfind(')')? + 1..].split_ascii_whitespace())
}

/// The running processes with a matching mark, `leader`, and everything whose parent or
/// group leader is one of them.
pub(super) fn family(leader: Option<u32>, is_mark: impl Fn(&str) -> bool) -> HashSet<u32> {
    let running = running();
    let marked = |process: &&ProcessEntry| mark_of(process.id).is_some_and(|mark| is_mark(&mark));
    let roots = running.iter().filter(marked).map(|process| process.id);
    descendants(&running, roots.chain(leader).collect())
}

/// The running processes.
pub(super) fn running() -> Vec<ProcessEntry> {
    let mut running = all();
    running.retain(|process| !process.ended);
    running
}

/// The processes in `family`, and all of `running` whose parent or group leader is one of
/// them.
pub(super) fn descendants(running: &[ProcessEntry], mut family: HashSet<u32>) -> HashSet<u32> {
    loop {
        let before = family.len();
        for process in running {
            if family.contains(&process.parent) || family.contains(&process.group) {
                family.insert(process.id);
            }
        }
        if family.len() == before {
            return family;
        }
    }
}

/// Parses `PID (NAME) STATE PARENT GROUP SESSION TERMINAL FOREGROUND …`.
fn parse_stat(id: u32, stat: &str) -> Option<ProcessEntry> {
    let mut fields = after_name(stat)?;
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let terminal = fields.nth(1)?;
    let foreground = fields.next()?.parse().ok();
    Some(ProcessEntry {
        id,
        stopped: matches!(state, "T" | "t"),
        in_background: terminal != "0" && foreground != Some(group),
        ended: matches!(state, "Z" | "X"),
        parent,
        group,
    })
}

/// The size of a page of memory in bytes.
pub(super) fn page_size() -> u64 {
    let size = sysconf(SysconfVar::PAGE_SIZE).ok().flatten();
    size.map_or(4096, |size| size as u64)
}

/// The number of threads and of resident pages of a process: fields 20 and 24 of its
/// `/proc/PID/stat`.
pub(super) fn threads_and_pages(stat: &str) -> Option<(u64, u64)> {
    let mut fields = after_name(stat)?;
    let threads = fields.nth(17)?.parse().ok()?;
    let pages = fields.nth(3)?.parse().ok()?;
    Some((threads, pages))
}

/// The number of kilobytes in the line that begins with `name`, such as `MemTotal:`. `text` is
/// a file of `/proc`.
pub(super) fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_whitespace().next()?.parse().ok()
}

/// Whether a process is stopped by a signal or a tracer.
pub(super) fn is_stopped(id: u32) -> bool {
    entry(id).is_some_and(|process| process.stopped)
}

/// Whether a process is stopped, and not by a shell that can continue it.
pub(super) fn is_suspended(id: u32) -> bool {
    entry(id).is_some_and(|process| process.stopped && !process.in_background)
}

fn entry(id: u32) -> Option<ProcessEntry> {
    parse_stat(id, &stat(id)?)
}

/// The mark that the process was started with.
fn mark_of(id: u32) -> Option<String> {
    let environment = fs::read(format!("/proc/{id}/environ")).ok()?;
    let mut variables = environment.split(|&byte| byte == 0);
    let mark = variables
        .find_map(|variable| variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"="))?;
    Some(String::from_utf8_lossy(mark).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_name_may_hold_brackets() {
        let process = parse_stat(7, "7 (a) b (c) S 3 5 5 0 -1").unwrap();
        assert_eq!((process.id, process.parent, process.group), (7, 3, 5));
        assert!(!process.ended && !process.stopped && !process.in_background);
        assert!(parse_stat(7, "7 (a) Z 3 5 5 0 -1").unwrap().ended);
        let stopped = |terminal: &str| parse_stat(7, &format!("7 (a) T 3 5 5 {terminal}")).unwrap();
        assert!(stopped("0 -1").stopped && !stopped("0 -1").in_background);
        assert!(!stopped("34816 5").in_background && stopped("34816 9").in_background);
    }

    #[test]
    fn usage_is_read_from_a_line_of_the_system() {
        let line = "7 (a) b) S 1 7 7 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 3 0 99 12345 678 1";
        assert_eq!(threads_and_pages(line), Some((3, 678)));
        assert_eq!(threads_and_pages("7 (a) S 1"), None);
    }
}
