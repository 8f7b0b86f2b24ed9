//! `santorini bench perft`: the speed of turn generation.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::BENCH_BOARD;
use crate::cli::CliError;
use crate::cli::output::print;
use crate::rules::Position;

/// Counts the leaves of the bench board at a depth and prints the speed.
pub(super) fn run(depth: u32, stop: &AtomicBool) -> Result<(), CliError> {
    let position: Position<5> = BENCH_BOARD.parse().expect("the bench board is valid");
    let start = Instant::now();
    let leaves = position.perft_until(depth, stop);
    let leaves = leaves.ok_or_else(|| CliError::Interrupted(String::new()))?;
    let seconds = start.elapsed().as_secs_f64();
    print(format_args!("perft {depth} {leaves}\n"))?;
    print(format_args!("time    {seconds:.3} s\n"))?;
    print(format_args!(
        "speed   {:.0} million leaves/s\n",
        leaves as f64 / seconds / 1e6
    ))
}
