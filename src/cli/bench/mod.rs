//! `santorini bench`: measures the program's own speed.
//!
//! | to see or change | look at |
//! |---|---|
//! | search speed and its signatures, with and without cards | `search.rs` |
//! | turn generation speed | `perft.rs` |
//! | random games a second | `playout.rs` |
//! | how many proofs the search finds | `proofs.rs` |
//! | the referee's share of a game | `referee.rs` |
//! | the tournament server under load | `serve.rs` |

use std::process::ExitCode;

use super::CliResult;
use super::engine::EvalArg;
use super::interrupt::stop_flag;

mod perft;
mod playout;
mod proofs;
mod referee;
mod search;
mod serve;

/// Measure the speed of this program.
///
/// Without a subcommand it searches a fixed set of positions to a fixed depth
/// and prints the speed and the number of nodes. That number is the signature of
/// the search: it changes only when the search does.
#[derive(clap::Args)]
#[command(before_long_help = "\
Examples:
  santorini bench                   search with the network
  santorini bench --eval tuned      search with the heuristic
  santorini bench cards
  santorini bench proofs
  santorini bench serve --bots 200")]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// The depth of the search of each position.
    #[arg(long, value_name = "PLIES", default_value_t = search::DEPTH,
          value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// The evaluation: network, tuned, paper, or the file of a network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: EvalArg,
}

#[derive(clap::Subcommand)]
enum What {
    /// Turn generation: leaves a second at depth 5 of a fixed board.
    #[command(before_long_help = "Example:\n  santorini bench perft")]
    Perft,
    /// Search with the heuristic in all 56 pairs of cards.
    #[command(before_long_help = "Example:\n  santorini bench cards")]
    Cards,
    /// Random games a second from a fixed board, on one core.
    #[command(before_long_help = "Example:\n  santorini bench playout")]
    Playout,
    /// How many of some 10,000 proved positions the engine proves within 10,000,
    /// 100,000 and a million nodes.
    ///
    /// The positions are from strong games in the base game and with all pairs of
    /// cards; none is decided within four turns. The score is the sum of all proofs
    /// in the three columns.
    #[command(before_long_help = "\
Examples:
  santorini bench proofs
  santorini bench proofs --positions 500 --eval tuned")]
    Proofs {
        /// Take this many of the positions, spread over all of them.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        positions: Option<u32>,
        /// The evaluation: network, tuned, paper, or the file of a network.
        #[arg(long, value_name = "NAME", default_value = "network")]
        eval: EvalArg,
    },
    /// Time of the referee for a turn, between players that answer at once.
    #[command(before_long_help = "Example:\n  santorini bench referee")]
    Referee,
    /// Games a minute of the TCP server, and its time for an answer.
    ///
    /// Random bots play a round robin over loopback.
    #[command(before_long_help = "Example:\n  santorini bench serve --bots 200")]
    Serve {
        /// The number of bots.
        #[arg(long, value_name = "N", default_value_t = 200,
              value_parser = clap::value_parser!(u64).range(2..=240))]
        bots: u64,
    },
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let stop = stop_flag()?;
    match &args.what {
        None => search::run(args.depth, args.eval.kind, &stop)?,
        Some(What::Cards) => search::run_cards(&stop)?,
        Some(What::Perft) => perft::run(&stop)?,
        Some(What::Playout) => playout::run(&stop)?,
        Some(What::Proofs { positions, eval }) => {
            proofs::run(positions.map(|count| count as usize), eval.kind, &stop)?;
        }
        Some(What::Referee) => referee::run(&stop)?,
        Some(What::Serve { bots }) => serve::run(*bots as usize, &stop)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The board of the speed figures: the empty 5x5 board with the workers
/// around its centre.
pub const BENCH_BOARD: &str = "00000/00000/00000/00000/00000 c2c4 b3d3 0";
