//! The fast rules and the slow ones of `reference/` allow the same boards: on random
//! positions of the base game and of all 56 pairs of cards, on both board sizes.

use santorini::rules::Card;

use crate::legal_turns::{compare_base, compare_cards};

#[test]
fn base_turns_match_the_slow_rules() {
    compare_base(1);
}

#[test]
fn turns_of_the_first_four_cards_match_the_slow_rules() {
    compare_cards(&Card::ALL[..4], 2, 1);
}

#[test]
fn turns_of_the_last_four_cards_match_the_slow_rules() {
    compare_cards(&Card::ALL[4..], 3, 1);
}
