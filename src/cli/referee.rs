//! `santorini referee`: plays one game between two player programs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::files::{ForceArgs, open_stderr};
use super::interrupt::stop_flag;
use super::isolate::IsolateArgs;
use super::output::{print, say, show};
use super::start_time::StartTimeArgs;
use super::{CliError, CliResult, cards_or_none, parse_seconds};
use crate::draw::{Scene, Style, illegal_board};
use crate::program::{Player, PlayerSpec, STDERR_FILE, TimeLimit};
use crate::protocol::exchange::write_board;
use crate::protocol::written::read_written_board;
use crate::record::Ending;
use crate::referee::{GameOptions, Observer, play};
use crate::rules::{
    AnyPosition, Bitboard, Card, Position, Square, Turn, parse_square, square_text,
};

/// Play one game between two player programs and judge every answer
///
/// Examples:
///   santorini referee --time 10 --show ./santorini 'python3 my_bot/player.py' \
///       > game.jsonl
///   santorini referee --cards Pan Atlas ./mine ./yours
///   santorini referee 'A=./santorini fake-player random' \
///       'B=./santorini fake-player random --seed 2' | santorini draw
///
/// Standard output gets the boards of the game, one line of JSON each, from the
/// board after the set-up to the last. Standard error gets a commentary: the
/// set-up, each turn with its time in seconds, and how the game ended. The exit
/// code is 0 if a player won, even by a fault of the other, 1 if there was no
/// winner, and 2 if the arguments are wrong.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
A program is any executable, with arguments if the command is quoted. When the
game is over it is killed with every process it started, including processes
that left its process group, parent or environment. An answer is timed from the
moment the question is sent until its closing bracket is read.

Players are kept from reaching each other's processes, and with --isolate full
from changing files and using the network. Without isolation, a player that is
killed by a signal loses, but the message names the other too, which may have
sent it. `santorini help tournaments` says more about untrusted players.

After a fault the commentary shows the question, the beginning of the answer and
the end of the program's standard error. `santorini help tournaments` lists how
games end, `santorini help rules` the rules and the questions that programs get.

The commentary writes turns as c3-c4+b4: from column c, row 3 to c4, build on b4
(`santorini help draw` has the whole notation). When it explains a fault, it
names spaces in both notations: c4 (4,3), where JSON has row and column.

To test a referee, `santorini fake-player random` plays random legal turns, and
its other kinds misbehave: `santorini help fake-player`."
)]
pub(super) struct Args {
    /// The first player: a command, or NAME=COMMAND.
    #[arg(value_name = "CMD1")]
    first: PlayerSpec,
    /// The second player: a command, or NAME=COMMAND.
    #[arg(value_name = "CMD2")]
    second: PlayerSpec,
    /// The time limit for an answer, passed to the programs in the environment
    /// variable SANTORINI_TIME. Without this option they use their own default, and
    /// the limit is 30.
    #[arg(long, alias = "timeout", value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    start_time: StartTimeArgs,
    /// The cards of the first and the second player.
    #[arg(long, num_args = 2, value_names = ["CARD1", "CARD2"])]
    cards: Option<Vec<Card>>,
    /// Place the workers on these spaces, such as b2d4 b4d2, instead of asking the
    /// players.
    #[arg(long, num_args = 2, value_names = ["WORKERS1", "WORKERS2"], value_parser = workers)]
    set_up: Option<Vec<[Square; 2]>>,
    /// Start from this board, in JSON or as one line. CMD1 plays the turns with even
    /// numbers.
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["cards", "set_up"])]
    start: Option<String>,
    /// Draw each board on standard error, and an illegal one at the end.
    #[arg(long)]
    show: bool,
    /// Append the standard error of the programs to this file, at most 1 MiB of each
    /// process.
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,
    #[command(flatten)]
    isolate: IsolateArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let options = GameOptions {
        start: start_board(args)?,
        cards: cards_or_none(args.cards.as_deref())?,
        reuse: false,
    };
    let start = args
        .start_time
        .at_least(args.time.unwrap_or(TimeLimit::UNASKED))?;
    let time = TimeLimit::requested(args.time).starting(start);
    let uses = args.force.uses();
    uses.adds_to(args.stderr.as_deref(), STDERR_FILE).check()?;
    let file = open_stderr(args.stderr.as_deref())?;
    let stop = stop_flag()?;
    args.isolate.apply()?;
    let mut specs = [args.first.clone(), args.second.clone()];
    PlayerSpec::number_equal_names(&mut specs);
    let names = specs.clone().map(|spec| spec.name);
    let [mut first, mut second] = specs.map(|spec| {
        let player = Player::new(spec.name, spec.command, time);
        match &file {
            Some(file) => player.with_stderr(file.clone()),
            None => player,
        }
    });
    let mut commentary = Commentary {
        names: &names,
        show: args.show,
        stop: &stop,
        board: None,
        error: None,
    };
    let outcome = play([&mut first, &mut second], &options, &stop, &mut commentary);
    if let Some(error) = commentary.error.take() {
        return Err(error);
    }
    say(&outcome.message([&names[0], &names[1]]));
    if let Some(evidence) = &outcome.evidence {
        if outcome.ending.kind() == Ending::IllegalBoard
            && let Some(board) = illegal_board::<5>(&evidence.output)
        {
            commentary.draw(Scene::new(&board).noted("no legal turn leads here"));
        }
        say(evidence.text().trim_start_matches('\n'));
    }
    if let Some(error) = file.and_then(|file| file.take_error()) {
        return Err(CliError::failed("the players' standard error", error));
    }
    Ok(match outcome.winner {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::FAILURE,
    })
}

/// Writes the boards to standard output and a commentary to standard error.
struct Commentary<'a> {
    names: &'a [String; 2],
    show: bool,
    stop: &'a AtomicBool,
    board: Option<Position<5>>,
    /// Why the boards cannot be written.
    error: Option<CliError>,
}

impl Observer for Commentary<'_> {
    fn placed(&mut self, player: usize, workers: Bitboard, seconds: f64) {
        let squares: Vec<String> = workers.map(square_text::<5>).collect();
        let name = &self.names[player];
        say(&format!(
            "{name} places its workers on {} ({seconds:.3} s)",
            squares.join(" and ")
        ));
    }

    fn started(&mut self, board: &Position<5>) {
        self.write(board);
        self.draw(Scene::new(board));
        self.board = Some(*board);
    }

    fn played(&mut self, player: usize, turn: Turn, board: &Position<5>, seconds: f64) {
        self.write(board);
        let number = board.turn().wrapping_sub(1);
        let (name, text) = (&self.names[player], turn.text::<5>());
        say(&format!("turn {number}: {name} {text} ({seconds:.3} s)"));
        if let Some(before) = self.board.replace(*board) {
            self.draw(Scene::new(board).after(&before, turn));
        }
    }
}

impl Commentary<'_> {
    /// Writes a board to standard output. A failure ends the game.
    fn write(&mut self, board: &Position<5>) {
        if let Err(error) = print(format_args!("{}\n", write_board(board))) {
            self.error = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn draw(&self, scene: Scene<5>) {
        if self.show {
            let scene = scene.named(self.names.clone());
            show(&scene.text(Style::for_stderr()).to_string());
        }
    }
}

/// The board that `--start` or `--set-up` gives.
fn start_board(args: &Args) -> Result<Option<Position<5>>, CliError> {
    if let Some(&[first, second]) = args.set_up.as_deref() {
        let board = Position::start([first, second], cards_or_none(args.cards.as_deref())?);
        return board
            .map(Some)
            .map_err(|error| CliError::Usage(format!("--set-up: {error}")));
    }
    let Some(text) = &args.start else {
        return Ok(None);
    };
    let wrong = |cause: &dyn std::fmt::Display| CliError::Usage(format!("--start: {cause}"));
    let AnyPosition::Five(board) = read_written_board(text).map_err(|error| wrong(&error))? else {
        return Err(wrong(&"it has 6x6 spaces; the referee's games have 5x5"));
    };
    if board.shows_win() {
        return Err(wrong(&"the game is over: a worker stands on level 3"));
    }
    Ok(Some(board))
}

/// Reads the spaces of two workers, like `b2d4`.
fn workers(text: &str) -> Result<[Square; 2], String> {
    let square = |part: Option<&str>| parse_square::<5>(part?);
    match (text.len(), square(text.get(..2)), square(text.get(2..))) {
        (4, Some(a), Some(b)) => Ok([a, b]),
        _ => Err("use two spaces like b2d4: columns a to e, rows 1 to 5".into()),
    }
}
