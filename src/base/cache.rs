//! Warming the processor's caches.

use std::hint::black_box;

use bytemuck::NoUninit;

/// The size of a cache line, in bytes.
const LINE: usize = 64;

/// Reads the values into the caches. The reads do not depend on each other, so they
/// overlap; the reads of a search would wait for one another.
pub(crate) fn warm<T: NoUninit>(values: &[T]) {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let lines = bytes.iter().step_by(LINE);
    black_box(lines.fold(0, |sum: u8, &byte| sum.wrapping_add(byte)));
}
