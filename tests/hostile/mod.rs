//! Randomly corrupted input, tested inside this process for speed.
//!
//! | what is corrupted | where |
//! |---|---|
//! | questions to the player, between valid ones | `questions.rs` |
//! | files of all kinds | `files.rs` |
//! | helpers | `mutator.rs` |

pub mod files;
pub mod mutator;
pub mod questions;

/// The peak memory of this process in MiB; 0 if unknown.
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.map_or(0, |number| number.parse::<u64>().unwrap() >> 10)
}

/// Runs a job on each core with its own seed and share of the inputs. Returns their
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
