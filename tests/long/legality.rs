//! Compares the legal turns with the slow rules on five times as many positions as the
//! usual tests.

use santorini::rules::Card;

use crate::legal_turns::{compare_base, compare_cards};

#[test]
#[ignore = "takes a minute"]
fn legality_of_many_turns() {
    compare_base(5);
    compare_cards(&Card::ALL, 2, 5);
}
