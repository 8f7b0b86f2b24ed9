//! Very many randomly corrupted questions to the player, and files. The variable
//! HOSTILE_INPUTS sets their number.

use crate::hostile::{files, peak_memory, questions};

fn inputs(usual: u64) -> u64 {
    match std::env::var("HOSTILE_INPUTS") {
        Ok(count) => count.parse().expect("HOSTILE_INPUTS is a number"),
        Err(_) => usual,
    }
}

#[test]
#[ignore = "a hundred million inputs take some minutes"]
fn good_questions_between_spoiled_ones_are_answered() {
    questions::spoil(inputs(100_000_000));
    assert!(peak_memory() < 200, "{} MiB", peak_memory());
}

#[test]
#[ignore = "a million files of each kind take some minutes"]
fn spoiled_files_are_refused_or_used_without_a_panic() {
    files::spoil(inputs(1_000_000));
    assert!(peak_memory() < 200, "{} MiB", peak_memory());
}
