//! Proves all built-in puzzles again.

use std::convert::Infallible;

use santorini::jobs::{Jobs, default_threads};
use santorini::puzzles::{Puzzle, built_in, built_in_six};

/// The same limits as in `tests/puzzles.rs`.
const NODES: u64 = 3_000_000;
const PLIES: u32 = 11;

/// The puzzles that are not proved, each with the result of the proof.
fn wrong<const N: usize>(puzzles: &[Puzzle<N>]) -> Vec<String> {
    let jobs = Jobs::unstoppable(default_threads());
    let prove = |index: u64| {
        let Puzzle {
            position, solution, ..
        } = &puzzles[index as usize];
        Puzzle::prove(position, *solution, PLIES, NODES)
    };
    let mut wrong = Vec::new();
    let take = |index, proved: Option<Puzzle<N>>| {
        let puzzle = puzzles[index as usize];
        if proved != Some(puzzle) {
            let plies = proved.map(|proved| proved.plies);
            wrong.push(format!("{puzzle}; proved: {plies:?}"));
        }
        Ok::<(), Infallible>(())
    };
    let _ = jobs.run(0..puzzles.len() as u64, prove, take);
    wrong
}

#[test]
#[ignore = "long searches"]
fn all_puzzles_are_proved_again() {
    let wrong = [wrong(built_in()), wrong(built_in_six())].concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{} puzzles", built_in().len() + built_in_six().len());
}
