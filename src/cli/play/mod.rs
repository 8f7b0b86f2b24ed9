//! `santorini play`: playing by hand, and stepping through games.
//!
//! | to see or change | look at |
//! |---|---|
//! | the options; playing on a terminal | `mod.rs` (here) |
//! | playing on a page in the browser | `web.rs` |

mod web;

use std::fs;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::ValueEnum;

use crate::address::listening_address;
use crate::cli::board::with_board_size;
use crate::cli::boards::{StyleChoice, one_game};
use crate::cli::files::ForceArgs;
use crate::cli::input::{is_standard, name_of};
use crate::cli::interrupt::stop_flag;
use crate::cli::level::LevelArgs;
use crate::cli::output::{say, terminal_width};
use crate::cli::stdout::{Stdout, stdout};
use crate::cli::{CliError, CliResult, parse_seconds, two_cards};
use crate::draw::{AnyScene, Scene, Seat, record_scenes};
use crate::http::ProxyAddress;
use crate::levels::Level;
use crate::play::{
    AUTOSAVE_FILE, Autosave, GameCursor, GamePlayers, Input, InputError, Opponent, OpponentKind,
    Session, SessionError, SessionOptions, default_file, read_autosave,
};
use crate::program::{Player, PlayerSpec, TimeLimit};
use crate::rules::{Card, Cards};
use crate::shell::quoted;

/// Play by hand, or step through a game and play on from any board.
///
/// Type a turn as c3-c4+b4: from column c, row 3 to c4, build on b4. Or type
/// `turns` to list the legal turns, `c3` for those of the worker on c3, `undo`
/// to take a turn back, `hint` to ask this program, `back`, `next` and `goto 12`
/// to step through the game, `go` to let the opponent move, `review` to see what
/// was good and what was not, `rules` and `cards` for the rules, `save FILE` to
/// keep the game, and `help` for all requests. On a terminal lines can be edited,
/// and arrow keys call back earlier ones; the game is kept, and --resume goes on
/// with it. Requests may also come through a pipe,
/// one on each line. An illegal turn is refused with the rule that it breaks.
#[derive(clap::Args, Clone)]
#[command(
    before_long_help = "\
Examples:
  santorini play                              you begin, against this program
  santorini play --level 3                    against a level that you can beat
  santorini play --web                        the same in your browser, and more
  santorini play --web --from games.jsonl     there, with a game of a tournament
  santorini play --second --cards Pan Atlas   you play second and have Atlas
  santorini play --against ./other            against a player program
  santorini play --against nobody             both sides by hand
  santorini play --resume                     go on with the game before
  santorini play --from game.jsonl            step through a game
  santorini referee ./a ./b | santorini play --from - --against ./b",
    after_long_help = "`santorini help draw` has the notation of all turns, with cards too."
)]
pub struct Args {
    /// Show the game in FILE (- for standard input) instead of a new one:
    /// anything that `santorini draw` can draw. There is no opponent then, unless
    /// --against names one. With --web the file may hold many games.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The number of the game, if FILE holds several.
    #[arg(long, value_name = "N", requires = "from")]
    game: Option<u64>,
    /// Your opponent: engine (this program), nobody, or the command of a player
    /// program, which may be NAME=COMMAND.
    #[arg(long, value_name = "WHO")]
    against: Option<Against>,
    #[command(flatten)]
    level: LevelArgs,
    /// Play second.
    #[arg(long)]
    second: bool,
    /// The cards of the first and the second player.
    #[arg(long, num_args = 2, value_names = ["CARD1", "CARD2"], conflicts_with = "from")]
    cards: Option<Vec<Card>>,
    /// The number of rows and columns of the board, 5 or 6. Player programs play
    /// on 5 only.
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "from",
          value_parser = clap::value_parser!(u8).range(5..=6))]
    size: u8,
    /// The time for an answer of your opponent, and for a hint. The default is 1.
    /// A player program finds the time in the environment variable
    /// SANTORINI_TIME; without this option it takes its own time, up to 30.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Go on with the game that was kept last, or with the one in the file of
    /// --keep, against the same opponent or whom --against names. A program is
    /// named again by --against.
    #[arg(long, conflicts_with_all = ["from", "second", "cards", "size", "level"])]
    resume: bool,
    /// Keep the game in FILE after every turn. On a terminal games are kept anyway,
    /// in ~/.local/state/santorini/game.json; each new game replaces the one before.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    keep: Option<PathBuf>,
    /// The style of the boards.
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    style: StyleChoice,
    /// Play in a browser instead of here: against any level, with analysis of
    /// every position, reviews of games and puzzles. The page is at this address,
    /// by default on a free port of this machine; with 0.0.0.0:8080 other machines
    /// reach it. It opens only with the token in the address that is printed: a new
    /// one each time, or the one in the environment variable SANTORINI_TOKEN.
    /// `santorini help page` explains what stands behind it.
    #[arg(long, value_name = "ADDR:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:0",
          value_parser = listening_address,
          conflicts_with_all = ["second", "cards", "size", "style", "force", "resume", "keep", "seed"])]
    web: Option<SocketAddr>,
    /// With --web: browsers also reach the page at this address, through a proxy such
    /// as that of Codespaces, JupyterHub or code-server. May be given more than once.
    #[arg(long, value_name = "https://NAME", requires = "web")]
    origin: Vec<ProxyAddress>,
    #[command(flatten)]
    force: ForceArgs,
}

#[derive(Clone)]
enum Against {
    Nobody,
    Engine,
    /// A program, and how it was written.
    Program(PlayerSpec, String),
}

impl Against {
    /// As it is kept with a game. A command is not: a file must not start programs.
    const fn kind(&self) -> OpponentKind {
        match self {
            Self::Nobody => OpponentKind::Nobody,
            Self::Engine => OpponentKind::Engine,
            Self::Program(..) => OpponentKind::Program,
        }
    }
}

impl std::str::FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "nobody" => Self::Nobody,
            "engine" => Self::Engine,
            command => {
                let spec = command.parse().map_err(|error| format!("{error}"))?;
                Self::Program(spec, command.to_string())
            }
        })
    }
}

/// How long the built-in player thinks if nothing else is said.
const ENGINE_TIME: Duration = Duration::from_secs(1);
/// The longest time for a hint.
const LONGEST_HINT: Duration = Duration::from_secs(30);

/// How much longer a player program is waited for: no person counts to the
/// tenth of a second, and starting it takes its time too.
const LENIENCE: Duration = Duration::from_secs(2);

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    if let Some(address) = args.web {
        return web::run(args, address);
    }
    if args.second && has_no_opponent(args) {
        return Err(CliError::Usage(
            "--second: there is no opponent, who would play first; say --against or --level".into(),
        ));
    }
    let stop = stop_flag()?;
    if args.resume {
        return ended(resume(args, stop)?);
    }
    let played = match &args.from {
        Some(file) => {
            let scenes = one_game(file, args.game)?;
            match scenes.first() {
                Some(AnyScene::Six(_)) => play_on::<6>(
                    args,
                    stop,
                    scenes.into_iter().filter_map(AnyScene::six).collect(),
                    file,
                ),
                _ => play_on::<5>(
                    args,
                    stop,
                    scenes.into_iter().filter_map(AnyScene::five).collect(),
                    file,
                ),
            }
        }
        None => with_board_size!(args.size, N => play_new::<N>(args, stop)),
    };
    ended(played?)
}

/// Whether both sides are played by hand.
fn has_no_opponent(args: &Args) -> bool {
    match &args.against {
        Some(against) => matches!(against, Against::Nobody),
        None => args.from.is_some() && args.level.level.is_none(),
    }
}

/// What the end of a session means for the program.
fn ended(played: Result<(), SessionError>) -> CliResult {
    match played {
        Ok(()) | Err(SessionError::Input(InputError::Stopped)) => Ok(ExitCode::SUCCESS),
        Err(SessionError::Output(error)) => Err(CliError::Output(error)),
        Err(failure) => Err(CliError::Failed(failure.to_string())),
    }
}

/// How a session went that could begin.
type Played = Result<Result<(), SessionError>, CliError>;

fn play_new<const N: usize>(args: &Args, stop: Arc<AtomicBool>) -> Played
where
    AnyScene: From<Scene<N>>,
{
    let input = standard_input(stop)?;
    let players = GamePlayers {
        second: args.second,
        against: args
            .against
            .as_ref()
            .map_or(OpponentKind::Engine, Against::kind),
        level: args.level.level.map(Level::number),
    };
    let autosave = autosave(args, players)?;
    let is_unfinished = autosave.as_ref().is_some_and(|autosave| {
        read_autosave(&autosave.file).is_ok_and(|(game, _)| game.winner.is_none())
    });
    let session = session::<N>(args, input, autosave)?;
    if is_unfinished {
        say(
            "santorini: the game before was not finished: --resume goes on with it, until this one begins",
        );
    }
    Ok(session.play_new())
}

/// Goes on with a kept game.
fn resume(args: &Args, stop: Arc<AtomicBool>) -> Played {
    let wrong = |error: &dyn std::fmt::Display| {
        CliError::Usage(format!("--resume: there is no game to go on with: {error}"))
    };
    let file = args.keep.clone().or_else(default_file);
    let file = file.ok_or_else(|| wrong(&"say --keep FILE"))?;
    let (game, players) = read_autosave(&file).map_err(|error| wrong(&error))?;
    let mut args = args.clone();
    args.second = players.second;
    let against = match (players.against, args.against) {
        (OpponentKind::Engine, None) => Against::Engine,
        (OpponentKind::Nobody, None) => Against::Nobody,
        (OpponentKind::Program, None) => {
            return Err(CliError::Usage(
                "--resume: the opponent was a program; name it again by --against".into(),
            ));
        }
        (_, Some(named)) => named,
    };
    // Only this program plays at a level.
    let level = players
        .level
        .filter(|_| against.kind() == OpponentKind::Engine);
    let players = GamePlayers {
        second: players.second,
        against: against.kind(),
        level,
    };
    args.against = Some(against);
    args.level.level = level.and_then(Level::new);
    args.keep = Some(file);
    let size = game.size().unwrap_or(5);
    with_board_size!(size, N => {
        let scenes = record_scenes::<N>(&game).map_err(|error| wrong(&error))?;
        // The game is not over after all.
        let scenes: Vec<Scene<N>> = scenes.into_iter().map(Scene::without_note).collect();
        if scenes.is_empty() {
            return Err(wrong(&"it has no board"));
        }
        let autosave = autosave(&args, players)?;
        Ok(session::<N>(&args, standard_input(stop)?, autosave)?.resume(scenes))
    })
}

/// Where the game is kept: on a terminal in the usual place, unless another is
/// named.
fn autosave(args: &Args, players: GamePlayers) -> Result<Option<Autosave>, CliError> {
    if let Some(file) = &args.keep {
        args.force
            .uses()
            .replaces(Some(file), AUTOSAVE_FILE)
            .check()?;
        // Records of other games begin alike.
        let has_text = fs::metadata(file).is_ok_and(|it| it.is_file() && it.len() > 0);
        if has_text && !args.force.force && read_autosave(file).is_err() {
            return Err(CliError::Usage(format!(
                "{} exists and is not {}; name another file, or say --force to overwrite it",
                file.display(),
                AUTOSAVE_FILE.name
            )));
        }
    }
    let usual = || on_terminal().then(default_file).flatten();
    let file = args.keep.clone().or_else(usual);
    Ok(file.map(|file| Autosave { file, players }))
}

/// Whether a person sits at a terminal.
fn on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The lines of standard input, edited on a terminal.
fn standard_input(stop: Arc<AtomicBool>) -> Result<Input, CliError> {
    let input = Input::stdin(stop).map_err(|error| CliError::failed("standard input", error))?;
    Ok(if on_terminal() {
        input.with_editor()
    } else {
        input
    })
}

fn play_on<const N: usize>(
    args: &Args,
    stop: Arc<AtomicBool>,
    scenes: Vec<Scene<N>>,
    file: &Path,
) -> Played
where
    AnyScene: From<Scene<N>>,
{
    let cursor = GameCursor::new(scenes);
    let cursor = cursor.ok_or_else(|| no_board(file, args.game))?;
    let input = if is_standard(file) {
        Input::terminal(stop).map_err(|error| {
            CliError::failed(
                "the game came from standard input, so requests come from the terminal",
                error,
            )
        })?
    } else {
        standard_input(stop)?
    };
    Ok(session::<N>(args, input, None)?.play_on(cursor))
}

/// A file, or a game of it, that shows nothing.
fn no_board(file: &Path, game: Option<u64>) -> CliError {
    let game = game
        .map(|game| format!(", game {game}"))
        .unwrap_or_default();
    CliError::Usage(format!(
        "{}{game}: there is no board to look at",
        name_of(file)
    ))
}

/// A level for somebody else than this program.
fn level_of_another(level: Level) -> CliError {
    CliError::Usage(format!(
        "--level {level}: only this program plays at a level; leave out --against"
    ))
}

/// The session that the options ask for.
fn session<const N: usize>(
    args: &Args,
    input: Input,
    autosave: Option<Autosave>,
) -> Result<Session<N, Stdout>, CliError>
where
    AnyScene: From<Scene<N>>,
{
    let options = SessionOptions {
        seat: if args.second {
            Seat::Second
        } else {
            Seat::First
        },
        cards: cards(args)?,
        style: args.style.style_for_one(N),
        prompt: io::stdout().is_terminal(),
        hint_time: args.time.unwrap_or(ENGINE_TIME).min(LONGEST_HINT),
        autosave,
        resume_options: resume_options(args),
        width: terminal_width(),
        uses: args.force.uses().reads(&args.from),
    };
    let opponent = opponent::<N>(args)?;
    Ok(Session::new(options, input, stdout(), opponent))
}

/// The options that `play --resume` needs to go on as this game is played: the kept game
/// has the others.
fn resume_options(args: &Args) -> String {
    let mut words = Vec::new();
    if let Some(Against::Program(_, text)) = &args.against {
        words.extend(["--against".to_string(), text.clone()]);
    }
    if let Some(time) = args.time {
        words.extend(["--time".to_string(), time.as_secs_f64().to_string()]);
    }
    let style = args.style.to_possible_value();
    if let Some(style) = style.filter(|_| args.style != StyleChoice::Auto) {
        words.extend(["--style".to_string(), style.get_name().to_string()]);
    }
    let words = words.iter().map(|word| format!(" {}", quoted(word)));
    words.collect()
}

fn opponent<const N: usize>(args: &Args) -> Result<Opponent<N>, CliError> {
    let time = args.time.unwrap_or(ENGINE_TIME);
    if let Some(level) = args.level.level {
        if !matches!(args.against, None | Some(Against::Engine)) {
            return Err(level_of_another(level));
        }
        if let Some(handicap) = args.level.handicap() {
            return Ok(Opponent::level(level, handicap, time));
        }
        return Ok(Opponent::engine(time));
    }
    match &args.against {
        Some(Against::Nobody) => Ok(Opponent::Nobody),
        None if args.from.is_some() => Ok(Opponent::Nobody),
        Some(Against::Engine) | None => Ok(Opponent::engine(time)),
        Some(Against::Program(..)) if N != 5 => Err(CliError::Usage(
            "--against: player programs play on boards of 5x5 only".into(),
        )),
        Some(Against::Program(spec, _)) => {
            let time = TimeLimit::requested(args.time).tolerating(LENIENCE);
            let player = Player::new(spec.name.clone(), spec.command.clone(), time);
            Ok(Opponent::Program(Box::new(player)))
        }
    }
}

fn cards(args: &Args) -> Result<Cards, CliError> {
    Ok(two_cards(args.cards.as_deref())?.map_or([None, None], |cards| cards.map(Some)))
}
