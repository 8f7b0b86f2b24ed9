//! The program's allocator: the system allocator, but a failed small allocation ends the
//! program with a message and exit code 1.
//!
//! Large allocations first check how much memory is left (see `memory.rs`). When a small
//! one fails, the standard library would abort: exit code 134, a core dump and an unclear
//! message.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};

/// Requests of at least this many bytes may fail without ending the program.
const LARGE: usize = 256 << 10;

/// The system allocator; ends the program with exit code 1 when a small allocation fails.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: every call is passed to the system allocator, and its result is returned
// unchanged.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn checked(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && size < LARGE {
        out_of_memory();
    }
    memory
}

/// Prints a message and ends the program, without allocating.
#[cold]
fn out_of_memory() -> ! {
    let message = b"santorini: out of memory; raise the memory limit (ulimit -v, ulimit -d, \
                    or the limit of the container)\n";
    // If the message cannot be written, the exit code remains.
    let _ = io::stderr().write_all(message);
    // SAFETY: `_exit` ends the process without running handlers, which might allocate.
    unsafe { nix::libc::_exit(1) }
}
