//! Games of the player program against itself and against a random player, and
//! a million turns of the search.

use std::time::Duration;

use santorini::openings::random_opening;
use santorini::protocol::exchange::write_board;
use santorini::search::{Engine, EngineOptions, Limits};

use crate::games::{against_random, all_pairs, self_play};
use crate::reference::Board;

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
fn a_random_player_loses_with_every_pair_of_cards() {
    against_random(TIME, 8, 99, ALLOWED);
}

/// A million turns of short searches, in this process on all cores: half in the base
/// game, half with every pair of cards.
#[test]
#[ignore = "a million turns take ten minutes"]
fn a_million_turns_are_legal() {
    const TURNS: u64 = 1_000_000;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let turns: u64 = std::thread::scope(|scope| {
        let play = |core| scope.spawn(move || play_turns(core, TURNS.div_ceil(cores)));
        let threads: Vec<_> = (0..cores).map(play).collect();
        let turns = threads.into_iter().map(|thread| thread.join().unwrap());
        turns.sum()
    });
    eprintln!("{turns} turns, all legal");
    assert!(turns >= TURNS);
}

/// Plays games until the slow rules have judged `wanted` turns.
fn play_turns(seed: u64, wanted: u64) -> u64 {
    let options = EngineOptions {
        hash_mib: 1,
        ..EngineOptions::default()
    };
    let mut engine = Engine::<5>::new(options);
    let pairs = all_pairs();
    let mut turns = 0;
    for number in 0.. {
        let cards = match number % 2 {
            0 => [None; 2],
            _ => pairs[(number / 2 % pairs.len() as u64) as usize],
        };
        let mut position = random_opening::<5>(0, seed, number, cards);
        while let Some(turn) = engine.best(&position, &Limits::nodes(40)).turn() {
            let after = position.play(turn);
            let legal = Board::from_json(&write_board(&position)).after_turns();
            let board = Board::from_json(&write_board(&after));
            assert!(legal.contains(&board), "{} on {position}", turn.text::<5>());
            turns += 1;
            if turn.wins() {
                break;
            }
            position = after;
        }
        let stuck = Board::from_json(&write_board(&position)).after_turns();
        assert!(position.has_turn() || stuck.is_empty(), "{position}");
        if turns >= wanted {
            break;
        }
    }
    turns
}
