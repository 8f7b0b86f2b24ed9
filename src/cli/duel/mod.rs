//! `santorini duel`: a match of two engines of this program.
//!
//! | to see or change | look at |
//! |---|---|
//! | the options, playing | `mod.rs` (here) |
//! | the file that keeps a match | `kept.rs` |

mod kept;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser};

use super::again::same_command;
use super::engine::{EngineArgs, EvalArg, threads_of};
use super::files::ForceArgs;
use super::interrupt::{interrupted, stop_flag};
use super::openings::{EVEN, book_boards, book_file, even_card_book};
use super::output::{print, say};
use super::progress::Progress;
use super::sprt::{SPRT_PAIRS, SprtArgs};
use super::{CliError, CliResult, parse_number, parse_seconds, usage};
use crate::arena::{MatchOutcome, MatchScore, MatchSettings, SHARE_FILE, engine_pair, play_pairs};
use crate::eval::network::features::FeatureSet;
use crate::jobs::Jobs;
use crate::openings::balanced::{MARGIN, RandomStart, Start};
use crate::openings::digest_of;
use crate::search::{EngineOptions, Limits};
use crate::shard::Shard;
use crate::stats::SprtSetting;
use crate::tournament::text;
use kept::Kept;

/// Play a match of two engines inside this process.
///
/// Both engines are the search of this program, with different evaluations or
/// parameters. They play pairs of games: the same opening twice, with seats
/// swapped. Standard output gets the difference in Elo with its 95% interval.
/// With --nodes the outcome is the same every time. To compare whole programs,
/// or to keep the games, use `santorini tournament`.
///
/// An equal number of nodes favours the engine that is slower. Only --time tells
/// whether a larger network is worth its time.
#[derive(clap::Args)]
#[command(
    before_long_help = "\
Examples:
  santorini duel --cards new=\"--eval new.bin\" old=
  santorini duel --cards --openings even --time 0.1 new=\"--eval new.bin\" old=
  santorini duel --board 6 --time 0.05 --jobs 2 new=\"--eval new.bin\" old=
  santorini duel --nodes 60000 --sprt 0 5 tuned=\"--params params.txt\" \\
      built-in=
  santorini duel --shard 2/4 --pairs 4000 --output part2.json \\
      new=\"--eval new.bin\" old=
  santorini merge part*.json",
    after_long_help = "\
An engine is a quoted list of the options below, after NAME= if it is to have a
name. Without any it is the engine of this program as it is: the description of
that is NAME= or ''.
  --eval NAME      the evaluation: network, tuned, paper, or the file of a network
  --params FILE    parameters of the search, as `santorini tune` writes them
  --hash MIB       the size of the transposition table [128]
  --threads N      how many threads search [SANTORINI_THREADS, or else 1]

Games start on the boards of the built-in book of even openings. With cards and on
6x6 spaces they start after random placements that a search finds about even, with
--cards --openings even on the boards of the built-in book for all pairs of cards."
)]
pub struct Args {
    /// The engine to measure: OPTIONS, or NAME=OPTIONS. Which ones there are stands
    /// below.
    #[arg(value_name = "ENGINE", allow_hyphen_values = true)]
    engine: Contender,
    /// Its opponent: OPTIONS, or NAME=OPTIONS.
    #[arg(value_name = "OPPONENT", allow_hyphen_values = true)]
    opponent: Contender,
    /// The number of pairs of games. The default is 200, or with --sprt as many
    /// as the test takes.
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
    /// Start games on the boards of this file, one on each line, in JSON or as
    /// text; `even` is the built-in book, with --cards the one of all pairs of
    /// cards.
    #[arg(long, value_name = "FILE|even", conflicts_with = "random_turns")]
    openings: Option<String>,
    /// Start games after a random placement and K random turns. The default with
    /// cards and on 6x6 spaces is 0.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=30))]
    random_turns: Option<u32>,
    #[arg(long, value_name = "LEVELS", value_parser = parse_margin,
          help = format!("Take random openings whose score is at most this far from even; 1000 \
                          takes all. The default is {DEFAULT_MARGIN}."))]
    margin: Option<f64>,
    /// The seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many pairs to play at the same time; 0 is one on each core. The
    /// default is 0, with --time 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    sprt: SprtArgs,
    /// Play one share of the pairs: 1/4 to 4/4 on four machines.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true,
          conflicts_with = "sprt", requires = "output")]
    shard: Shard,
    /// Keep the outcome in this file, for `santorini merge`. The same command goes
    /// on with it after an interruption.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the outcome as a JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// Pairs of games when nothing is said.
const PAIRS: u64 = 200;

/// The margin when nothing is said, in levels.
const DEFAULT_MARGIN: f64 = MARGIN as f64 / 100.0;

/// A margin that leaves out nothing, in levels.
const WIDEST_MARGIN: f64 = 1000.0;

fn parse_margin(text: &str) -> Result<f64, String> {
    parse_number(text, 0.0..=WIDEST_MARGIN)
}

impl Args {
    fn margin(&self) -> f64 {
        self.margin.unwrap_or(DEFAULT_MARGIN)
    }
}

/// One of both engines.
#[derive(Clone)]
struct Contender {
    name: String,
    /// As it was given.
    text: String,
    /// What tells the contents of its files from others.
    checksums: Vec<String>,
    options: EngineOptions,
    eval: EvalArg,
    /// The files that the options are read from.
    files: Vec<PathBuf>,
}

impl Contender {
    /// As it was given, and with checksums of the files that are named.
    fn exact_text(&self) -> String {
        let checksums = self.checksums.iter().map(|sum| format!(" #{sum}"));
        self.text.clone() + &checksums.collect::<String>()
    }
}

/// The options of an engine, as a command line of their own.
#[derive(Parser)]
#[command(
    bin_name = "santorini duel",
    no_binary_name = true,
    disable_help_flag = true
)]
struct ContenderArgs {
    #[command(flatten)]
    engine: EngineArgs,
}

impl FromStr for Contender {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, options) = match text.split_once('=') {
            Some((name, options)) if !name.starts_with('-') => (name, options),
            _ => ("", text),
        };
        let words = shlex::split(options)
            .ok_or_else(|| format!("{options:?} has a quote that is not closed"))?;
        let command = usage::prepared(ContenderArgs::command());
        let matches = command.clone().try_get_matches_from(words);
        let args = matches.and_then(|matches| ContenderArgs::from_arg_matches(&matches));
        let args = args.map_err(|error| usage::one_line(&error, &command))?;
        let name = [name, options, "built-in"]
            .into_iter()
            .map(str::trim)
            .find(|name| !name.is_empty());
        Ok(Self {
            name: name.unwrap_or_default().to_string(),
            text: options.trim().to_string(),
            checksums: args.engine.checksums(),
            eval: args.engine.eval().clone(),
            options: args.engine.options_with(1),
            files: args.engine.files().map(Path::to_path_buf).collect(),
        })
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
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
                "--openings {name}: books are of boards of 5x5 spaces; \
                 for 6x6 say --random-turns"
            ))),
        },
        _ => duel::<5>(args, contenders, start(args)?),
    }
}

/// What the network sees in games that start so.
fn features_of<const N: usize>(start: &Start<N>) -> Vec<FeatureSet> {
    match start {
        Start::Random(random) if random.cards => vec![FeatureSet::Cards],
        Start::Random(_) => vec![FeatureSet::Base],
        Start::Boards(boards) => boards.iter().map(FeatureSet::of).collect(),
    }
}

/// Where games on 5x5 spaces start.
fn start(args: &Args) -> Result<Start<5>, CliError> {
    let name = match &args.openings {
        Some(name) if args.cards && name == EVEN => {
            return Ok(Start::Boards(even_card_book(args.seed)?.boards()));
        }
        Some(name) if args.cards => {
            return Err(CliError::Usage(format!(
                "--cards --openings {name}: the boards of a file say the cards themselves; \
                 leave out --cards"
            )));
        }
        Some(name) => name,
        None if args.cards || args.random_turns.is_some() => return Ok(random_start(args)),
        None => EVEN,
    };
    Ok(Start::Boards(book_boards(name, args.seed)?))
}

fn random_start<const N: usize>(args: &Args) -> Start<N> {
    Start::Random(RandomStart {
        cards: args.cards,
        turns: args.random_turns.unwrap_or(0),
        margin: (args.margin() * 100.0).round() as i32,
    })
}

fn duel<const N: usize>(
    args: &Args,
    [engine, opponent]: [&Contender; 2],
    start: Start<N>,
) -> CliResult {
    if let (Start::Boards(_), Some(margin)) = (&start, args.margin) {
        return Err(CliError::Usage(format!(
            "--margin {margin}: it chooses random openings, and games start on the boards of a \
             book; --random-turns 0 makes random ones"
        )));
    }
    for contender in [engine, opponent] {
        contender
            .eval
            .expect_games::<N>(features_of(&start).into_iter())?;
    }
    let sprt = args.sprt.setting()?;
    let limits = args.time.map_or(Limits::nodes(args.nodes), Limits::time);
    let names = names(engine, opponent);
    let default = if sprt.is_some() { SPRT_PAIRS } else { PAIRS };
    let all = args.pairs.unwrap_or(default);
    let most = args.shard.share_of(all);
    let jobs = args.jobs.unwrap_or(args.time.is_some().into());
    let stop = stop_flag()?;
    let jobs = Jobs {
        threads: threads_of(jobs.into()),
        stop: &stop,
    };
    let settings = MatchSettings {
        names: names.clone(),
        engines: [engine, opponent].map(Contender::exact_text),
        board: args.board,
        start: start_text(args, &start),
        limit: limit_text(args),
        seed: args.seed,
        pairs: all,
    };
    let mut kept = Kept::new(args.output.as_deref(), settings, args.shard);
    let begun = match args.force.force {
        true => MatchScore::default(),
        false => kept.begun()?,
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
        kept.save_now_and_then(score);
    });
    progress.finish();
    kept.save(&score)?;
    show(&score.outcome(names, sprt), args.json)?;
    if jobs.is_stopped() {
        say(&format!(
            "santorini: interrupted after {} of {most} pairs{}",
            score.pairs().count(),
            match args.output {
                Some(_) => format!("; {} resumes them", same_command(args.force)),
                None => String::new(),
            }
        ));
        return Ok(interrupted());
    }
    Ok(ExitCode::SUCCESS)
}

/// Where games start, for machines that play shares of one match: a book is
/// known by its boards and not only by its name.
fn start_text<const N: usize>(args: &Args, start: &Start<N>) -> String {
    let cards = if args.cards { " with cards" } else { "" };
    match start {
        Start::Boards(boards) => format!(
            "{}{cards}, {} boards, digest {}",
            args.openings.as_deref().unwrap_or(EVEN),
            boards.len(),
            digest_of(boards)
        ),
        Start::Random(random) => format!(
            "{} random turns{cards}, margin {}",
            random.turns,
            args.margin()
        ),
    }
}

fn limit_text(args: &Args) -> String {
    match args.time {
        Some(time) => format!("{} s a turn", time.as_secs_f64()),
        None => format!("{} nodes a turn", args.nodes),
    }
}

/// The names, which differ.
fn names(first: &Contender, second: &Contender) -> [String; 2] {
    if first.name == second.name {
        return [1, 2].map(|number| format!("{} ({number})", first.name));
    }
    [first.name.clone(), second.name.clone()]
}

/// Prints the outcome.
pub fn show(outcome: &MatchOutcome, json: bool) -> Result<(), CliError> {
    if json {
        let json = serde_json::to_string(outcome);
        let json = json.map_err(|error| CliError::failed("the outcome", error))?;
        print(json + "\n")
    } else {
        print(text(outcome))
    }
}

/// The outcome in lines.
fn text(outcome: &MatchOutcome) -> String {
    let duel = &outcome.duel;
    let [lost, _, won] = duel.games;
    let mut text = format!("{} games, {won} won, {lost} lost", won + lost);
    if let Some(share) = outcome.first_mover_score {
        let percent = share * 100.0;
        text += &format!("; the player who moved first won {percent:.1}%");
    }
    text + "\n" + &text::duel(duel)
}

/// How a match stands, in a few words.
fn state(score: &MatchScore, sprt: Option<SprtSetting>) -> String {
    let duel = score.outcome(Default::default(), sprt).duel;
    let [lost, _, won] = duel.games;
    let mut state = format!("{won}-{lost}");
    if let Some(elo) = duel.estimate() {
        state += &format!(", {}", elo.text(1));
    }
    if let Some(test) = &duel.sprt {
        state += &format!(", {}", text::sprt(test));
    }
    state
}
