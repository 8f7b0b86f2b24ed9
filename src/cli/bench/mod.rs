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

/// Measure the speed of this program
///
/// Examples:
///   santorini bench                   search with the network
///   santorini bench --eval tuned      search with the heuristic
///   santorini bench cards
///   santorini bench proofs
///   santorini bench serve --bots 200
///
/// Without a subcommand it searches a fixed set of positions to a fixed depth and
/// prints the speed and the number of nodes. That number is the signature of the
/// search: it changes only when the search does.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
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
    /// Measure turn generation: leaves a second from a fixed board
    ///
    /// Example:
    ///   santorini bench perft
    #[command(verbatim_doc_comment)]
    Perft {
        /// The number of turns to the leaves.
        #[arg(long, value_name = "PLIES", default_value_t = 5,
              value_parser = clap::value_parser!(u32).range(1..=10))]
        depth: u32,
    },
    /// Measure the search with the heuristic in all 56 pairs of cards
    ///
    /// Example:
    ///   santorini bench cards
    #[command(verbatim_doc_comment)]
    Cards,
    /// Measure random games a second from a fixed board, on one core
    ///
    /// Example:
    ///   santorini bench playout
    #[command(verbatim_doc_comment)]
    Playout,
    /// Count the proved positions that the engine solves within some nodes
    ///
    /// Examples:
    ///   santorini bench proofs
    ///   santorini bench proofs --positions 500 --eval tuned
    ///
    /// There are about 10,000 positions, from strong games without cards and with all
    /// pairs of cards; none is decided within four turns. The columns show the
    /// share proved within 10,000, 100,000 and a million nodes; the score is the sum of
    /// the counts behind these shares.
    #[command(verbatim_doc_comment)]
    Proofs {
        /// Use at most this many of the positions, evenly spread.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        positions: Option<u32>,
        /// The evaluation: network, tuned, paper, or the file of a network.
        #[arg(long, value_name = "NAME", default_value = "network")]
        eval: EvalArg,
    },
    /// Measure the referee's own time for a turn
    ///
    /// Example:
    ///   santorini bench referee
    #[command(verbatim_doc_comment)]
    Referee,
    /// Measure the TCP server: games a minute, and its time for an answer
    ///
    /// Example:
    ///   santorini bench serve --bots 200
    ///
    /// Random bots play a round robin over the loopback interface.
    #[command(verbatim_doc_comment)]
    Serve {
        /// The number of bots.
        #[arg(long, value_name = "N", default_value_t = 200,
              value_parser = clap::value_parser!(u64).range(2..=240))]
        bots: u64,
    },
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let stop = stop_flag()?;
    match &args.what {
        None => search::run(args.depth, args.eval.kind, &stop)?,
        Some(What::Cards) => search::run_cards(&stop)?,
        Some(What::Perft { depth }) => perft::run(*depth, &stop)?,
        Some(What::Playout) => playout::run(&stop)?,
        Some(What::Proofs { positions, eval }) => {
            proofs::run(positions.map(|count| count as usize), eval.kind, &stop)?;
        }
        Some(What::Referee) => referee::run(&stop)?,
        Some(What::Serve { bots }) => serve::run(*bots as usize, &stop)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The board of the speed tests: an empty 5x5 board with the workers around its
/// centre.
const BENCH_BOARD: &str = "00000/00000/00000/00000/00000 c2c4 b3d3 0";
