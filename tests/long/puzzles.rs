//! All built-in puzzles, proved again.

use std::convert::Infallible;

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
    let mut unproved = Vec::new();
    let take = |index, proved: bool| {
        if !proved {
            unproved.push(puzzles[index as usize].to_string());
        }
        Ok::<(), Infallible>(())
    };
    let _ = jobs.run(0..puzzles.len() as u64, prove, take);
    assert!(unproved.is_empty(), "{unproved:#?}");
    println!("{} puzzles", puzzles.len());
}
