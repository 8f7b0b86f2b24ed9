//! `santorini play`: playing by hand, and stepping through games.
//!
//! | to see or change | look at |
//! |---|---|
//! | the options; playing on a terminal | `mod.rs` (here) |
//! | the opponent | `opponent.rs` |
//! | saving and resuming games | `saved.rs` |
//! | playing in the browser | `web.rs` |

mod opponent;
mod saved;
mod web;

use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::opponent::{Against, ENGINE_TIME, LONGEST_HINT, against, opponent, program_failed};
use self::saved::{autosave, resume, resume_options};
use crate::address::listening_address;
use crate::at_size;
use crate::cli::board::with_board_size;
use crate::cli::boards::{StyleChoice, one_game};
use crate::cli::files::ForceArgs;
use crate::cli::input::{is_standard, name_of};
use crate::cli::interrupt::stop_flag;
use crate::cli::isolate::IsolateArgs;
use crate::cli::level::{LevelArgs, levels_help};
use crate::cli::output::{say, terminal_width};
use crate::cli::stdout::stdout;
use crate::cli::{CliError, CliResult, cards_or_none, parse_seconds};
use crate::draw::{Scene, Seat};
use crate::http::ProxyAddress;
use crate::levels::Level;
use crate::play::{
    Autosave, GameCursor, GamePlayers, Input, InputError, Session, SessionError, SessionOptions,
};
use crate::rules::Card;

/// Play by hand, or step through a game and play on from any board
///
/// Examples:
///   santorini play                              a game against the built-in player
///   santorini play --level 3                    against an easier opponent
///   santorini play --web                        the same in your browser, and more
///   santorini play --web --from games.jsonl     with a game of a tournament
///   santorini play --second --cards Pan Atlas   you play second and have Atlas
///   santorini play --against ./other            against a player program
///   santorini play --against nobody             both sides by hand
///   santorini play --resume                     resume the last game
///   santorini play --from game.jsonl            step through a game
///   santorini referee ./a ./b | santorini play --from - --against ./b
///
/// Type a turn as c3-c4+b4: from column c, row 3 to c4, build on b4. Or type
///   turns                all legal turns; `c3` lists the turns of the worker on c3
///   undo, hint           take a turn back; ask the built-in player for one
///   back, next, goto 12  step through the game
///   go                   let the opponent move
///   review               judge all turns of the game
///   rules, cards         show the rules
///   save FILE            save the game
///   help                 list all requests
///
/// An illegal turn is refused with the rule that it breaks. On a terminal lines can
/// be edited, and arrow keys recall earlier ones. The game is saved after every
/// turn; resume it with --resume. Requests can also come through a pipe, one on
/// each line.
#[derive(clap::Args, Clone)]
#[command(
    verbatim_doc_comment,
    after_long_help = levels_help(
        "`santorini help draw` explains the notation of all turns, with cards too."
    )
)]
pub(super) struct Args {
    /// Show the game in FILE (- for standard input) instead of a new one: anything that
    /// `santorini draw` can draw. There is no opponent, unless --against names one.
    /// With --web the file may hold many games.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The number of the game, if FILE holds several.
    #[arg(long, value_name = "N", requires = "from")]
    game: Option<u64>,
    /// The opponent: `engine` for the built-in player, or a player program (COMMAND or
    /// NAME=COMMAND). With `nobody` you play both sides.
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
    /// The number of rows and columns of the board, 5 or 6. Player programs play only
    /// on 5x5.
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "from",
          value_parser = clap::value_parser!(u8).range(5..=6))]
    size: u8,
    /// The time limit for your opponent and for a hint. The default is 1. A player
    /// program gets it in the environment variable SANTORINI_TIME; without this option
    /// it uses its own default, and the limit is 30.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Resume the last saved game, or the game in the file of --keep, against the same
    /// opponent or the one that --against names. A program must be named again with
    /// --against.
    #[arg(long, conflicts_with_all = ["from", "second", "cards", "size", "level"])]
    resume: bool,
    /// Save the game to FILE after every turn. On a terminal the default is
    /// ~/.local/state/santorini/game.json. A new game replaces a finished one. An
    /// unfinished game with turns is kept as FILE.1 (or .2, ...). If another process is
    /// still playing it, that process saves it there.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    keep: Option<PathBuf>,
    /// The style of the boards.
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    style: StyleChoice,
    /// Play in a browser instead: against any level, with analysis of every position,
    /// reviews of games and puzzles. The page is served at this address; with
    /// 0.0.0.0:8080 other machines can reach it. The default is 127.0.0.1:7575, or a
    /// free port if that one is in use: browsers keep the games of each address separately.
    /// The page needs the token in the printed link, which is new each time unless the
    /// environment variable SANTORINI_TOKEN is set. `santorini help page` describes the
    /// protocol of the page.
    #[arg(long, value_name = "ADDR:PORT", value_parser = listening_address,
          conflicts_with_all = ["second", "cards", "size", "style", "force", "resume", "keep", "seed"])]
    web: Option<Option<SocketAddr>>,
    /// With --web: another address at which browsers reach the page, through a proxy
    /// such as the one of Codespaces, JupyterHub or code-server. Can be repeated.
    #[arg(long, value_name = "https://NAME", requires = "web")]
    origin: Vec<ProxyAddress>,
    #[command(flatten)]
    isolate: IsolateArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    if let Some(Against::Program(..)) = args.against {
        args.isolate.apply()?;
    }
    if let Some(address) = args.web {
        return web::run(args, address);
    }
    if args.second && matches!(against(args)?, Against::Nobody) {
        return Err(CliError::Usage(
            "--second: there is no opponent to play first; use --against or --level".into(),
        ));
    }
    let stop = stop_flag()?;
    if args.resume {
        return resume(args, stop);
    }
    match &args.from {
        Some(file) => {
            let game = one_game(file, args.game)?;
            at_size!(game, scenes => play_on(args, stop, scenes, file))
        }
        None => with_board_size!(args.size, N => play_new::<N>(args, stop)),
    }
}

/// The result of the command after a session.
fn ended(played: Result<(), SessionError>) -> CliResult {
    match played {
        Ok(()) | Err(SessionError::Input(InputError::Stopped)) => Ok(ExitCode::SUCCESS),
        Err(SessionError::Output(error)) => Err(CliError::Output(error)),
        Err(SessionError::Opponent(message)) => Err(program_failed(&message)),
        Err(failure) => Err(CliError::Failed(failure.to_string())),
    }
}

fn play_new<const N: usize>(args: &Args, stop: Arc<AtomicBool>) -> CliResult {
    let input = standard_input(stop)?;
    let players = GamePlayers {
        second: args.second,
        against: against(args)?.kind(),
        level: args.level.level.map(Level::number),
    };
    let autosave = autosave(args, players)?;
    let is_unfinished = autosave
        .as_ref()
        .is_some_and(Autosave::holds_unfinished_game);
    let session = session::<N>(args, input, autosave)?;
    if is_unfinished {
        say("santorini: the last game is not finished; resume it with --resume");
    }
    ended(session.play_new())
}

/// Whether a person uses a terminal.
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
) -> CliResult {
    let cursor = GameCursor::new(scenes);
    let cursor = cursor.ok_or_else(|| no_board(file, args.game))?;
    let input = if is_standard(file) {
        Input::terminal(stop).map_err(|error| {
            CliError::failed(
                "the game is read from standard input, so requests are read from the terminal",
                error,
            )
        })?
    } else {
        standard_input(stop)?
    };
    ended(session::<N>(args, input, None)?.play_on(cursor))
}

/// The error for a file, or a game in it, without any board.
fn no_board(file: &Path, game: Option<u64>) -> CliError {
    let game = game
        .map(|game| format!(", game {game}"))
        .unwrap_or_default();
    CliError::Usage(format!(
        "{}{game}: there is no board to look at",
        name_of(file)
    ))
}

/// The session that the options ask for.
fn session<const N: usize>(
    args: &Args,
    input: Input,
    autosave: Option<Autosave>,
) -> Result<Session<N>, CliError> {
    let options = SessionOptions {
        seat: if args.second {
            Seat::Second
        } else {
            Seat::First
        },
        cards: cards_or_none(args.cards.as_deref())?,
        style: args.style.style_for_one(N),
        prompt: io::stdout().is_terminal(),
        hint_time: args.time.unwrap_or(ENGINE_TIME).min(LONGEST_HINT),
        autosave,
        resume_options: resume_options(args),
        width: terminal_width(),
        uses: args.force.uses().reads(&args.from),
    };
    let opponent = opponent::<N>(args)?;
    Ok(Session::new(options, input, Box::new(stdout()), opponent))
}
