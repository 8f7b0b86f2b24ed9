//! The system's process list from `/proc`; empty on systems without it.

use std::collections::HashSet;
use std::fs;

/// The environment variable that marks a player program and its children. Its value is
/// the process number of the referee, a hyphen, and the player's number.
pub(super) const MARK: &str = "SANTORINI_PLAYER";

/// An entry of the list.
pub(super) struct ProcessEntry {
    pub id: u32,
    pub parent: u32,
    pub group: u32,
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
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|id| {
            // The name is cut after 15 bytes, perhaps within a character.
            let stat = fs::read(format!("/proc/{id}/stat")).ok()?;
            parse_stat(id, &String::from_utf8_lossy(&stat))
        })
        .collect()
}

/// The running processes with a matching mark, `leader`, and everything whose parent or
/// group leader is one of them.
pub(super) fn family(leader: Option<u32>, is_mark: impl Fn(&str) -> bool) -> HashSet<u32> {
    let mut running = all();
    running.retain(|process| !process.ended);
    let marked = |process: &&ProcessEntry| mark_of(process.id).is_some_and(|mark| is_mark(&mark));
    let roots = running.iter().filter(marked).map(|process| process.id);
    let mut family: HashSet<u32> = roots.chain(leader).collect();
    loop {
        let before = family.len();
        for process in &running {
            if family.contains(&process.parent) || family.contains(&process.group) {
                family.insert(process.id);
            }
        }
        if family.len() == before {
            return family;
        }
    }
}

/// Parses `PID (NAME) STATE PARENT GROUP …`. The name may contain anything, even
/// brackets.
fn parse_stat(id: u32, stat: &str) -> Option<ProcessEntry> {
    let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
    Some(ProcessEntry {
        id,
        ended: matches!(fields.next()?, "Z" | "X"),
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
    })
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
        assert!(!process.ended);
        assert!(parse_stat(7, "7 (a) Z 3 5 5 0 -1").unwrap().ended);
    }
}
