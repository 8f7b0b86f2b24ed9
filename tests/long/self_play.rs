//! Games of the player program against itself and against a random player.

use std::time::Duration;

use crate::games::{against_random, all_pairs, self_play};

const TIME: &str = "0.1";
const ALLOWED: Duration = Duration::from_millis(100);

#[test]
#[ignore = "200 games take 10 minutes"]
fn base_games_are_legal_and_in_time() {
    self_play(TIME, &[[None; 2]], 200, ALLOWED);
}

#[test]
#[ignore = "560 games take 20 minutes"]
fn games_of_every_pair_of_cards_are_legal_and_in_time() {
    self_play(TIME, &all_pairs(), 10, ALLOWED);
}

#[test]
#[ignore = "448 games take 5 minutes"]
fn a_random_player_is_beaten_with_every_pair_of_cards_in_both_seats() {
    against_random(TIME, 8, 99, ALLOWED);
}
