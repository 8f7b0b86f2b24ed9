//! How much memory the system would still give this process. What is left of it in the
//! control group says `cgroup.rs`.

/// What is left to the rest of the program where something can do with less
/// memory, in bytes: a stack that grows, a long value that is read, lists.
pub const SPARE: usize = 4 << 20;

/// The stack of a thread of which nothing else is said, in bytes.
pub const STACK: usize = 2 << 20;

/// What a thread that computes takes at most, in bytes: its stack, and the
/// addresses that the C library sets aside for what it allocates (glibc: 64 MiB).
const THREAD: usize = STACK + (66 << 20);

/// What such a thread uses of it: its stack, its tables and what it allocates, in bytes.
const THREAD_DATA: usize = STACK + (2 << 20);

/// Whether the system would give this many bytes now, within the limits of the process
/// (`ulimit -v`, `ulimit -d`) and of its control group.
///
/// The allocator cannot be asked: it also hands out what it has kept of memory
/// that was freed, and to this thread alone.
pub fn is_left(bytes: usize) -> bool {
    bytes as u64 <= group_left() && would_map(bytes, true)
}

/// The bytes that the control group of this process leaves to it.
pub fn group_left() -> u64 {
    #[cfg(all(unix, feature = "system"))]
    if let Some(left) = super::cgroup::memory_left() {
        return left;
    }
    u64::MAX
}

/// Whether the system would give the addresses of this many bytes, and, if they are
/// `writable`, count them as data.
#[cfg_attr(not(all(unix, feature = "system")), expect(unused_variables))]
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
        // SAFETY: nobody ever uses the memory, which is given back at once.
        unsafe { mmap_anonymous(None, length, protection, MapFlags::MAP_PRIVATE) }
            // SAFETY: as above.
            .is_ok_and(|memory| unsafe { munmap(memory, bytes) }.is_ok())
    }
    #[cfg(not(all(unix, feature = "system")))]
    true
}

/// How many of the wanted threads there is memory for.
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
