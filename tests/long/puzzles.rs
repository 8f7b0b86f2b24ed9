//! All built-in puzzles, proved again.

use santorini::jobs::{Jobs, default_threads};
use santorini::puzzles::{Prover, built_in};

/// As in `tests/puzzles.rs`.
const BOARDS: u64 = 3_000_000;
const PLIES: u32 = 11;

#[test]
#[ignore = "long searches"]
fn all_puzzles_are_proved_again() {
    let puzzles = built_in();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let jobs = Jobs {
        threads: default_threads(),
        stop: &stop,
    };
    let prove = |index: u64| Prover::default().confirms(&puzzles[index as usize], PLIES, BOARDS);
    let done = jobs.run(0..puzzles.len() as u64, prove, |index, proved| {
        if proved {
            Ok(())
        } else {
            Err(puzzles[index as usize])
        }
    });
    assert_eq!(done, Ok(()));
    println!("{} puzzles", puzzles.len());
}
