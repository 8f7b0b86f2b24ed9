//! Reports of transposition tables that are smaller than asked for.

use std::sync::Mutex;

use crate::mutex::MutexExt as _;

/// There was not enough memory for the transposition table. Sizes are in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "not enough memory for a transposition table of {} MiB; using {} MiB",
    mib(*wanted), mib(*taken)
)]
pub struct TableShortage {
    /// The size asked for.
    pub wanted: usize,
    /// The size allocated instead.
    pub taken: usize,
}

fn mib(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Called with the first shortage.
static REPORT: Mutex<Option<fn(TableShortage)>> = Mutex::new(None);

/// Calls `report` with the next shortage in this process. Later ones are not reported: once is
/// enough, however many engines there are.
pub fn on_table_shortage(report: fn(TableShortage)) {
    *REPORT.locked() = Some(report);
}

/// Reports the first shortage.
pub(super) fn report(shortage: TableShortage) {
    let report = REPORT.locked().take();
    if let Some(report) = report {
        report(shortage);
    }
}
