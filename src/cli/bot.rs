//! `santorini bot`: plays in a tournament on a server.

use std::process::ExitCode;
use std::time::Duration;

use super::engine::EngineArgs;
use super::level::{handicap, levels_help};
use super::output::{print, say};
use super::{CliError, CliResult, parse_seconds};
use crate::bot::{Client, Strategy};
use crate::levels::Level;
use crate::printable::printable;
use crate::protocol::tcp::BotName;

/// Play in a tournament on a server
///
/// Examples:
///   santorini bot --connect 127.0.0.1:7878 --name Ariadne
///   santorini bot --connect example.org:7878 --name Theseus --time 0.5 --ponder
///   santorini bot --connect 127.0.0.1:7878 --name Pupil --level 4
///   santorini bot --connect 127.0.0.1:7878 --name dice --random
///
/// Connects to a server, plays all its games on 6x6 boards with the engine of
/// `santorini player`, and prints the final table. If the connection is lost, it
/// reconnects under the same name.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = levels_help("`santorini help protocol` explains how to write a bot.")
)]
pub(super) struct Args {
    /// The address of the server.
    #[arg(long, value_name = "ADDR:PORT", value_parser = parse_address)]
    connect: String,
    /// The name of the bot: 1 to 32 printable characters.
    #[arg(long, value_parser = parse_name)]
    name: String,
    /// The time for a turn, and for placing a worker. It must be shorter than the
    /// server's time limit.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_seconds)]
    time: Duration,
    /// Search in the opponent's time too. Use it only if the bot has a machine of its
    /// own.
    #[arg(long, conflicts_with = "chance")]
    ponder: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Play at this level. Level 1 is for beginners, the highest is full strength;
    /// --help lists them with their Elo.
    #[arg(long, value_name = "LEVEL", group = "chance")]
    level: Option<Level>,
    /// Play random legal turns instead of searching.
    #[arg(long, group = "chance", conflicts_with_all = ["time", "hash", "eval", "params"])]
    random: bool,
    /// The seed of the random turns, or of the choices of a level.
    #[arg(long, requires = "chance")]
    seed: Option<u64>,
    /// How long to try to reconnect after the connection is lost or the server has too
    /// many connections.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    patience: Duration,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let strategy = if args.random {
        Strategy::random(args.seed)
    } else {
        let options = args.engine.options();
        match args.level.and_then(|level| handicap(level, args.seed)) {
            Some(handicap) => Strategy::level(handicap, args.time, options),
            None => Strategy::search(args.time, options, args.ponder),
        }
    };
    let mut client = Client {
        address: args.connect.clone(),
        name: args.name.clone(),
        strategy,
        reconnect_time: args.patience,
    };
    let hear = |remark: &str| say(&format!("santorini: {remark}"));
    let table = client
        .run(hear)
        .map_err(|error| CliError::Failed(error.to_string()))?;
    print(format_args!("{}\n", printable(&table)))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a host and a port; whether the host exists is not checked.
fn parse_address(text: &str) -> Result<String, String> {
    let port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    match text.rsplit_once(':') {
        Some((host, number)) if !host.is_empty() && port(number) => Ok(text.to_string()),
        _ => Err("use a host and a port from 1 to 65535, such as 127.0.0.1:7878".into()),
    }
}

fn parse_name(text: &str) -> Result<String, String> {
    let name = BotName::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(name.to_string())
}
