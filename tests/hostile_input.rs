//! Randomly corrupted questions to the player, and files. The full-size test is
//! `long/hostile_input.rs`.

use crate::hostile::{files, questions};

#[test]
fn valid_questions_among_corrupted_ones_are_answered() {
    questions::corrupt(100_000);
}

#[test]
fn corrupted_files_do_not_panic() {
    files::corrupt(1000);
}
