//! `santorini bench perft`: the speed of turn generation.

use std::time::Instant;

use super::BENCH_BOARD;
use crate::rules::Position;

/// Counts the leaves at depth 5 of the bench board and prints the speed.
pub fn run() {
    let position: Position<5> = BENCH_BOARD.parse().expect("the bench board is valid");
    let start = Instant::now();
    let leaves = position.perft(5);
    let seconds = start.elapsed().as_secs_f64();
    println!("perft 5 {leaves}");
    println!("time    {seconds:.3} s");
    println!(
        "speed   {:.0} million leaves/s",
        leaves as f64 / seconds / 1e6
    );
}
