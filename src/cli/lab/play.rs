//! `santorini lab play`: games between two agents.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{CliError, CliResult, Work, isolate_programs, prepare};
use crate::chart::time;
use crate::cli::files::{ForceArgs, open_records};
use crate::cli::interrupt::stop_flag;
use crate::cli::isolate::IsolateArgs;
use crate::cli::output::{note_copies, print};
use crate::cli::progress::Progress;
use crate::files::Uses;
use crate::lab::factory::Factory;
use crate::lab::games::{Match, random_openings};
use crate::lab::match_stats::{MatchStats, SampleStats};
use crate::lab::qlearning::TABLE_FILE;
use crate::lab::spec::{self, AgentSpec};
use crate::openings::Openings;
use crate::printable::printable;
use crate::record::RECORDS_FILE;
use crate::seeds::derive_seed;
use crate::stats::{Estimate, elo_of_score};

/// Play games between two agents
///
/// Examples:
///   santorini lab play --first alphabeta:depth=3 --second mc:episodes=500 \
///       --games 100
///   santorini lab play --first engine --second mc --games 10 --record games.jsonl
///   santorini lab play --first 'program:python3 my_bot/player.py' \
///       --second random --swap
///   santorini lab play --first qlearning:episodes=100000,save=a.q --second random
///   santorini draw games.jsonl --game 3
///
/// Prints the wins of both agents, the score of the first with its 95% interval,
/// the length of the games, and the times of games, placements and turns. With
/// --swap and --opening the score and its interval count pairs of games, so the
/// last game of an odd number is left out; otherwise they count single games.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = spec::HELP
)]
pub(super) struct Args {
    /// The agent that moves first; with --swap, in every other game.
    #[arg(long, value_name = "AGENT")]
    first: AgentSpec,
    /// The other agent.
    #[arg(long, value_name = "AGENT")]
    second: AgentSpec,
    /// The number of games.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// Swap the seats after every game.
    #[arg(long)]
    swap: bool,
    /// Start after a random placement and this number of random turns. With --swap both
    /// games of a pair start on the same board. By default the agents place their
    /// workers.
    #[arg(long, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(0..=40))]
    opening: Option<u32>,
    /// Write the games to this new file, one JSON record on each line.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    isolate: IsolateArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    work: Work,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    uses(args).check()?;
    let mut records = match &args.record {
        Some(path) => Some(open_records(path, false, args.force)?.0),
        None => None,
    };
    isolate_programs(&args.isolate, [&args.first, &args.second])?;
    let games = Match {
        players: players(args)?,
        seed: args.work.seed,
        swap: args.swap,
        openings: match args.opening {
            Some(turns) => random_openings(turns, args.work.seed),
            None => Openings::SetUp,
        },
    };
    let names = [&args.first, &args.second].map(AgentSpec::to_string);
    let stop = stop_flag()?;
    let jobs = args.work.jobs(&stop);
    let progress = Progress::new(args.games, "games");
    let mut summary = MatchStats::new(args.swap && args.opening.is_some());
    let mut different = BTreeSet::new();
    let played = jobs.run(
        0..args.games,
        |number| games.play_until(number, &stop),
        |number, game| -> Result<(), CliError> {
            let game =
                game.map_err(|fault| CliError::failed(format_args!("game {}", number + 1), fault))?;
            let game = game.ok_or_else(|| interrupted(summary.games, args.games))?;
            summary.add(&game);
            different.insert(game.key());
            progress.inc();
            match &mut records {
                Some(file) => Ok(file.append(&game.record(number, &names))?),
                None => Ok(()),
            }
        },
    );
    progress.finish();
    // A fault ends the match, but the games before it still count.
    if let Some(score) = summary.score() {
        print(text(&summary, score, &names))?;
        let advice = "use --opening 2 for other boards";
        note_copies(different.len() as u64, summary.games, advice);
    }
    played?;
    match summary.games < args.games {
        true => Err(interrupted(summary.games, args.games)),
        false => Ok(ExitCode::SUCCESS),
    }
}

fn players(args: &Args) -> Result<[Factory; 2], CliError> {
    let seed = |player| derive_seed(args.work.seed, &[player]);
    Ok([
        prepare(&args.first, seed(0))?,
        prepare(&args.second, seed(1))?,
    ])
}

fn interrupted(done: u64, games: u64) -> CliError {
    CliError::Interrupted(format!(" after {done} of {games} games"))
}

/// The files that the command reads and writes.
fn uses(args: &Args) -> Uses {
    let Args { first, second, .. } = args;
    args.force
        .uses()
        .reads(first.file_read())
        .reads(second.file_read())
        .replaces(first.file_written(), TABLE_FILE)
        .replaces(second.file_written(), TABLE_FILE)
        .begins(args.record.as_deref(), RECORDS_FILE, "")
}

/// The outcome of the games.
fn text(
    summary: &MatchStats,
    (score, [low, high]): (f64, [f64; 2]),
    names: &[String; 2],
) -> String {
    let mut text = format!("games       {}\n", summary.games);
    for (player, name) in names.iter().enumerate() {
        let [as_first, as_second] = summary.wins[player];
        let won = as_first + as_second;
        text += &format!(
            "{:<11} {} won {won} ({as_first} moving first, {as_second} moving second)\n",
            ["first", "second"][player],
            printable(name)
        );
    }
    let [share, least, most] = [score, low, high].map(|share| 100.0 * share);
    let [elo, low, high] = [score, low, high].map(elo_of_score);
    let elo = Estimate { elo, low, high }.text(0);
    let turns = &summary.turns;
    let without = match summary.leaves_out_last() {
        true => ", without the last game, which has no pair",
        false => "",
    };
    text += &format!(
        "score       {share:.1}% (95%: {least:.1}% to {most:.1}%), {elo}{without}\n\
         turns       {:.1} a game, {} to {}\n\
         game        {}\n",
        turns.mean(),
        turns.least,
        turns.most,
        times(&summary.game_seconds)
    );
    let actions = [
        ("placement", &summary.placement_seconds),
        ("turn", &summary.turn_seconds),
    ];
    for (action, [first, second]) in actions {
        if !first.is_empty() {
            let (first, second) = (times(first), times(second));
            text += &format!("{action:<11} first {first}; second {second}\n");
        }
    }
    text
}

/// The mean and the maximum of times.
fn times(seconds: &SampleStats) -> String {
    let (mean, most) = (time(seconds.mean()), time(seconds.most));
    format!("mean {mean}, max {most}")
}
