//! `santorini puzzles`: makes puzzles from games.

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::CliResult;
use super::board::with_board_size;
use super::files::{ForceArgs, write_file};
use super::interrupt::{interrupted, stop_flag};
use super::output::{print, progress_bar, say};
use crate::cli::CliError;
use crate::files::Kind;
use crate::jobs::{Jobs, default_threads};
use crate::puzzles::{FindOptions, Finder, Puzzle};
use crate::record::{GameRecord, read_games};
use crate::rules::{Position, Side};

/// Make puzzles from games: positions in which exactly one turn wins.
///
/// Looks at the last boards of recorded games. A board is a puzzle if one turn
/// wins and every other one loses, both by force; a search of all turns to the end
/// proves it, without pruning and without an evaluation. Wins of a single turn are
/// the easiest puzzles. In all others some turns do not lose at once, so that there
/// is something to choose. The same options give the same puzzles with any number
/// of threads.
#[derive(clap::Args)]
#[command(
    before_long_help = "\
Examples:
  santorini lab play --first engine:nodes=5000 --second engine:nodes=5000 \\
      --opening 4 --swap --games 2000 --record games.jsonl
  santorini puzzles --out puzzles.txt games.jsonl",
    after_long_help = "\
A line of the file is a position, its only winning turn, and the plies within
which it wins, as: POSITION: c2-c3+c4 win in 3. The fewest plies come first."
)]
pub struct Args {
    /// Files with records of games, as tournaments and `lab play` keep them.
    #[arg(value_name = "RECORDS", required = true)]
    records: Vec<PathBuf>,
    /// The file to write. The default is standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Take only games on boards of this many rows and columns.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u8).range(5..=6))]
    size: u8,
    /// The most puzzles of each length without cards.
    #[arg(long, value_name = "N", default_value_t = 60)]
    each: usize,
    /// The most puzzles of each length with cards.
    #[arg(long, value_name = "N", default_value_t = 15)]
    each_cards: usize,
    /// The most plies of a win, and of what refutes another turn.
    #[arg(long, value_name = "PLIES", default_value_t = 9,
          value_parser = clap::value_parser!(u32).range(1..=15))]
    plies: u32,
    /// The nodes of the engine for each board, which says where to look.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    nodes: u64,
    /// The most boards that a proof looks at.
    #[arg(long, value_name = "N", default_value_t = 400_000,
          value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    proof: u64,
    /// How many games to look at at the same time. The default is one on each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u64,
          hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    #[command(flatten)]
    force: ForceArgs,
}

/// The file that is written.
const PUZZLES_FILE: Kind = Kind {
    name: "a file of `santorini puzzles`",
    begins: |head| head.starts_with(HEAD.as_bytes()),
};
const HEAD: &str = "# Positions in which exactly one turn wins";

/// The last boards of a game that are looked at: before them nothing is decided
/// within the plies of a proof.
const LAST_BOARDS: usize = 16;

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads(&args.records);
    uses.replaces(args.out.as_deref(), PUZZLES_FILE).check()?;
    let mut games = Vec::new();
    for path in &args.records {
        games.extend(read_games(path)?);
    }
    games.retain(|game| game.size() == Some(args.size.into()));
    if games.is_empty() {
        return Err(CliError::Usage(format!(
            "there is no game on {0}x{0} spaces in these files",
            args.size
        )));
    }
    let stop = stop_flag()?;
    let (text, looked_at) = with_board_size!(args.size, N => puzzles::<N>(args, &games, &stop));
    match &args.out {
        Some(path) => write_file(path, text.as_bytes())?,
        None => print(text)?,
    }
    if looked_at < games.len() {
        say(&format!(
            "santorini: interrupted after {looked_at} of {} games; these are the puzzles up to there",
            games.len()
        ));
        return Ok(interrupted());
    }
    Ok(ExitCode::SUCCESS)
}

/// The puzzles of the games as text, and how many games were looked at.
fn puzzles<const N: usize>(
    args: &Args,
    games: &[GameRecord],
    stop: &AtomicBool,
) -> (String, usize) {
    let options = FindOptions {
        nodes: args.nodes,
        proof: args.proof,
        plies: args.plies,
        ..FindOptions::default()
    };
    let jobs = Jobs {
        threads: args.threads as usize,
        stop,
    };
    let bar = progress_bar(games.len() as u64, "games");
    let mut kept = Kept::new(args);
    let mut looked_at = 0;
    let look = |game: u64| in_game::<N>(&games[game as usize], options, stop);
    let take = |_, found: Vec<Puzzle<N>>| {
        bar.inc(1);
        if !jobs.is_stopped() {
            looked_at += 1;
            found.into_iter().for_each(|puzzle| kept.add(puzzle));
        }
        Ok::<(), Infallible>(())
    };
    let _ = jobs.run(0..games.len() as u64, look, take);
    bar.finish_and_clear();
    (kept.text(args), looked_at)
}

/// The puzzles of a game, one of each length. A record that cannot be played again
/// has none.
fn in_game<const N: usize>(
    game: &GameRecord,
    options: FindOptions,
    stop: &AtomicBool,
) -> Vec<Puzzle<N>> {
    let Ok(replay) = game.replay::<N>() else {
        return Vec::new();
    };
    let mut finder = Finder::new(options);
    let mut found: Vec<Puzzle<N>> = Vec::new();
    // On the last board nobody is to move any more.
    let boards = replay.positions.iter().take(replay.turns.len());
    for position in boards.rev().take(LAST_BOARDS) {
        if let Some(puzzle) = finder.look_at(position, stop)
            && found.iter().all(|other| other.plies != puzzle.plies)
        {
            found.push(puzzle);
        }
    }
    found
}

/// The puzzles to be kept, by length and whether there are cards.
struct Kept<const N: usize> {
    most: [usize; 2],
    puzzles: BTreeMap<(u32, bool), Vec<Puzzle<N>>>,
    /// Positions that a symmetry takes into each other are one puzzle.
    seen: HashSet<u64>,
}

impl<const N: usize> Kept<N> {
    fn new(args: &Args) -> Self {
        Self {
            most: [args.each, args.each_cards],
            puzzles: BTreeMap::new(),
            seen: HashSet::new(),
        }
    }

    fn add(&mut self, puzzle: Puzzle<N>) {
        let has_cards = puzzle.position.card(Side::Mover).is_some();
        let group = self.puzzles.entry((puzzle.plies, has_cards)).or_default();
        if group.len() < self.most[usize::from(has_cards)]
            && self.seen.insert(puzzle.position.symmetric_key())
        {
            group.push(puzzle);
        }
    }

    fn text(mut self, args: &Args) -> String {
        let mut text = format!(
            "{HEAD}, and every other one loses. Made by\n#   {}\n",
            command(args)
        );
        for group in self.puzzles.values_mut() {
            group.sort_by_key(|puzzle| choices(&puzzle.position));
            for puzzle in group {
                text += &format!("{puzzle}\n");
            }
        }
        text
    }
}

/// How many turns do not lose at once: with more of them a puzzle is harder.
fn choices<const N: usize>(position: &Position<N>) -> usize {
    let turns = position.turns().into_iter();
    turns.filter(|&turn| !position.play(turn).has_win()).count()
}

/// The command that makes the same puzzles again.
fn command(args: &Args) -> String {
    let Args {
        size,
        each,
        each_cards,
        plies,
        nodes,
        proof,
        ..
    } = args;
    let names = args.records.iter().map(|path| path.display().to_string());
    format!(
        "santorini puzzles --size {size} --each {each} --each-cards {each_cards} --plies {plies} \
         --nodes {nodes} --proof {proof} {}",
        names.collect::<Vec<_>>().join(" ")
    )
}
