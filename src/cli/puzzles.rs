//! `santorini puzzles`: makes puzzles from games.

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::board::with_board_size;
use super::engine::{jobs, threads_from};
use super::files::{ForceArgs, keep_complete};
use super::interrupt::{interrupted, stop_flag};
use super::output::{file_of, say, write_or_print};
use super::progress::Progress;
use super::{CliError, CliResult};
use crate::files::Kind;
use crate::jobs::default_threads;
use crate::puzzles::{FindOptions, Finder, Puzzle, play_game, safe_turns};
use crate::record::{GameRecord, ReplayError, read_games};
use crate::rules::Position;
use crate::shell::quoted;

/// Make puzzles from games: positions in which exactly one turn wins
///
/// Examples:
///   santorini puzzles --out puzzles.txt games.jsonl   from games of a tournament
///   santorini puzzles --play 500                      from 500 games of the engine
///   santorini puzzles --play 500 --size 6 --each 10
///   santorini puzzles --play-cards 500 --seed 2       with god cards
///
/// Searches the last boards of recorded games, or of games that the engine plays
/// against itself. A board is a puzzle if one turn wins by force and every other
/// turn loses by force, proved by the rules alone. The easiest puzzles are wins in
/// a single turn. In all others, at least one wrong turn does not lose at once. The
/// same options give the same puzzles with any number of threads. Ctrl-C writes the
/// puzzles so far, unless the file exists.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
A line of the file is a position, its only winning turn, and the plies to the
win: POSITION: c2-c3+c4 win in 3. The shortest wins come first."
)]
pub(super) struct Args {
    /// Files with records of games, as tournaments and `lab play` write them.
    #[arg(value_name = "RECORDS", required_unless_present_any = ["play", "play_cards"])]
    records: Vec<PathBuf>,
    /// Let the engine play this many games against itself, after a random placement
    /// and four random turns, and search them for puzzles too.
    #[arg(long, value_name = "GAMES", default_value_t = 0, hide_default_value = true,
          value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    play: u64,
    /// Play this many more games with a random pair of cards.
    #[arg(long, value_name = "GAMES", default_value_t = 0, hide_default_value = true,
          value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    play_cards: u64,
    /// The seed of these games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file to write, or - for standard output, which is the default.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Use only games on boards with this many rows and columns.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u8).range(5..=6))]
    size: u8,
    /// The maximum number of puzzles of each length without cards.
    #[arg(long, value_name = "N", default_value_t = 60)]
    each: usize,
    /// The maximum number of puzzles of each length with cards.
    #[arg(long, value_name = "N", default_value_t = 15)]
    each_cards: usize,
    /// The maximum number of plies of a win, and of the refutation of another turn.
    #[arg(long, value_name = "PLIES", default_value_t = 9,
          value_parser = clap::value_parser!(u32).range(1..=15))]
    plies: u32,
    /// The nodes of the search that picks the boards to examine.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    nodes: u64,
    /// The maximum number of nodes of a proof.
    #[arg(long, value_name = "N", default_value_t = 400_000,
          value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    proof: u64,
    /// How many games to examine at the same time. The default is one on each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u16,
          hide_default_value = true, value_parser = threads_from(1))]
    threads: u16,
    #[command(flatten)]
    force: ForceArgs,
}

/// The file that this command writes.
const PUZZLES_FILE: Kind = Kind {
    name: "a file of `santorini puzzles`",
    begins: |head| head.starts_with(HEAD.as_bytes()),
};
const HEAD: &str = "# Positions in which exactly one turn wins";

/// How many of the last boards of a game are examined. Earlier boards are not decided
/// within the plies of a proof.
const LAST_BOARDS: usize = 16;

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads(&args.records);
    uses.replaces(file_of(args.out.as_ref()), PUZZLES_FILE)
        .check()?;
    let mut games = Vec::new();
    for path in &args.records {
        games.extend(read_games(path)?);
    }
    if games.is_empty() && !args.records.is_empty() {
        return Err(CliError::Usage(
            "there is no game record in these files; `santorini tournament --output` writes some, \
             or use --play 500"
                .into(),
        ));
    }
    games.retain(|game| game.size() == Some(args.size.into()));
    let source = Source { args, games };
    if source.count() == 0 {
        return Err(CliError::Usage(format!(
            "there is no game on a {0}x{0} board in these files; use --play 500 to play some",
            args.size
        )));
    }
    with_board_size!(args.size, N => make::<N>(&source))
}

/// The games to search for puzzles.
struct Source<'a> {
    args: &'a Args,
    games: Vec<GameRecord>,
}

impl Source<'_> {
    /// The number of games.
    fn count(&self) -> u64 {
        let played = self.args.play.saturating_add(self.args.play_cards);
        played.saturating_add(self.games.len() as u64)
    }

    /// The boards of a game, without the last one if the game is over there.
    ///
    /// # Errors
    /// If its record cannot be replayed.
    fn boards<const N: usize>(&self, number: u64) -> Result<Vec<Position<N>>, Unplayable> {
        let Args { play, seed, .. } = *self.args;
        let recorded = self.games.len() as u64;
        match number.checked_sub(recorded) {
            None => {
                let game = &self.games[number as usize];
                let replay = game.replay::<N>().map_err(|cause| (game.number(), cause))?;
                let mut boards = replay.positions;
                boards.truncate(replay.turns.len());
                Ok(boards)
            }
            Some(number) => Ok(play_game(seed, number, number >= play)),
        }
    }
}

/// The number of a game, and why it cannot be replayed.
type Unplayable = (u64, ReplayError);

/// Searches the games and writes the puzzles.
fn make<const N: usize>(source: &Source) -> CliResult {
    let args = source.args;
    let stop = stop_flag()?;
    let jobs = jobs(args.threads, &stop);
    let options = FindOptions {
        nodes: args.nodes,
        proof: args.proof,
        plies: args.plies,
        ..FindOptions::default()
    };
    let progress = Progress::new(source.count(), "games");
    let mut groups = PuzzleGroups::new(args);
    let (mut examined, mut left_out) = (0, Vec::new());
    let look = |game| Ok(in_boards(&source.boards(game)?, options, &stop));
    let take = |_, found: Result<Vec<Puzzle<N>>, Unplayable>| {
        progress.inc();
        examined += 1;
        match found {
            Ok(found) => found.into_iter().for_each(|puzzle| groups.add(puzzle)),
            Err(unplayable) => left_out.push(unplayable),
        }
        Ok::<(), Infallible>(())
    };
    let Ok(()) = jobs.run_whole(0..source.count(), look, take);
    progress.finish();
    let file = file_of(args.out.as_ref());
    if let Some(file) = file.filter(|_| examined < source.count()) {
        keep_complete(file)?;
    }
    if groups.seen.is_empty() {
        say("santorini: there is no puzzle in these games; no file was written");
    } else {
        write_or_print(file, &groups.text(args))?;
    }
    if let Some((first, cause)) = left_out.first() {
        say(&format!(
            "santorini: skipped {} of {} records, which cannot be replayed; the first is game \
             {first}: {cause}",
            left_out.len(),
            source.games.len()
        ));
    }
    if examined < source.count() {
        say(&format!(
            "santorini: interrupted after {examined} of {} games",
            source.count()
        ));
        return Ok(interrupted());
    }
    Ok(ExitCode::SUCCESS)
}

/// The puzzles on the last boards of a game, one of each length.
fn in_boards<const N: usize>(
    boards: &[Position<N>],
    options: FindOptions,
    stop: &AtomicBool,
) -> Vec<Puzzle<N>> {
    let mut finder = Finder::new(options);
    let mut found: Vec<Puzzle<N>> = Vec::new();
    for position in boards.iter().rev().take(LAST_BOARDS) {
        if let Some(puzzle) = finder.look_at(position, stop)
            && found.iter().all(|other| other.plies != puzzle.plies)
        {
            found.push(puzzle);
        }
    }
    found
}

/// The puzzles found, by length and whether there are cards.
struct PuzzleGroups<const N: usize> {
    most: [usize; 2],
    puzzles: BTreeMap<(u32, bool), Vec<Puzzle<N>>>,
    /// Symmetric positions are one puzzle.
    seen: HashSet<u64>,
}

impl<const N: usize> PuzzleGroups<N> {
    fn new(args: &Args) -> Self {
        Self {
            most: [args.each, args.each_cards],
            puzzles: BTreeMap::new(),
            seen: HashSet::new(),
        }
    }

    fn add(&mut self, puzzle: Puzzle<N>) {
        let has_cards = puzzle.position.has_cards();
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
            group.sort_by_key(|puzzle| safe_turns(&puzzle.position));
            for puzzle in group {
                text += &format!("{puzzle}\n");
            }
        }
        text
    }
}

/// The command that makes the same puzzles again.
fn command(args: &Args) -> String {
    let Args {
        play,
        play_cards,
        seed,
        size,
        each,
        each_cards,
        plies,
        nodes,
        proof,
        ..
    } = args;
    let mut command = format!(
        "santorini puzzles --size {size} --each {each} --each-cards {each_cards} --plies {plies} \
         --nodes {nodes} --proof {proof}"
    );
    if play + play_cards > 0 {
        command += &format!(" --play {play} --play-cards {play_cards} --seed {seed}");
    }
    for path in &args.records {
        command += &format!(" {}", quoted(&path.display().to_string()));
    }
    // A file name may have line breaks, and every line here must be a comment.
    command.replace('\n', "\n#   ")
}
