//! How much memory the system would still give this process.

/// What is left to the rest of the program where something can do with less
/// memory, in bytes: a stack that grows, a long value that is read, lists.
pub const SPARE: usize = 4 << 20;

/// The stack of a thread of which nothing else is said, in bytes.
pub const STACK: usize = 2 << 20;

/// What a thread that computes takes at most, in bytes: its stack, and the
/// addresses that the C library sets aside for what it allocates (glibc: 64 MiB).
const THREAD: usize = STACK + (66 << 20);

/// Whether the system would give this many bytes now. It is not asked for more
/// than addresses: where they are not limited (`ulimit -v`), the answer is yes.
///
/// The allocator cannot be asked: it also hands out what it has kept of memory
/// that was freed, and to this thread alone.
#[cfg_attr(not(all(unix, feature = "system")), expect(unused_variables))]
pub fn is_left(bytes: usize) -> bool {
    #[cfg(all(unix, feature = "system"))]
    {
        use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, munmap};
        use std::num::NonZeroUsize;
        let Some(length) = NonZeroUsize::new(bytes) else {
            return true;
        };
        let (none, private) = (ProtFlags::PROT_NONE, MapFlags::MAP_PRIVATE);
        // SAFETY: nobody ever uses the memory, which is given back at once.
        unsafe { mmap_anonymous(None, length, none, private) }
            .is_ok_and(|memory| unsafe { munmap(memory, bytes) }.is_ok())
    }
    #[cfg(not(all(unix, feature = "system")))]
    true
}

/// How many of the wanted threads there is memory for.
pub fn threads(wanted: usize) -> usize {
    let affordable = |&count: &usize| is_left(count * THREAD);
    (0..=wanted).rev().find(affordable).unwrap_or(0)
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
