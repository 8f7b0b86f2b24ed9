//! `santorini bench`: measures the program's own speed.

use std::process::ExitCode;
use std::time::Instant;

use super::CliResult;
use crate::rules::Position;

/// Measure the program's own speed.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Turn generation: leaves a second at depth 5 of a fixed board.
    Perft,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    match args.what {
        What::Perft => perft(),
    }
    Ok(ExitCode::SUCCESS)
}

/// The board of the speed figures: the empty 5x5 board with the workers
/// around its centre.
pub const BENCH_BOARD: &str = "00000/00000/00000/00000/00000 c2c4 b3d3 0";

fn perft() {
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
