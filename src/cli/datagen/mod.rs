//! `santorini datagen`: self-play for the learned evaluation.
//!
//! | to see or change | look at |
//! |---|---|
//! | the options, playing | `mod.rs` (here) |
//! | searching recorded games | `games.rs` |

mod games;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::board::with_board_size;
use super::engine::{EvalArg, threads_from, threads_of};
use super::files::ForceArgs;
use super::interrupt::stop_flag;
use super::output::{print, say};
use super::progress::Progress;
use super::resume_command::same_command;
use super::{CliError, CliResult, number_in};
use crate::eval::network::features::FeatureSet;
use crate::printable::shown;
use crate::shard::Shard;
use crate::train::datagen::{DatagenOptions, DatagenProgress, GameSource, generate};
use crate::train::labels::LabelOptions;
use crate::train::self_play::SelfPlay;

/// Generate training data by self-play
///
/// Examples:
///   santorini datagen --records 1000000 data.bin
///   santorini datagen --cards --nodes 1200 --candidates 8 --seed 7 cards.bin
///   santorini datagen --board 6 --eval tuned six.bin
///   santorini datagen --shard 2/4 --records 250000 part2.bin
///   santorini merge --output data.bin part*.bin
///   santorini datagen games --out data.bin tournament*.jsonl
///
/// The engine plays itself. Quiet positions are recorded with the score of
/// their search and the result of the game. The same options give the same
/// records, with any number of threads. The same command resumes an
/// interrupted run.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    verbatim_doc_comment,
    after_long_help = "`santorini help training` explains how a network is made."
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(clap::Subcommand)]
enum Action {
    Games(games::Args),
}

#[derive(clap::Args)]
struct PlayArgs {
    /// The file to write, or to resume.
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// The number of positions to record, or a few hundred more: games are recorded
    /// whole, 32 at a time. With --shard it is for this share.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    records: u64,
    /// The number of rows and columns of the board.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(5..=6))]
    board: u8,
    /// The maximum number of random turns at the start of a game.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=100))]
    random_turns: u32,
    /// The number of random openings to draw for each game, which starts from the one
    /// closest to even. Most random openings are soon won.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    candidates: u32,
    /// Play each game with a random pair of cards.
    #[arg(long)]
    cards: bool,
    /// Play one share of the games: 1/4 to 4/4 on four machines.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
    #[command(flatten)]
    label: LabelArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// How positions of new and of recorded games are searched.
#[derive(clap::Args)]
struct LabelArgs {
    /// The nodes to search for each position.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The mean number of positions to record from inside each search, in addition to
    /// the positions of the games.
    #[arg(long, default_value_t = 0.15, value_parser = number_in(0.0..=100.0))]
    leaves: f64,
    /// The evaluation: network, tuned, paper, or the file of a network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: EvalArg,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games to work on at the same time; 0 is one for each core.
    #[arg(long, default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
}

impl LabelArgs {
    fn options(&self) -> LabelOptions {
        LabelOptions {
            eval: self.eval.kind,
            nodes: self.nodes,
            leaves: self.leaves,
            seed: self.seed,
        }
    }

    /// The options to make a file with this many records.
    fn datagen(&self, records: u64, force: &ForceArgs) -> DatagenOptions {
        DatagenOptions {
            records,
            threads: threads_of(self.threads),
            overwrite: force.force,
        }
    }
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    match (&args.action, &args.play.file) {
        (Some(Action::Games(games)), _) => games::run(games),
        (None, Some(file)) => play(&args.play, file),
        (None, None) => Err(CliError::Usage("the file to write is missing".into())),
    }
}

fn play(args: &PlayArgs, file: &Path) -> CliResult {
    let eval = &args.label.eval;
    let uses = args.force.uses().reads(eval.file());
    uses.resumes(Some(file)).check()?;
    let features = FeatureSet::for_games(args.cards);
    with_board_size!(args.board, N => eval.expect_games::<N>(std::iter::once(features)))?;
    let source = SelfPlay {
        labels: args.label.options(),
        random_turns: args.random_turns,
        candidates: args.candidates,
        cards: args.cards,
        shard: args.shard,
    };
    let options = args.label.datagen(args.records, &args.force);
    let progress = Progress::new(None, "positions");
    let report = |done: &DatagenProgress| progress.set_of(done.records, args.records);
    let done = with_board_size!(args.board, N => {
        write_data::<N>(&source, &options, file, report)
    })?;
    progress.finish();
    let how_far = format!("{} of {} positions", done.records, args.records);
    tell(&done, file, &how_far, args.force)
}

/// Writes the data of games to a file.
fn write_data<const N: usize>(
    source: &impl GameSource<N>,
    options: &DatagenOptions,
    file: &Path,
    mut report: impl FnMut(&DatagenProgress),
) -> Result<DatagenProgress, CliError> {
    let stop = stop_flag()?;
    let mut is_reported = false;
    let report = |progress: &DatagenProgress| {
        if progress.incomplete > 0 && !is_reported {
            is_reported = true;
            let (file, bytes) = (file.display(), progress.incomplete);
            say(&format!(
                "santorini: {file}: the last block is incomplete; its {bytes} bytes are cut off"
            ));
        }
        report(progress);
    };
    generate(source, options, file, &stop, report)
        .map_err(|error| CliError::failed(file.display(), error))
}

/// Reports what the file holds, and how much is done if that is not all.
fn tell(progress: &DatagenProgress, file: &Path, done: &str, force: ForceArgs) -> CliResult {
    print(format_args!(
        "{} positions of {} games in {}; this run left out {} duplicates\n",
        progress.records,
        progress.games,
        shown(file),
        progress.duplicates
    ))?;
    if !progress.is_whole {
        return Err(CliError::Interrupted(format!(
            " after {done}; {} resumes {}",
            same_command(force),
            file.display()
        )));
    }
    Ok(ExitCode::SUCCESS)
}
