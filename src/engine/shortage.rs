//! Engines that do with less memory than they should have, and say so.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::search::{Engine, EngineOptions};

/// Whether it has been said: once is enough, however many engines there are.
static TOLD: AtomicBool = AtomicBool::new(false);

/// An engine without any search yet. The first one in the life of the process that
/// has a smaller table than its options ask for says so on standard error.
pub fn new_engine<const N: usize>(options: EngineOptions) -> Engine<N> {
    let engine = Engine::new(options);
    if let Some(shortage) = engine.table_shortage()
        && !TOLD.swap(true, Ordering::Relaxed)
    {
        // If nobody listens, the search is still wanted.
        let _ = writeln!(io::stderr(), "santorini: {shortage}");
    }
    engine
}
