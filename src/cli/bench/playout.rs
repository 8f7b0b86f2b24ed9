//! `santorini bench playout`: the speed of random games.

use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::BENCH_BOARD;
use crate::rules::{Position, Side};

const GAMES: u32 = 1_000_000;

/// Plays random games from the bench board, on one core, and prints the speed.
pub fn run() {
    let position: Position<5> = BENCH_BOARD.parse().expect("the bench board is valid");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let start = Instant::now();
    let mut won = 0;
    for _ in 0..GAMES {
        won += u32::from(position.random_playout(&mut rng) == Side::Mover);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("games   {GAMES}, {won} won by the first player");
    println!("time    {seconds:.3} s");
    println!("speed   {:.0} games/s", f64::from(GAMES) / seconds);
}
