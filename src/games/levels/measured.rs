//! What figures of strength were measured with.

use super::strength::Level;
use crate::fnv::Fnv;
use crate::search::bench_signature;

/// What matches of levels are played with: the signature of the engine in the base game,
/// as `santorini bench` prints it, and a checksum of the numbers that make the levels.
///
/// Figures of strength hold as long as this stays the same, so they are kept with it,
/// and a test compares it with the present one.
pub fn measured_with() -> String {
    let mut levels = Fnv::default();
    for level in Level::all() {
        levels.add(format!("{:?}", level.strength()).as_bytes());
    }
    let levels = levels.value() >> 32;
    format!("bench {}, levels {levels:08x}", bench_signature())
}
