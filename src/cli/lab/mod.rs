//! `santorini lab`: the laboratory for playing agents.
//!
//! | to see or change | look at |
//! |---|---|
//! | games between two agents | `play.rs` |
//! | an agent as a player program | `player.rs` |
//! | the experiments of the study | `experiment.rs` |
//! | matches that measure the levels | `levels.rs` |
//! | fitting the weights | `tune.rs` |
//! | the number of states | `states.rs` |

use std::sync::atomic::AtomicBool;

use super::engine::threads_from;
use super::isolate::IsolateArgs;
use super::progress::Progress;
use super::{CliError, CliResult};
use crate::jobs::{Jobs, default_threads};
use crate::lab::factory::Factory;
use crate::lab::qlearning::TableFileError;
use crate::lab::spec::AgentSpec;

mod experiment;
mod levels;
mod play;
mod player;
mod states;
mod tune;

/// Compare kinds of playing agents: games, experiments, ratings
///
/// Examples:
///   santorini lab play --first alphabeta:depth=3 --second mc:episodes=500 --swap
///   santorini lab player alphabeta:depth=3
///   santorini lab experiment all --out study
///   santorini lab levels --games 100
///   santorini lab tune --depth 2
///   santorini lab states
///
/// The agents and experiments come from the study "AI Agents for the Board
/// Game Santorini" (Hebrew University of Jerusalem, 2021): random, minimax,
/// alpha-beta, Monte Carlo and Q-learning. The engine of this program is an
/// agent too, and so is any player program.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Play(play::Args),
    Player(player::Args),
    Experiment(experiment::Args),
    Levels(levels::Args),
    Tune(tune::Args),
    States(states::Args),
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    match &args.what {
        What::Play(args) => play::run(args),
        What::Player(args) => player::run(args),
        What::Experiment(args) => experiment::run(args),
        What::Levels(args) => levels::run(args),
        What::Tune(args) => tune::run(args),
        What::States(args) => states::run(args),
    }
}

/// The options of commands that play many games.
#[derive(clap::Args)]
struct Work {
    /// The seed of all random choices. The same seed gives the same games, unless an
    /// agent has a time limit.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games to play at the same time. The results do not depend on it, unless an
    /// agent has a time limit.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u16,
          value_parser = threads_from(1))]
    jobs: u16,
}

impl Work {
    /// The games to play at the same time, until `stop` is set.
    fn jobs<'a>(&self, stop: &'a AtomicBool) -> Jobs<'a> {
        Jobs {
            threads: self.jobs.into(),
            stop,
        }
    }
}

/// Isolates player programs if there are any among the agents.
///
/// # Errors
/// If the options of isolation contradict each other.
fn isolate_programs<'a>(
    isolate: &IsolateArgs,
    agents: impl IntoIterator<Item = &'a AgentSpec>,
) -> Result<(), CliError> {
    let mut agents = agents.into_iter();
    if agents.any(|agent| matches!(agent, AgentSpec::Program(_))) {
        isolate.apply()?;
    }
    Ok(())
}

/// Prepares the agents of a specification, with a progress bar while they learn.
fn prepare(spec: &AgentSpec, seed: u64) -> Result<Factory, CliError> {
    let progress = Progress::new(None, "episodes learned");
    let factory = Factory::new(spec, seed, &mut |done, all| {
        progress.set_steps(all.into());
        progress.set(done.into());
    });
    progress.finish();
    factory.map_err(|error| match error {
        // The file is not a Q-table: the arguments are wrong.
        TableFileError::Damaged { .. } => CliError::Usage(error.to_string()),
        other => CliError::Failed(other.to_string()),
    })
}
