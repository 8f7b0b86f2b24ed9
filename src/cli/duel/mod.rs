//! `santorini duel`: a match of two engines of this program.
//!
//! | to see or change | look at |
//! |---|---|
//! | the options, playing | `mod.rs` (here) |
//! | the options of an engine | `contender.rs` |
//! | where games start | `start.rs` |
//! | showing the outcome | `outcome.rs` |
//! | the file of a match: saving and resuming | `saved.rs` |

mod contender;
mod outcome;
mod saved;
mod start;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use self::contender::{Contender, names};
pub(super) use self::outcome::show;
use self::outcome::state;
use self::saved::{SavedMatch, counted};
use self::start::{features_of, random_start, start, start_text};
use super::engine::{jobs, threads_from};
use super::files::ForceArgs;
use super::interrupt::{interrupted, stop_flag};
use super::openings::book_file;
use super::output::say;
use super::progress::Progress;
use super::resume_command::same_command;
use super::sprt::SprtArgs;
use super::{CliError, CliResult, number_in, parse_seconds};
use crate::arena::{MatchScore, MatchSettings, SHARE_FILE, engine_pair, play_pairs};
use crate::openings::balanced::{MARGIN, Start};
use crate::search::Limits;
use crate::shard::Shard;

/// Play a match of two engines inside this process
///
/// Examples:
///   santorini duel --cards new="--eval new.bin" old=
///   santorini duel --cards --openings even --time 0.1 new="--eval new.bin" old=
///   santorini duel --board 6 --time 0.05 --jobs 2 new="--eval new.bin" old=
///   santorini duel --random-turns 2 --sprt 0 5 tuned="--params params.txt" \
///       built-in=
///   santorini duel --random-turns 2 --shard 2/4 --pairs 4000 \
///       --output part2.json new="--eval new.bin" old=
///   santorini merge part*.json
///
/// Both engines use the search of this program, with different evaluations or
/// parameters. They play pairs of games: the same opening twice, with seats
/// swapped. Standard output gets the difference in Elo with its 95% interval. With
/// --nodes the outcome is the same every time. To compare whole programs, or to
/// save the games, use `santorini tournament`.
///
/// Equal node counts favour the slower engine. Use --time to see whether a larger
/// network is worth its time.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
An engine is a quoted list of the options below. NAME= before the list gives it
a name. Without options (NAME= or '') it is the built-in engine.
  --eval NAME      the evaluation: network, tuned, paper, or a network file
  --params FILE    search parameters, as `santorini tune` writes them
  --hash MIB       the size of the transposition table [128]
  --threads N      the number of search threads [SANTORINI_THREADS, or else 1]

Games start on the boards of the built-in book of even openings. With cards and
on 6x6 they start after random placements that a search finds about even; with
--cards --openings even, on the boards of the built-in book for all pairs of
cards.

With --nodes and one thread, two games from one board are copies of each other.
Such a match ends when all boards of its book are used. --random-turns 2 always
makes new boards."
)]
pub(super) struct Args {
    /// The engine to measure: OPTIONS or NAME=OPTIONS. The options are listed below.
    #[arg(value_name = "ENGINE", allow_hyphen_values = true)]
    engine: Contender,
    /// Its opponent: OPTIONS or NAME=OPTIONS.
    #[arg(value_name = "OPPONENT", allow_hyphen_values = true)]
    opponent: Contender,
    /// The number of pairs of games. The default is 200, or with --sprt as many as the
    /// test needs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: Option<u64>,
    /// The nodes to search for each turn.
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with = "time",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The time for each turn, instead of a number of nodes.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// The number of rows and columns of the board.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(5..=6))]
    board: u8,
    /// Play each pair of games with a random pair of cards.
    #[arg(long)]
    cards: bool,
    /// Start games on the boards of this file, one on each line, in JSON or as text;
    /// `even` is the built-in book, with --cards the book for all pairs of cards.
    #[arg(long, value_name = "FILE|even", conflicts_with = "random_turns")]
    openings: Option<String>,
    /// Start games after a random placement and K random turns. The default with cards
    /// and on 6x6 is 0.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=30))]
    random_turns: Option<u32>,
    #[arg(long, value_name = "LEVELS", value_parser = number_in(0.0..=1000.0),
          help = format!("The maximum distance of random openings from even, in levels; 1000 \
                          allows all. The default is {DEFAULT_MARGIN}."))]
    margin: Option<f64>,
    /// The seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many pairs to play at the same time; 0 is one on each core. The default is 0,
    /// or 1 with --time.
    #[arg(long, value_name = "N", value_parser = threads_from(0))]
    jobs: Option<u16>,
    #[command(flatten)]
    sprt: SprtArgs,
    /// Play one share of the pairs, such as 1/4 to 4/4 on four machines.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true,
          conflicts_with = "sprt", requires = "output")]
    shard: Shard,
    /// Save the outcome to this file, for `santorini merge`: after the first pair, then
    /// every 20 seconds and at the end. The same command resumes an interrupted match.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the outcome as a JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// The default number of pairs of games.
const PAIRS: u64 = 200;

/// The default margin, in levels.
const DEFAULT_MARGIN: f64 = MARGIN as f64 / 100.0;

impl Args {
    fn margin(&self) -> f64 {
        self.margin.unwrap_or(DEFAULT_MARGIN)
    }
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let Args {
        engine, opponent, ..
    } = args;
    let contenders = [engine, opponent];
    let uses = args.force.uses().reads(&engine.files);
    let uses = uses.reads(&opponent.files);
    let uses = uses.reads(args.openings.as_deref().and_then(book_file));
    uses.replaces(args.output.as_deref(), SHARE_FILE).check()?;
    match args.board {
        6 => match &args.openings {
            None => duel::<6>(args, contenders, random_start(args)),
            Some(name) => Err(CliError::Usage(format!(
                "--openings {name}: the boards of books are 5x5; for 6x6 use --random-turns"
            ))),
        },
        _ => duel::<5>(args, contenders, start(args)?),
    }
}

fn duel<const N: usize>(
    args: &Args,
    [engine, opponent]: [&Contender; 2],
    start: Start<N>,
) -> CliResult {
    check_start(args, [engine, opponent], &start)?;
    let sprt = args.sprt.setting()?;
    let limits = args.time.map_or(Limits::nodes(args.nodes), Limits::time);
    let wanted = args.pairs.or(sprt.is_none().then_some(PAIRS));
    let different = different_pairs(args, [engine, opponent], &start);
    let all = wanted.unwrap_or(u64::MAX).min(different);
    let most = args.shard.share_of(all);
    let stop = stop_flag()?;
    let jobs = jobs(args.jobs.unwrap_or(args.time.is_some().into()), &stop);
    let settings = match_settings(args, [engine, opponent], &start, wanted.and(Some(all)));
    let names = settings.names.clone();
    let mut saved = SavedMatch::new(args.output.as_deref(), settings, args.shard);
    let begun = match args.force.force {
        true => MatchScore::default(),
        false => saved.begun()?,
    };
    // A sequential test may end at any time.
    let progress = Progress::new(sprt.is_none().then_some(most), "pairs");
    progress.set_begun(begun.pairs().count());
    let players = [engine.options, opponent.options];
    let pair = |index| {
        let number = args.shard.nth(index);
        let opening = start.board(args.seed, number, &stop);
        engine_pair(opening, players, &limits, &stop)
    };
    let score = play_pairs(begun, most, sprt, &jobs, pair, |score| {
        progress.set_with(score.pairs().count(), state(score, sprt));
        saved.save_now_and_then(score);
    });
    progress.finish();
    let outcome = score.outcome(names, sprt);
    // Each is done even if the other fails.
    let saved = saved.save(&score);
    saved.and(show(&outcome, args.json))?;
    if jobs.is_stopped() {
        let games = counted(&score, wanted.and(Some(most)));
        return Ok(interrupted_match(args, &games));
    }
    let test = outcome.duel.sprt;
    let is_decided = test.is_some_and(|test| test.decision.is_some());
    if all < wanted.unwrap_or(u64::MAX) && !is_decided {
        say(
            "santorini: every board of the book is used; at a fixed number of nodes more games \
             would be copies: for more use --random-turns 2 or --time",
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Says which `games` were played and how to resume the match after Ctrl-C. Returns the
/// exit code.
fn interrupted_match(args: &Args, games: &str) -> ExitCode {
    let resuming = match args.output {
        Some(_) => format!("; {} resumes them", same_command(args.force)),
        None => String::new(),
    };
    say(&format!("santorini: interrupted after {games}{resuming}"));
    interrupted()
}

/// Checks that the options and the evaluations fit the start of the games.
fn check_start<const N: usize>(
    args: &Args,
    contenders: [&Contender; 2],
    start: &Start<N>,
) -> Result<(), CliError> {
    if let (Start::Boards(_), Some(margin)) = (start, args.margin) {
        return Err(CliError::Usage(format!(
            "--margin {margin}: it is for random openings, but these games start from a book; use \
             --random-turns 0 for random openings"
        )));
    }
    for contender in contenders {
        let features = features_of(start).into_iter();
        contender.eval.expect_games::<N>(features)?;
    }
    Ok(())
}

/// The number of pairs that are no copies of earlier ones.
fn different_pairs<const N: usize>(
    args: &Args,
    contenders: [&Contender; 2],
    start: &Start<N>,
) -> u64 {
    let repeats_games = |contender: &&Contender| contender.options.threads == 1;
    match start.count() {
        Some(boards) if args.time.is_none() && contenders.iter().all(repeats_games) => boards,
        _ => u64::MAX,
    }
}

/// The settings of the match. `pairs` is its number of pairs, if that is fixed.
fn match_settings<const N: usize>(
    args: &Args,
    [engine, opponent]: [&Contender; 2],
    start: &Start<N>,
    pairs: Option<u64>,
) -> MatchSettings {
    MatchSettings {
        names: names(engine, opponent),
        engines: [engine, opponent].map(|contender| contender.exact_text.clone()),
        board: args.board,
        start: start_text(args, start),
        limit: match args.time {
            Some(time) => format!("{} s a turn", time.as_secs_f64()),
            None => format!("{} nodes a turn", args.nodes),
        },
        seed: args.seed,
        pairs,
    }
}
