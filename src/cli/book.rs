//! `santorini book`: even openings for matches.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use super::book_options::MakingArgs;
use super::openings::file_boards;
use super::output::say;
use super::progress::Progress;
use super::{CliError, CliResult, number_in};
use crate::openings::{BOOK_FILE, BookError, BookOptions, BookProgress, Variety, make_book};
use crate::rules::Position;
use crate::shell::quoted;

/// Make a book of even openings for matches
///
/// Examples:
///   santorini book --openings 50 --nodes 50000 --games 200   a small book
///   santorini book --nodes 1000000 --out book.txt
///   santorini book --cards --nodes 100000 --out cards.txt   for all pairs of cards
///   santorini book --from a.txt b.txt --out c.txt           from two books
///   santorini tournament --openings-file book.txt --rounds 99 --time 0.1 ./a ./b
///
/// Random openings favour one seat, which hides the difference between two
/// players. From the openings of a book both seats have about the same chance.
///
/// An opening is a placement and some turns, each picked at random among the
/// nearly best. A long search then scores the board, and only even boards are kept.
/// With cards, openings are picked from random boards: the ones closest to even.
/// Games played in advance measure how a score translates into games won. With
/// --trials, games are also played from each opening, and both seats must win
/// about half of them. No two openings are the same up to symmetry, and in none can
/// a player win at once.
///
/// A book with a million nodes for each board takes an hour or more. Ctrl-C writes
/// the openings found so far, but never over an existing file. To continue, pass
/// that file to --from and use another --seed.
///
/// The same options give the same book with any number of threads. `santorini
/// tournament` plays a book with --openings-file, and the built-in book with
/// --openings even.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
The book has one board on each line: the levels, the workers of the player to
move, the workers of the opponent, the turn number, and both cards if there are
any. The first lines tell how it was made. `santorini help tournaments` explains
how books are used."
)]
pub(super) struct Args {
    /// Make openings with god cards, for each of the 56 ordered pairs.
    #[arg(long)]
    cards: bool,
    /// The number of openings; with --cards, for each pair. The default is 1000, or
    /// 10 with --cards.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    openings: Option<u32>,
    /// Candidates for each opening. If too few of them are even, the closest ones fill
    /// the book, and its first lines say so. With 0, only the boards of --from and of
    /// the first games are used.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    candidates: u64,
    /// Files of boards, one on each line, to judge before any candidates: other books,
    /// or what an interrupted run has found.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// The nodes of the search that scores a board.
    #[arg(long, value_name = "N", default_value_t = 500_000,
          value_parser = clap::value_parser!(u64).range(1000..=1_000_000_000_000))]
    nodes: u64,
    /// The maximum distance of the expected score from one half.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = number_in(0.0..=0.5))]
    margin: f64,
    /// The maximum number of turns after the placement.
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=12))]
    turns: u32,
    /// How much worse than the best a placement or turn may be, in hundredths of a
    /// level. With --cards, how close to even a board must be to get a longer search;
    /// if that finds it uneven, more turns follow.
    #[arg(long, value_name = "POINTS", default_value_t = 30,
          value_parser = clap::value_parser!(i32).range(0..=1000))]
    slack: i32,
    /// The nodes of the search that finds the nearly best turns. With --cards, the nodes
    /// for each of 20 candidate boards before a turn; three of them get 20 times as many.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    turn_nodes: u64,
    /// The number of games that measure how a score translates into games won.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(20..=1_000_000))]
    games: u64,
    /// The number of games from each opening with an even score. The opening is dropped
    /// once one seat leads by more than the square root of N: by 3 of 6 games, by 5 of 16.
    /// The first three games have a quarter, a half and three quarters of --game-nodes.
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    trials: u32,
    /// The nodes for each turn of these games.
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u64).range(10..=1_000_000_000))]
    game_nodes: u64,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    making: MakingArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let making = &args.making;
    let options = BookOptions {
        eval: making.eval.kind,
        cards: args.cards,
        openings: openings(args) as usize,
        candidates: args.candidates,
        nodes: args.nodes,
        margin: args.margin,
        variety: Variety {
            turns: args.turns,
            slack: args.slack,
            nodes: args.turn_nodes,
        },
        games: args.games,
        trials: args.trials,
        game_nodes: args.game_nodes,
        seed: args.seed,
    };
    let stop = making.prepare(BOOK_FILE, &args.from)?;
    let given = given(args)?;
    let jobs = making.jobs(&stop);
    let progress = Progress::new(args.games, GAMES);
    let all_given = given.len() as u64;
    let book = make_book(&options, &given, &jobs, |done| {
        show(&progress, done, all_given)
    });
    progress.finish();
    let book = match book {
        Ok(book) => book,
        Err(BookError::Stopped) => return Err(nothing_written()),
        Err(error) => return Err(CliError::Failed(error.to_string())),
    };
    for short in &book.short {
        say(&format!("santorini: {short}"));
    }
    if book.is_interrupted {
        making.keep_complete()?;
        if book.openings.is_empty() {
            return Err(nothing_written());
        }
    }
    making.write(&book.text(&command(args)))?;
    match book.is_interrupted {
        true => Err(CliError::Interrupted(format!(
            "; the {} of {} openings found so far are written",
            book.openings.len(),
            options.wanted()
        ))),
        false => Ok(ExitCode::SUCCESS),
    }
}

fn nothing_written() -> CliError {
    CliError::Interrupted("; nothing is written".into())
}

/// The boards of --from. All must have cards, or none, just like the book.
fn given(args: &Args) -> Result<Vec<Position<5>>, CliError> {
    let mut given = Vec::new();
    for path in &args.from {
        let boards = file_boards(path)?;
        let has_cards = |board: &Position<5>| board.cards().iter().all(Option::is_some);
        if boards.iter().any(|board| has_cards(board) != args.cards) {
            let (games, advice) = match args.cards {
                true => ("without cards", "leave out --cards"),
                false => ("with cards", "add --cards"),
            };
            let path = path.display();
            return Err(CliError::Usage(format!(
                "--from {path}: it has a board {games}; {advice}"
            )));
        }
        given.extend(boards);
    }
    Ok(given)
}

/// The number of openings; with cards, for each pair.
fn openings(args: &Args) -> u32 {
    args.openings.unwrap_or(if args.cards { 10 } else { 1000 })
}

/// The command that makes the same book again.
fn command(args: &Args) -> String {
    let Args {
        cards,
        openings: _,
        candidates,
        from,
        nodes,
        margin,
        turns,
        slack,
        turn_nodes,
        games,
        trials,
        game_nodes,
        seed,
        making,
    } = args;
    let eval = quoted(&making.eval.to_string());
    let cards = if *cards { "--cards " } else { "" };
    let openings = openings(args);
    let mut command = format!(
        "santorini book {cards}--openings {openings} --candidates {candidates} --nodes {nodes} --margin {margin} --turns {turns} \
         --slack {slack} --turn-nodes {turn_nodes} --games {games} --trials {trials} --game-nodes {game_nodes} --seed {seed} --eval {eval}"
    );
    for (number, path) in from.iter().enumerate() {
        let option = if number == 0 { " --from" } else { "" };
        let path = quoted(&path.display().to_string());
        let _ = write!(command, "{option} {path}");
    }
    command
}

/// The parts of the work, as shown to the user.
const GAMES: &str = "games";
const GIVEN: &str = "boards of --from";
const OPENINGS: &str = "openings";

/// Shows the progress of the games, then of the `given` boards, then of the openings.
fn show(progress: &Progress, done: BookProgress, given: u64) {
    let (part, done, of) = match done {
        BookProgress::Games(done) => return progress.set(done),
        BookProgress::Given(judged) => (GIVEN, judged, given),
        BookProgress::Openings { found, of } => (OPENINGS, found as u64, of as u64),
    };
    if progress.unit() != part {
        progress.begin_part(of, part);
    }
    progress.set(done);
}
