//! How much memory the system would still give this process; `cgroup.rs` reads the limit of
//! the control group.

/// Bytes to leave for the rest of the program (growing stacks, long values, lists) when
/// something that can do with less memory is allocated.
pub const SPARE: usize = 4 << 20;

/// The default stack of a thread, in bytes.
pub const STACK: usize = 2 << 20;

/// The address space that a worker thread takes at most, in bytes: its stack, and what the
/// C library reserves for its allocations (glibc: 64 MiB).
const THREAD: usize = STACK + (66 << 20);

/// The part of it that the thread uses, in bytes: its stack, tables and allocations.
const THREAD_DATA: usize = STACK + (2 << 20);

/// Whether the system would give this many bytes now, within the limits of the process
/// (`ulimit -v`, `ulimit -d`) and of its control group.
///
/// The allocator cannot tell: it also hands out freed memory that it has kept, and only to
/// this thread.
pub fn is_left(bytes: usize) -> bool {
    bytes as u64 <= group_left() && would_map(bytes, true)
}

/// The bytes left under the limit of the control group; `u64::MAX` without a limit.
pub fn group_left() -> u64 {
    #[cfg(all(unix, feature = "system"))]
    if let Some(left) = super::cgroup::memory_left() {
        return left;
    }
    u64::MAX
}

/// Whether the system would map this many bytes; `writable` ones count as data.
#[cfg_attr(not(feature = "system"), expect(unused_variables))]
fn would_map(bytes: usize, writable: bool) -> bool {
    #[cfg(all(unix, feature = "system"))]
    {
        use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, munmap};
        use std::num::NonZeroUsize;
        let Some(length) = NonZeroUsize::new(bytes) else {
            return true;
        };
        let protection = match writable {
            true => ProtFlags::PROT_READ | ProtFlags::PROT_WRITE,
            false => ProtFlags::PROT_NONE,
        };
        // SAFETY: the memory is never used and is unmapped at once.
        unsafe { mmap_anonymous(None, length, protection, MapFlags::MAP_PRIVATE) }
            // SAFETY: as above.
            .is_ok_and(|memory| unsafe { munmap(memory, bytes) }.is_ok())
    }
    // There is address space for all threads.
    #[cfg(all(not(unix), feature = "system"))]
    return !writable || memmap2::MmapMut::map_anon(bytes).is_ok();
    #[cfg(not(feature = "system"))]
    true
}

/// The number of threads, at most `wanted`, for which there is memory.
pub fn threads(wanted: usize) -> usize {
    if wanted == 0 {
        return 0;
    }
    let in_group = group_left() / THREAD_DATA as u64;
    let most = wanted.min(usize::try_from(in_group).unwrap_or(usize::MAX));
    let affordable =
        |&count: &usize| would_map(count * THREAD, false) && would_map(count * THREAD_DATA, true);
    (0..=most).rev().find(affordable).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_some_memory_but_not_any_amount() {
        assert!(is_left(0) && is_left(SPARE));
        assert!(!is_left(1 << 60));
    }
}
