//! The processes and the memory of a player, as its limits count them. The init reads them in
//! `/proc`, where it sees the player's processes and itself.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::program::process_list::{ids, kilobytes, page_size, stat, threads_and_pages};

/// What all processes use together.
#[derive(Debug)]
pub(super) struct Usage {
    /// Resident memory and memory files, in bytes. A shared page counts once for each process:
    /// see [`memory_once`].
    pub memory: u64,
    /// Processes and threads.
    pub processes: u64,
}

impl Usage {
    pub(super) fn now() -> Self {
        let page = page_size();
        let mut used = Self {
            memory: memory_files(),
            processes: 0,
        };
        for (threads, pages) in players().filter_map(threads_and_pages_of) {
            used.processes += threads;
            used.memory += pages * page;
        }
        used
    }
}

/// The same memory in bytes, with pages that processes share counted once. This takes longer.
pub(super) fn memory_once() -> u64 {
    let shares = players().map(share);
    let [all, mapped] = shares.fold([0, 0], |[all, mapped], [more, more_mapped]| {
        [all + more, mapped + more_mapped]
    });
    // Memory files may be mapped, and mapped ones may be closed.
    all - mapped + mapped.max(memory_files())
}

/// The numbers of all processes but the init.
fn players() -> impl Iterator<Item = u32> {
    ids().filter(|&id| id != 1)
}

fn threads_and_pages_of(id: u32) -> Option<(u64, u64)> {
    threads_and_pages(&stat(id)?)
}

/// The share of a process in the memory that is mapped, and the part of it in memory files
/// and other shared memory, both in bytes. All of its memory if the share is unknown.
fn share(id: u32) -> [u64; 2] {
    let rollup = fs::read_to_string(format!("/proc/{id}/smaps_rollup"));
    let share = rollup.ok().and_then(|rollup| parse_rollup(&rollup));
    share.unwrap_or_else(|| {
        let pages = threads_and_pages_of(id).map_or(0, |(_, pages)| pages);
        [pages * page_size(), 0]
    })
}

fn parse_rollup(rollup: &str) -> Option<[u64; 2]> {
    let share = kilobytes(rollup, "Pss:")?;
    let shared_memory = kilobytes(rollup, "Pss_Shmem:")?;
    Some([share << 10, shared_memory << 10])
}

/// The bytes of the files in memory (`memfd_create`) that processes have open, each counted
/// once, and of System V shared memory. Both may be mapped by no process.
fn memory_files() -> u64 {
    let mut counted = HashSet::new();
    let mut bytes = system_v_memory();
    for id in players() {
        let open = fs::read_dir(format!("/proc/{id}/fd"));
        for path in open.into_iter().flatten().flatten().map(|file| file.path()) {
            let target = fs::read_link(&path).unwrap_or_default();
            if target
                .as_os_str()
                .as_encoded_bytes()
                .starts_with(b"/memfd:")
                && let Ok(file) = fs::metadata(path)
                && counted.insert(file.ino())
            {
                bytes += file.blocks() * 512;
            }
        }
    }
    bytes
}

/// The resident bytes of the System V segments of this namespace: column 15 of the list.
fn system_v_memory() -> u64 {
    let list = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    let resident = |line: &str| line.split_whitespace().nth(14)?.parse::<u64>().ok();
    list.lines().filter_map(resident).sum()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// A process that holds this many bytes until its input is closed.
    fn holding(bytes: usize) -> Child {
        let mut tail = Command::new("tail");
        tail.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = tail.spawn().unwrap();
        // `tail` holds all of an unfinished line.
        let input = child.stdin.as_mut().unwrap();
        input.write_all(&vec![b'.'; bytes]).unwrap();
        child
    }

    #[test]
    fn memory_and_threads_of_every_process_count() {
        const HELD: u64 = 64 << 20;
        let mut child = holding(HELD as usize);
        let (threads, pages) = threads_and_pages_of(child.id()).unwrap();
        assert_eq!(threads, 1);
        // The kernel counts pages for each processor, and adds them up now and then.
        assert!(
            (pages * page_size()).abs_diff(HELD) < HELD / 4,
            "{pages} pages"
        );
        let [share, _] = share(child.id());
        assert!(share.abs_diff(HELD) < HELD / 4, "{share}");
        let used = Usage::now();
        // With this process, which has at least two threads.
        assert!(used.processes >= 3, "{used:?}");
        assert!(used.memory > HELD * 3 / 4, "{used:?}");
        drop(child.stdin.take());
        child.wait().unwrap();
    }

    #[test]
    fn the_share_of_a_process_is_read_from_the_systems_text() {
        let rollup = "5566-7ffc ---p 00000000 00:00 0 [rollup]\n\
            Rss:                 100 kB\nPss:                  40 kB\nPss_Dirty:            9 kB\n\
            Pss_Anon:             30 kB\nPss_Shmem:             8 kB\n";
        assert_eq!(parse_rollup(rollup), Some([40 << 10, 8 << 10]));
        assert_eq!(parse_rollup(""), None);
    }
}
