//! The fast rules and the slow ones of `reference/` allow the same boards: on random
//! positions of the base game and of all 56 pairs of cards, on both board sizes.

use santorini::rules::{Card, Position};

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

#[test]
fn nearly_valid_positions_are_refused() {
    for text in [
        "",
        "00000/00010/00000/00000/00000 b3d3 c2c4",
        "00000/00010/00000/00000 b3d3 c2c4 1",
        "00000/00010/00000/00000/0000 b3d3 c2c4 1",
        "00000/00050/00000/00000/00000 b3d3 c2c4 1",
        "00000/00010/00000/00000/00000 b3b3 c2c4 1",
        "00000/00010/00000/00000/00000 b3d3 b3c4 1",
        "00000/00010/00000/00000/00000 b3f3 c2c4 1",
        "00000/00010/00000/00000/00000 b3d3 c2c4 -1",
        "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan",
        "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan Pan",
        "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan Pam",
        "00000/00010/00000/00000/00400 b3c5 c2c4 1",
    ] {
        assert!(text.parse::<Position<5>>().is_err(), "{text:?}");
    }
}
