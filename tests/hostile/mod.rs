//! Randomly corrupted input, handled in this process and so at high speed.
//!
//! | what is corrupted | where |
//! |---|---|
//! | questions to the player, with valid ones between them | `questions.rs` |
//! | files of all kinds | `files/` |
//! | helper | `mutator.rs` |

pub mod files;
pub mod mutator;
pub mod questions;

use crate::program::memory;

/// The peak memory of this process, in MiB; 0 if unknown.
pub fn peak_memory() -> u64 {
    memory(std::process::id(), "VmHWM:").unwrap_or(0) >> 10
}

/// Runs a job on each core, each with its own seed and share of the inputs. Returns their
/// results.
fn on_each_core<T: Send>(inputs: u64, job: impl Fn(u64, u64) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let job = &job;
    std::thread::scope(|scope| {
        let start = |core| scope.spawn(move || job(core, inputs.div_ceil(cores)));
        let jobs: Vec<_> = (0..cores).map(start).collect();
        jobs.into_iter().map(|job| job.join().unwrap()).collect()
    })
}
