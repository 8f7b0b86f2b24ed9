//! Randomly corrupted questions to the player, and files; `long/hostile_input.rs` tests
//! many more.

use crate::hostile::{files, questions};

#[test]
fn good_questions_between_spoiled_ones_are_answered() {
    questions::spoil(100_000);
}

#[test]
fn spoiled_files_are_refused_or_used_without_a_panic() {
    files::spoil(1000);
}
