//! Randomly corrupted questions and files: very many, or the number in the variable
//! HOSTILE_INPUTS.

use crate::hostile::{files, peak_memory, questions};

fn inputs(usual: u64) -> u64 {
    match std::env::var("HOSTILE_INPUTS") {
        Ok(count) => count.parse().expect("HOSTILE_INPUTS is a number"),
        Err(_) => usual,
    }
}

#[test]
#[ignore = "a hundred million inputs take some minutes"]
fn valid_questions_among_corrupted_ones_are_answered() {
    questions::corrupt(inputs(100_000_000));
    assert!(peak_memory() < 200, "{} MiB", peak_memory());
}

#[test]
#[ignore = "a million files of each kind take some minutes"]
fn corrupted_files_do_not_panic() {
    files::corrupt(inputs(1_000_000));
    assert!(peak_memory() < 200, "{} MiB", peak_memory());
}
