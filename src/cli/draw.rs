//! `santorini draw`: boards and games as text or SVG pictures.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use super::boards::{GameNumber, NO_BOARDS, StyleChoice, for_each_board, only_game};
use super::files::ForceArgs;
use super::input::{name_of, standard_input};
use super::output::{file_of, print, write_or_print};
use super::{CliError, CliResult};
use crate::at_size;
use crate::draw::{
    AnyScene, PAGE_FILE, PICTURE_FILE, PictureOptions, Seat, Style, View, contact_sheet,
    replay_page,
};
use crate::files::Uses;

/// Draw boards and games as text, SVG pictures or a web page
///
/// Examples:
///   santorini referee ./mine ./theirs | santorini draw
///   santorini draw game.jsonl --turn 12-15
///   santorini draw results.jsonl --game 3 --turn last
///   santorini draw results.jsonl --game 3 --svg game3.svg
///   santorini draw results.jsonl --html games.html
///
/// Reads JSON values: boards, lists of boards, {"boards":[...]}, and the game
/// records of tournaments. Consecutive boards are one game, and each is drawn with
/// the turn that led to it, or with a remark if no legal turn does. Set-up arrays
/// are skipped, so the output of `santorini referee` can be drawn.
///
/// On a terminal boards are drawn in colour, or without colour if NO_COLOR is
/// set; in a pipe they are plain ASCII. There X is a worker of the first player
/// and O one of the second; 1 to 3 are levels and (4) is a dome. The last turn is
/// marked: * where a worker arrived, - where it came from, + what was built, x a
/// worker that was pushed or swapped.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
How turns are written:
  c3-c4+b4       moves from column c, row 3 to c4, builds on b4
  c3-c4#         moves and wins
  c3-c4-d4+e5    moves twice (Artemis)
  c3-c4+b4+b4    builds twice, on one space or two (Hephastus, Demeter)
  c3+b3-c4+b4    builds, moves, builds (Prometheus)
  c3-c4^b4       caps b4 from below level 3 (Atlas)
  c3xc4+b4       swaps with the worker on c4, or pushes it (Apollo, Minotaur)

A turn names spaces by column and row, JSON by row and column: c2 is [2,3].

Games are numbered from 1, but \"game\" in a record counts from 0: --game 1 draws
the record with \"game\":0."
)]
pub(super) struct Args {
    /// A file of JSON values, or - for standard input.
    #[arg(default_value_os_t = standard_input())]
    file: PathBuf,
    /// Write an SVG picture to FILE (- for standard output): one board, or all
    /// boards of a game on one sheet.
    #[arg(long, value_name = "FILE", group = "picture")]
    svg: Option<PathBuf>,
    /// Write a web page to FILE (- for standard output) that replays the games
    /// step by step: at most 100,000 boards. It needs no other file.
    #[arg(long, value_name = "FILE", group = "picture")]
    html: Option<PathBuf>,
    /// Draw only the boards with these turn numbers: 12, 12-15, 12- or last.
    #[arg(long, value_name = "TURNS", default_value = "0-")]
    turn: Turns,
    /// Draw only the game with this number. Games without a number are counted
    /// from 1.
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// The style of the boards in text.
    #[arg(
        long,
        value_name = "STYLE",
        default_value = "auto",
        conflicts_with_all = ["svg", "html"]
    )]
    style: StyleChoice,
    /// The same as --style ascii.
    #[arg(long, conflicts_with_all = ["style", "svg", "html"])]
    ascii: bool,
    /// Draw the boards of --svg or --html from above, without height.
    #[arg(long, requires = "picture")]
    flat: bool,
    /// Label the columns of --svg with their numbers in the JSON, after the letters.
    #[arg(long, requires = "svg")]
    json_columns: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// Which boards of a game are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turns {
    /// The boards from one turn number to another.
    Range(u32, u32),
    /// The last one.
    Last,
}

impl FromStr for Turns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().map_err(|_| TURNS.to_string());
        if text == "last" {
            return Ok(Self::Last);
        }
        let (first, last) = match text.split_once('-') {
            None => (number(text)?, number(text)?),
            Some((first, "")) => (number(first)?, u32::MAX),
            Some((first, last)) => (number(first)?, number(last)?),
        };
        if first > last {
            return Err(format!("{first} is after {last}"));
        }
        Ok(Self::Range(first, last))
    }
}

const TURNS: &str = "use 12, 12-15, 12- or last";

impl std::fmt::Display for Turns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Last => write!(f, "last"),
            Self::Range(first, u32::MAX) => write!(f, "{first}-"),
            Self::Range(first, last) if first == last => write!(f, "{first}"),
            Self::Range(first, last) => write!(f, "{first}-{last}"),
        }
    }
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    uses(args).check()?;
    match (&args.svg, &args.html) {
        (Some(_), _) => write_or_print(file_of(args.svg.as_ref()), &picture(args)?)?,
        (None, Some(_)) => write_or_print(file_of(args.html.as_ref()), &page(args)?)?,
        (None, None) => text(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The files that are read and written.
fn uses(args: &Args) -> Uses {
    args.force
        .uses()
        .reads([&args.file])
        .replaces(file_of(args.svg.as_ref()), PICTURE_FILE)
        .replaces(file_of(args.html.as_ref()), PAGE_FILE)
}

/// Prints the chosen boards as text.
fn text(args: &Args) -> Result<(), CliError> {
    let style = if args.ascii {
        Style::Ascii
    } else {
        args.style.style()
    };
    let mut game = None;
    each_chosen(args, |scene, this| {
        let gap = if game.is_some() { "\n" } else { "" };
        let begins = game != Some(*this);
        let named = begins && (this.number.is_some() || this.count > 1);
        let title = if named {
            format!("game {}\n", this.name())
        } else {
            String::new()
        };
        game = Some(*this);
        let board = at_size!(&scene, scene => scene.text(style).to_string());
        print(format_args!("{gap}{title}{board}"))
    })
}

/// The chosen boards as one SVG picture.
fn picture(args: &Args) -> Result<String, CliError> {
    let scenes = only_game(&args.file, |add| each_chosen(args, add))?;
    let options = PictureOptions {
        view: if args.flat { View::Flat } else { View::Towers },
        json_columns: args.json_columns,
    };
    Ok(at_size!(&scenes, scenes => match scenes.as_slice() {
        [scene] => scene.svg(options),
        scenes => contact_sheet(scenes, options),
    }))
}

/// The maximum number of boards on one web page: about 30 megabytes.
const MOST_BOARDS: usize = 100_000;

/// A web page with the chosen boards.
fn page(args: &Args) -> Result<String, CliError> {
    let mut games: Vec<(String, Vec<AnyScene>)> = Vec::new();
    let mut game = None;
    let mut count = 0;
    each_chosen(args, |scene, this| {
        count += 1;
        if count > MOST_BOARDS {
            return Err(CliError::Usage(format!(
                "{}: more than {MOST_BOARDS} boards, too many for one page; --turn last draws the \
                 last board of each game, --game N one game",
                name_of(&args.file)
            )));
        }
        if game.replace(*this) != Some(*this) {
            let title = |seat| at_size!(&scene, scene => scene.title(seat));
            let [first, second] = Seat::BOTH.map(title);
            games.push((format!("{}: {first} - {second}", this.name()), Vec::new()));
        }
        if let Some((_, scenes)) = games.last_mut() {
            scenes.push(scene);
        }
        Ok(())
    })?;
    Ok(replay_page(&games, args.flat))
}

/// Passes on the chosen boards of the input, each as soon as it is known to be chosen.
///
/// # Errors
/// If there is none, or passing one on fails.
fn each_chosen(
    args: &Args,
    mut hand_out: impl FnMut(AnyScene, &GameNumber) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut last: Option<(AnyScene, GameNumber)> = None;
    // The lowest and the highest turn number of all boards.
    let mut turns: Option<(u32, u32)> = None;
    let mut is_chosen = false;
    for_each_board(&args.file, args.game, |scene, game| {
        let turn = at_size!(&scene, scene => scene.position().turn());
        let (low, high) = turns.unwrap_or((turn, turn));
        turns = Some((low.min(turn), high.max(turn)));
        match args.turn {
            Turns::Last => match last.replace((scene, *game)) {
                Some((ended, before)) if before != *game => hand_out(ended, &before),
                _ => Ok(()),
            },
            Turns::Range(first, end) if (first..=end).contains(&turn) => {
                is_chosen = true;
                hand_out(scene, game)
            }
            Turns::Range(..) => Ok(()),
        }
    })?;
    match last {
        Some((scene, game)) => hand_out(scene, &game),
        None if is_chosen => Ok(()),
        None => Err(nothing_chosen(args, turns)),
    }
}

/// The error if no board is chosen from boards with these turn numbers.
fn nothing_chosen(args: &Args, turns: Option<(u32, u32)>) -> CliError {
    let game = args.game.map(|game| format!(", game {game}"));
    let why = match (turns, args.game) {
        (Some((low, high)), _) if low == high => {
            format!("no board of turn {}; there is only turn {low}", args.turn)
        }
        (Some((low, high)), _) => format!(
            "no board of turn {}; the boards are of turns {low} to {high}",
            args.turn
        ),
        (None, Some(_)) => format!("there is no board to draw; {NO_BOARDS}"),
        (None, None) => "there is no board to draw".into(),
    };
    let (file, game) = (name_of(&args.file), game.unwrap_or_default());
    CliError::Usage(format!("{file}{game}: {why}"))
}
