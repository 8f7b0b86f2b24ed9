//! The words for every broken rule; and that exactly the boards that the
//! rules module refuses break one.
//!
//! | what is tested | look at |
//! |---|---|
//! | boards that follow none, or are none | `board.rs` |
//! | the move and the build of the base game | `turn.rs` |
//! | what each god card allows and forbids | `cards.rs` |
//! | the verdicts against the generator of turns | `generator.rs` |

mod board;
mod cards;
mod generator;
mod turn;

use super::*;
use crate::protocol::exchange::write_board;

/// The verdict on a board after another, both in the notation of positions.
fn verdict(before: &str, after: &str) -> String {
    let read = |text: &str| -> Position<5> {
        text.parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    match judge(&read(before), &write_board(&read(after))) {
        Ok((turn, _)) => format!("legal: {}", turn.text::<5>()),
        Err(rule) => rule.to_string(),
    }
}

/// Checks boards that follow `before` against the words expected for them.
fn check(before: &str, table: &[(&str, &str)]) {
    for (after, words) in table {
        let verdict = verdict(before, after);
        assert!(verdict.contains(words), "{after}: {verdict}");
    }
}
