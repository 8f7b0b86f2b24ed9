//! Tests the message for every broken rule, and that exactly the boards refused by the
//! rules module break one.
//!
//! | tests of | look at |
//! |---|---|
//! | the order of players, games that are over, invalid positions | `board.rs` |
//! | the move and the build of the base game | `turn.rs` |
//! | what each god card allows and forbids | `cards.rs` |
//! | the verdicts against the generator of turns | `generator.rs` |

mod board;
mod cards;
mod generator;
mod turn;

use super::*;
use crate::protocol::exchange::write_board;

/// The verdict on `after` as an answer to `before`, both in the notation of positions.
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

/// Checks the verdicts on boards after `before` against the expected words.
fn check(before: &str, table: &[(&str, &str)]) {
    for (after, words) in table {
        let verdict = verdict(before, after);
        assert!(verdict.contains(words), "{after}: {verdict}");
    }
}
