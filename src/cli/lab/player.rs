//! `santorini lab player`: an agent as a player program.

use std::io;
use std::process::ExitCode;

use super::{CliError, CliResult, isolate_programs, prepare};
use crate::cli::isolate::IsolateArgs;
use crate::cli::output::say;
use crate::cli::stdout::stdout;
use crate::files::Uses;
use crate::lab::qlearning::TABLE_FILE;
use crate::lab::serve::serve;
use crate::lab::spec::{self, AgentSpec};
use crate::seeds::fresh_seed;

/// Answer boards in JSON with an agent: a player for referees and tournaments
///
/// Examples:
///   echo '[]' | santorini lab player mc:episodes=100
///   santorini tournament ./mine 'santorini lab player alphabeta:depth=2' \
///       'santorini lab player random'
///
/// Reads set-up arrays and boards from standard input and answers each with a line
/// on standard output, as `santorini player` does. Agents play the base game; a
/// value that they cannot answer is reported on standard error and skipped.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = spec::HELP
)]
pub(super) struct Args {
    /// The agent.
    #[arg(value_name = "AGENT")]
    agent: AgentSpec,
    /// The seed of its random choices. The default is a new one each time.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    isolate: IsolateArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = Uses::new(false).reads(args.agent.file_read());
    uses.replaces(args.agent.file_written(), TABLE_FILE)
        .check()?;
    isolate_programs(&args.isolate, [&args.agent])?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut agent = prepare(&args.agent, seed)?.agent(seed);
    let complain = |text: &str| say(&format!("santorini: {text}"));
    let done = serve(agent.as_mut(), io::stdin().lock(), &mut stdout(), complain);
    match done {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => Ok(ExitCode::FAILURE),
        Err(error) => Err(CliError::Failed(error.to_string())),
    }
}
