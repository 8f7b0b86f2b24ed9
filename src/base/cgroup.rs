//! The memory left under the limit of this process's control group (cgroup), as set by a
//! container or by `MemoryMax` of a service. The kernel kills a process that exceeds it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Bytes reserved for the kernel and for the pages of the program file. Both count against
/// the limit. With fewer, the kernel would evict those pages and reload them all the time.
const FILE_PAGES: u64 = 8 << 20;

/// Limits from this value on mean "no limit": version 1 writes the largest multiple of the
/// page size.
const NO_LIMIT: u64 = 1 << 60;

/// The bytes that this process may still allocate and use; `None` if its group has no limit
/// or the limit cannot be read.
pub(super) fn memory_left() -> Option<u64> {
    static LIMITED: OnceLock<Vec<Group>> = OnceLock::new();
    let limited = LIMITED.get_or_init(|| {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        limited_groups(Path::new("/sys/fs/cgroup"), &own)
    });
    let left = limited.iter().filter_map(Group::left).min()?;
    // Allocated memory counts once it is touched, so what is not touched yet is subtracted.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    Some(left.saturating_sub(untouched(&status) + FILE_PAGES))
}

/// A group with a limit.
struct Group {
    folder: PathBuf,
    files: &'static Files,
}

/// The names of a group's files, each with a number of bytes, and the keys of its statistics
/// for file pages, which the kernel reclaims when it needs memory.
struct Files {
    limits: &'static [&'static str],
    usage: &'static str,
    pages_of_files: [&'static str; 2],
}

const VERSION_1: Files = Files {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    pages_of_files: ["total_active_file", "total_inactive_file"],
};

/// Above `memory.high` processes are throttled.
const VERSION_2: Files = Files {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    pages_of_files: ["active_file", "inactive_file"],
};

/// The groups of a process and their ancestors that have a limit; `own` is the text of its
/// `/proc/PID/cgroup`.
fn limited_groups(root: &Path, own: &str) -> Vec<Group> {
    let mut groups = Vec::new();
    for line in own.lines() {
        // The number of a hierarchy, its controllers, and the group in it.
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let (top, files) = match controllers {
            "" => (root.to_path_buf(), &VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), &VERSION_1)
            }
            _ => continue,
        };
        // In a container the path may lie outside its tree. Then the top of the tree is the
        // process's own group.
        let folder = top.join(path.trim_start_matches('/'));
        let ancestors = folder.ancestors().take_while(|it| it.starts_with(&top));
        groups.extend(ancestors.map(|folder| Group {
            folder: folder.to_path_buf(),
            files,
        }));
    }
    groups.retain(|group| group.limit().is_some());
    groups
}

impl Group {
    fn limit(&self) -> Option<u64> {
        let limits = self.files.limits.iter();
        let limits = limits.filter_map(|name| self.number(name));
        limits.filter(|&limit| limit < NO_LIMIT).min()
    }

    /// The limit minus the memory in use that cannot be reclaimed.
    fn left(&self) -> Option<u64> {
        let statistics = fs::read_to_string(self.folder.join("memory.stat")).unwrap_or_default();
        let pages = self.files.pages_of_files.into_iter();
        let pages: u64 = pages.filter_map(|name| field(&statistics, name)).sum();
        let usage = self.number(self.files.usage).unwrap_or_default();
        let used = usage.saturating_sub(pages);
        Some(self.limit()?.saturating_sub(used))
    }

    /// The number in a file; `None` if the file is missing or holds anything else.
    fn number(&self, name: &str) -> Option<u64> {
        let text = fs::read_to_string(self.folder.join(name)).ok()?;
        text.trim().parse().ok()
    }
}

/// The bytes that a process has allocated but not touched, from its `/proc/PID/status`.
fn untouched(status: &str) -> u64 {
    let kib = |name| field(status, name).unwrap_or_default();
    kib("VmData:").saturating_sub(kib("RssAnon:")) << 10
}

/// The number after `name` at the start of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    let mut line = lines.find_map(|mut line| (line.next() == Some(name)).then_some(line))?;
    line.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of groups: the files with their texts.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn left(files: &[(&str, &str)], own: &str) -> Vec<Option<u64>> {
        let root = tree(files);
        let groups = limited_groups(root.path(), own);
        groups.iter().map(Group::left).collect()
    }

    #[test]
    fn version_2_limits_are_found_in_all_groups_above() {
        let files = [
            ("a/b/memory.max", "max\n"),
            ("a/b/memory.high", "70000\n"),
            ("a/b/memory.current", "30000\n"),
            (
                "a/b/memory.stat",
                "anon 1\nactive_file 4000\ninactive_file 6000\n",
            ),
            ("a/memory.max", "50000\n"),
            ("a/memory.current", "45000\n"),
            ("a/memory.stat", "inactive_anon 7\n"),
        ];
        let expected = [Some(70_000 - 20_000), Some(5000)];
        assert_eq!(left(&files, "0::/a/b\n"), expected);
        assert_eq!(left(&files, "0::/a\n"), expected[1..]);
        assert_eq!(left(&files, "0::/\n"), []);
    }

    #[test]
    fn version_1_has_a_hierarchy_for_memory() {
        let files = [
            ("memory/x/memory.limit_in_bytes", "60000\n"),
            ("memory/x/memory.usage_in_bytes", "90000\n"),
            (
                "memory/x/memory.stat",
                "active_file 1\ntotal_active_file 40000\n",
            ),
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        let own = "5:cpu,memory:/x\n4:cpuset:/y\n1:name=systemd:/\n0::/\n";
        assert_eq!(left(&files, own), [Some(10_000)]);
    }

    #[test]
    fn the_group_of_a_container_is_the_root_of_its_tree() {
        let files = [
            ("memory/memory.limit_in_bytes", "60000\n"),
            ("memory/memory.usage_in_bytes", "70000\n"),
        ];
        assert_eq!(left(&files, "4:memory:/docker/0123\n"), [Some(0)]);
    }

    #[test]
    fn missing_groups_and_invalid_files_mean_no_limit() {
        assert_eq!(left(&[], "0::/a\n4:memory:/b\n"), []);
        assert_eq!(left(&[("memory.max", "a lot")], "0::/\nnonsense\n:\n"), []);
    }

    #[test]
    fn untouched_memory_is_counted() {
        let status = "Name:\tx\nVmData:\t    9000 kB\nRssAnon:\t    8000 kB\n";
        assert_eq!(untouched(status), 1000 << 10);
        assert_eq!(untouched(""), 0);
    }
}
