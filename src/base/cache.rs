//! The caches of the processor.

use std::hint::black_box;

use bytemuck::NoUninit;

/// The bytes that a cache reads at once.
const LINE: usize = 64;

/// Reads some values into the caches. Reads one after the other need not wait for each
/// other, as those of a program that follows what it has read do.
pub fn warm<T: NoUninit>(values: &[T]) {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let lines = bytes.iter().step_by(LINE);
    black_box(lines.fold(0, |sum: u8, &byte| sum.wrapping_add(byte)));
}
