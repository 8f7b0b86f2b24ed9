//! Short games of the player program, judged turn by turn. `long/self_play.rs` has the
//! full-size version, which also tests times.

use std::time::Duration;

use crate::games::{against_random, all_pairs, self_play};

/// A loose limit for busy machines; the full-size version tests times.
const RELAXED: Duration = Duration::from_secs(10);

#[test]
fn short_games_are_legal_turn_by_turn() {
    self_play("0.01", &[[None; 2]], 8, RELAXED);
}

#[test]
fn short_games_with_cards_are_legal_turn_by_turn() {
    self_play("0.004", &all_pairs(), 1, RELAXED);
}

#[test]
fn a_random_player_loses_with_every_pair_of_cards() {
    against_random("0.05", 1, 90, RELAXED);
}
