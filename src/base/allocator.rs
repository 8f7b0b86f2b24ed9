//! The allocator of the program: that of the system, which ends the program in order
//! where there is no memory left.
//!
//! What is large is asked for with a look at what is left (see `memory.rs`). Where even
//! small things do not fit, the standard library would abort: exit code 134, a core dump
//! and an unclear message.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};

/// A request of this many bytes may fail without the end of the program.
const LARGE: usize = 256 << 10;

/// The system's allocator; ends the program with exit code 1 where it has no memory for
/// something small.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: all work is that of the system's allocator; what it gives is passed on.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract.
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

/// Ends the program. Nothing is allocated for it.
#[cold]
fn out_of_memory() -> ! {
    let message = b"santorini: out of memory; raise the memory limit (ulimit -v, ulimit -d, \
                    or that of the container)\n";
    // Who does not hear it sees the exit code.
    let _ = io::stderr().write_all(message);
    // SAFETY: it only ends the process, as `exit` does, without what might allocate.
    unsafe { nix::libc::_exit(1) }
}
