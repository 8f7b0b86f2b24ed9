//! `santorini bench`: measures the program's own speed.
//!
//! | to see or change | look at |
//! |---|---|
//! | search speed and its signatures, with and without cards | `search.rs` |
//! | turn generation speed | `perft.rs` |
//! | random games a second | `playout.rs` |
//! | the referee's share of a game | `referee.rs` |
//! | the tournament server under load | `serve.rs` |

use std::process::ExitCode;

use super::CliResult;
use crate::eval::EvalKind;

mod perft;
mod playout;
mod referee;
mod search;
mod serve;

/// Measure the program's own speed.
///
/// Without a subcommand it searches a fixed set of positions to a fixed depth
/// and prints the total number of nodes. That number is the signature of the
/// search: it changes only when the search plays differently.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// How deep to search each position, in plies.
    #[arg(long, default_value_t = search::DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// What evaluates positions: network, tuned, paper, or a network's file.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: EvalKind,
}

#[derive(clap::Subcommand)]
enum What {
    /// Turn generation: leaves a second at depth 5 of a fixed board.
    Perft,
    /// Search with cards: the weighted heuristic in all 56 pairs of cards.
    Cards,
    /// Random playouts: whole games a second from a fixed board, on one core.
    Playout,
    /// The referee: time a move between two players that answer at once.
    Referee,
    /// The tournament server: games a minute and time for an answer, with
    /// random bots on loopback that all play each other.
    Serve {
        /// The number of bots.
        #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=240))]
        bots: u64,
    },
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    match args.what {
        None => search::run(args.depth, args.eval)?,
        Some(What::Cards) => search::run_cards()?,
        Some(What::Perft) => perft::run()?,
        Some(What::Playout) => playout::run()?,
        Some(What::Referee) => referee::run()?,
        Some(What::Serve { bots }) => serve::run(bots as usize)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The board of the speed figures: the empty 5x5 board with the workers
/// around its centre.
pub const BENCH_BOARD: &str = "00000/00000/00000/00000/00000 c2c4 b3d3 0";
