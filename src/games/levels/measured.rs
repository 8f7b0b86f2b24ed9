//! Identifies the engine and levels with which strengths were measured.

use super::strength::Level;
use crate::fnv::Fnv;
use crate::search::bench_signature;

/// The version of the engine and the levels: the engine's signature, as `santorini bench`
/// prints it, and a checksum of the parameters of the levels.
///
/// Measured strengths hold as long as this stays the same. So they are stored with it, and
/// a test compares it with the current one.
pub fn measured_with() -> String {
    let mut levels = Fnv::default();
    for level in Level::all() {
        levels.add(format!("{:?}", level.strength()).as_bytes());
    }
    let levels = levels.value() >> 32;
    format!("bench {}, levels {levels:08x}", bench_signature())
}
