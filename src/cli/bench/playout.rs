//! `santorini bench playout`: the speed of random games.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::BENCH_BOARD;
use crate::cli::CliError;
use crate::cli::output::print;
use crate::rules::{Position, Side};
use crate::seeds::seeded;

const GAMES: u32 = 1_000_000;

/// Plays random games from the bench board, on one core, and prints the speed.
pub(super) fn run(stop: &AtomicBool) -> Result<(), CliError> {
    let position: Position<5> = BENCH_BOARD.parse().expect("the bench board is valid");
    let mut rng = seeded(1);
    let start = Instant::now();
    let mut won = 0;
    for game in 0..GAMES {
        if stop.load(Ordering::Relaxed) {
            return Err(CliError::Interrupted(format!(
                " after {game} of {GAMES} games, {:.0} games/s",
                f64::from(game) / start.elapsed().as_secs_f64()
            )));
        }
        won += u32::from(position.random_playout(&mut rng) == Side::Mover);
    }
    let seconds = start.elapsed().as_secs_f64();
    print(format_args!(
        "games   {GAMES}, {won} won by the first player\n"
    ))?;
    print(format_args!("time    {seconds:.3} s\n"))?;
    print(format_args!(
        "speed   {:.0} games/s\n",
        f64::from(GAMES) / seconds
    ))
}
