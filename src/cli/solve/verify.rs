//! `santorini solve verify`: verifies a file with an independent implementation.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{jobs, open, parse_gigabytes, threads_from, winners};
use crate::cli::interrupt::stop_flag;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::jobs::Jobs;
use crate::solve::{Prober, SolveError, check_file, check_random, check_whole, states};

/// Verify a file of solved positions with an independent implementation
///
/// Examples:
///   santorini solve verify 3x3.solved
///   santorini solve verify --step 16 --states 10000 3x4.solved
///   santorini solve verify --whole 3x3.solved
///
/// First, every state is compared with the states that its turns lead to, by a
/// second implementation of the rules. Of boards that are rotations or mirror
/// images of each other, the file has one, with all places of the workers: on a
/// symmetric board, equivalent states are counted separately. Then a forward
/// search, which shares no code with the solver, finds the values and distances of
/// random states. With --whole it searches all states that can be reached from the
/// empty board if both players take every immediate win, except states with an
/// immediate win. A file of winners gets only the first check.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file of `santorini solve`.
    file: PathBuf,
    /// Check one in N boards of the file; 0 checks none.
    #[arg(long, value_name = "N", default_value_t = 1)]
    step: u64,
    /// The number of random states for the forward search.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    states: u64,
    /// The maximum number of nodes for each ply of distance of a state.
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Also search the whole game forward, from every placement. Up to 3x3 this takes
    /// seconds or minutes.
    #[arg(long)]
    whole: bool,
    /// The maximum memory for the search of the whole game, in gigabytes.
    #[arg(long, value_name = "GB", default_value = "4", value_parser = parse_gigabytes)]
    memory: u64,
    /// The seed of the random states.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of threads; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let is_of_winners = winners::is_file(&args.file);
    if args.step == 0 && (is_of_winners || (args.states == 0 && !args.whole)) {
        let why = "--step 0: nothing would be checked; use a larger step";
        return Err(CliError::Usage(why.into()));
    }
    let stop = stop_flag()?;
    let jobs = jobs(args.threads, &stop);
    if is_of_winners {
        let checked = winners::check(&args.file, args.step, jobs)?;
        print(format_args!(
            "{checked} states on boards up to symmetry have the winner that their turns give\n"
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut prober = open(&args.file, jobs)?;
    if args.step > 0 {
        print(check_by_turns(args, &prober, jobs)?)?;
    }
    if args.states > 0 {
        print(check_random_states(args, &mut prober, jobs)?)?;
    }
    if args.whole {
        print(check_whole_game(args, &prober, jobs)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks the states of the file by their turns.
fn check_by_turns(args: &Args, prober: &Prober, jobs: Jobs) -> Result<String, SolveError> {
    let progress = Progress::new(prober.file().kept() as u64 + 1, "layers");
    let report = |done: usize, _| progress.set(done as u64);
    let checked = check_file(prober.file(), jobs, args.step, report)?;
    Ok(format!(
        "{checked} states on boards up to symmetry have the values that their turns give\n"
    ))
}

/// Checks random states by forward search.
fn check_random_states(args: &Args, prober: &mut Prober, jobs: Jobs) -> Result<String, SolveError> {
    let progress = Progress::new(args.states, "states");
    let wanted = [args.states, args.seed, args.nodes];
    let check = check_random(prober, wanted, jobs, |done| progress.set(done))?;
    let mut text = format!(
        "{} random states have the values that forward search finds, in {} nodes\n",
        check.same, check.nodes
    );
    if check.too_hard > 0 {
        text += &format!(
            "{} were too hard for it: --nodes allows more\n",
            check.too_hard
        );
    }
    Ok(text)
}

/// Checks the states that can be reached from the empty board.
fn check_whole_game(args: &Args, prober: &Prober, jobs: Jobs) -> Result<String, SolveError> {
    let progress = Progress::new(states(prober.game()), "states at most");
    let count = check_whole(prober.file(), args.memory, jobs, |done| progress.set(done))?;
    Ok(format!(
        "{count} positions have the values that a forward search of the whole game finds: all \
         that can be reached if both players take every immediate win, except those with one\n"
    ))
}
