//! The command line: one file for each command, with its options and help.
//!
//! May import: everything.
//!
//! | to see or change | look at |
//! |---|---|
//! | a command: its options, help and messages | the file or folder of its name |
//! | the list of commands, their order in `help` | `mod.rs` (here), `help/groups.rs` |
//! | options of the engine | `engine.rs` |
//! | options of levels | `level.rs` |
//! | options of isolation | `isolate.rs` |
//! | options of openings, and of making books | `openings.rs`, `book_options.rs` |
//! | options of cards | `card.rs` |
//! | the option for the time of the first answer | `start_time.rs` |
//! | how a command reads a file, a board, a game | `input.rs`, `board.rs`, `boards.rs` |
//! | what a command may overwrite, `--force` | `files.rs` |
//! | printing: the only code that does | `output.rs`, `stdout.rs` |
//! | progress bars | `progress.rs` |
//! | Ctrl-C, and the command that resumes | `interrupt.rs`, `resume_command.rs` |
//! | what is done and noted when a referee is killed | `guard.rs`, `kills.rs` |
//! | the token of a web page | `page_access.rs` |
//! | the default address of `play --web` | `play/web.rs`; the help in `play/mod.rs`, `src/people/page/PROTOCOL.txt` |
//! | `--version` | `version.rs` |
//!
//! | to add | change |
//! |---|---|
//! | an option | `Args` in the command's file; then `tests/data/outputs/` if its output changes |
//! | a command | a file of its own, `Command` in `mod.rs`, `help/groups.rs`, `README.txt` |
//! | a guide | `help/topics.rs`, `README.txt` |

use std::ffi::OsString;
use std::io;
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::http::on_unaccepted;
use crate::open_files::raise_file_limit;
use crate::program::{GUARD, LAUNCH, supervise};
use crate::rules::{Card, Cards, PositionError};
use crate::search::on_table_shortage;
use crate::signals::fail_beyond_file_limit;
use output::say;
use stdout::check_open;

mod analyze;
mod bench;
mod board;
mod boards;
mod book;
mod book_options;
mod bot;
mod card;
mod check;
mod completions;
mod datagen;
mod draw;
mod duel;
mod engine;
mod fake_player;
mod files;
mod guard;
mod help;
mod input;
mod interrupt;
mod isolate;
mod kills;
mod lab;
mod level;
mod man;
mod merge;
mod new_bot;
mod openings;
mod output;
mod page_access;
mod perft;
mod placements;
mod play;
mod player;
mod progress;
mod puzzles;
mod rate;
mod referee;
mod resume_command;
mod review;
mod serve;
mod solve;
mod sprt;
mod start_time;
mod stdout;
mod tournament;
mod train;
mod tune;
mod uci;
mod version;

/// Player, referee, tournaments and laboratory for the board game Santorini
///
/// Examples:
///   santorini play                 a game against the built-in player
///   santorini help tournament      the options of a command
///   santorini help tournaments     a guide
///
/// Without arguments it is the tournament player: it reads set-up arrays and boards
/// in JSON from standard input and answers each on standard output.
#[derive(Parser)]
#[command(
    name = "santorini",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    verbatim_doc_comment,
    after_long_help = "\
Files: without --force a command overwrites only files of the same kind, which
it recognizes by their first bytes, and never games, training data or bots.
Resume games with --resume. No command writes to a file that it also reads, or
two results to one file, even if the file has several names. Files are replaced
as a whole and keep their permissions: after a full disk or a kill the old file
is intact. Symbolic links stay; pipes and devices are written to.

Exit codes: 0 done, 1 failed, bad input or an unreadable file, 2 wrong arguments
or a file of another kind, 130 stopped by Ctrl-C, SIGTERM or SIGHUP, 141 the
reader of standard output has closed it."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands. `help/groups.rs` has the order in which help lists them.
#[derive(Subcommand)]
enum Command {
    Play(Box<play::Args>),
    Player(player::Args),
    Draw(draw::Args),
    Referee(Box<referee::Args>),
    Review(review::Args),
    Check(check::Args),
    Tournament(Box<tournament::Args>),
    Duel(Box<duel::Args>),
    Merge(merge::Args),
    Sprt(sprt::command::Args),
    Serve(Box<serve::Args>),
    Bot(bot::Args),
    NewBot(new_bot::Args),
    Rate(Box<rate::Args>),
    Analyze(analyze::Args),
    Uci(uci::Args),
    Perft(perft::Args),
    Solve(Box<solve::Args>),
    Bench(bench::Args),
    Lab(lab::Args),
    Datagen(datagen::Args),
    Train(train::Args),
    Tune(tune::Args),
    Book(book::Args),
    Placements(placements::Args),
    Puzzles(puzzles::Args),
    Help(help::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[command(hide = true)]
    FakePlayer(fake_player::Args),
    #[command(hide = true, name = GUARD)]
    Guard(guard::Args),
}

/// The clap command, with all help texts.
fn command() -> clap::Command {
    let command = Cli::command();
    let template = help::template(&command);
    command
        .help_template(template)
        .long_version(version::long())
}

/// Why a subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The arguments or the input are wrong: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The command failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Interrupted by Ctrl-C: exit code 130.
    #[error("interrupted{0}")]
    Interrupted(String),
    /// Standard output cannot be written: exit code 1. If its reader has closed it
    /// (`| head`), no message and the exit code of a program killed by SIGPIPE.
    #[error("standard output: {0}")]
    Output(io::Error),
}

impl CliError {
    /// A failure: what was being done, and the cause.
    pub fn failed(doing: impl std::fmt::Display, cause: impl std::fmt::Display) -> Self {
        Self::Failed(format!("{doing}: {cause}"))
    }
}

type CliResult = Result<ExitCode, CliError>;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    fail_beyond_file_limit();
    on_table_shortage(|shortage| say(&format!("santorini: {shortage}")));
    on_unaccepted(|why| say(&format!("santorini: {why}")));
    let words = merge::without_old_spelling(std::env::args_os().collect());
    // A tournament player starts at once, without parsing options.
    let result = if words.len() <= 1 {
        player::run_without_arguments()
    } else if words[1] == LAUNCH {
        // A player starts soon too, and the launcher must have a single thread.
        Ok(launch(&words[2..]))
    } else {
        raise_file_limit();
        supervise();
        let matches = command().try_get_matches_from(words);
        match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
            Ok(cli) => dispatch(&cli.command),
            Err(error) => explain(error),
        }
    };
    result.unwrap_or_else(|error| end(&error))
}

/// Runs the program as a launcher of a player.
#[cfg(target_os = "linux")]
fn launch(words: &[OsString]) -> ExitCode {
    crate::program::launch(words)
}

#[cfg(not(target_os = "linux"))]
fn launch(_: &[OsString]) -> ExitCode {
    ExitCode::from(2)
}

/// Prints an error and returns its exit code.
fn end(error: &CliError) -> ExitCode {
    let code = match error {
        CliError::Usage(_) => 2,
        CliError::Failed(_) => 1,
        CliError::Interrupted(_) => interrupt::INTERRUPTED,
        CliError::Output(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::from(BROKEN_PIPE);
        }
        CliError::Output(_) => 1,
    };
    say(&format!("santorini: {error}"));
    ExitCode::from(code)
}

/// Prints all errors. Returns the exit code of the first one; without any, that of success.
fn end_all<const N: usize>(results: [Result<(), CliError>; N]) -> ExitCode {
    let errors = results.into_iter().filter_map(Result::err);
    let codes: Vec<ExitCode> = errors.map(|error| end(&error)).collect();
    codes.first().copied().unwrap_or(ExitCode::SUCCESS)
}

/// The exit code that a shell shows for a program killed by SIGPIPE.
const BROKEN_PIPE: u8 = 128 + 13;

/// Prints the help or version if the arguments ask for it.
///
/// # Errors
/// If the arguments are wrong.
fn explain(error: clap::Error) -> CliResult {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    match error.kind() {
        DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand | DisplayVersion => {
            if !error.use_stderr() {
                check_open().map_err(CliError::Output)?;
            }
            error.print().map_err(CliError::Output)?;
            Ok(ExitCode::from(error.exit_code() as u8))
        }
        ErrorKind::InvalidUtf8 => {
            let word = std::env::args_os().find(|word| word.to_str().is_none());
            let word = word.unwrap_or_default();
            Err(CliError::Usage(format!(
                "{word:?}: use an argument in UTF-8"
            )))
        }
        _ => Err(CliError::Usage(
            unexpected(&error).unwrap_or_else(|| on_one_line(error)),
        )),
    }
}

/// The message on an argument that clap reports as a conflicting subcommand though there is no
/// subcommand of that name.
fn unexpected(error: &clap::Error) -> Option<String> {
    let word = match error.get(ContextKind::InvalidSubcommand)? {
        ContextValue::String(word) if error.kind() == ErrorKind::ArgumentConflict => word,
        _ => return None,
    };
    let command = command();
    let mut commands = command.get_subcommands();
    let is_command = commands.any(|command| command.find_subcommand(word).is_some());
    (!is_command).then(|| format!("unexpected argument '{word}' found"))
}

/// The message of clap on one line, without the usage and the tips on `--` and --help.
fn on_one_line(mut error: clap::Error) -> String {
    error.remove(ContextKind::Usage);
    error.remove(ContextKind::Suggested);
    let text = error.render().to_string();
    let text = text.split("\n\nFor more information").next();
    let text = text.unwrap_or_default().replace("\n\n", "; ");
    let words: Vec<&str> = text.split_whitespace().skip(1).collect();
    words.join(" ")
}

fn dispatch(command: &Command) -> CliResult {
    match command {
        Command::Play(args) => play::run(args),
        Command::Player(args) => player::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Referee(args) => referee::run(args),
        Command::Review(args) => review::run(args),
        Command::Check(args) => check::run(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Duel(args) => duel::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Sprt(args) => sprt::command::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Bot(args) => bot::run(args),
        Command::NewBot(args) => new_bot::run(args),
        Command::Rate(args) => rate::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Uci(args) => uci::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Datagen(args) => datagen::run(args),
        Command::Train(args) => train::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Book(args) => book::run(args),
        Command::Placements(args) => placements::run(args),
        Command::Puzzles(args) => puzzles::run(args),
        Command::Help(args) => help::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::FakePlayer(args) => fake_player::run(args),
        Command::Guard(args) => guard::run(args),
    }
}

/// The cards of the players, as a `--cards` option gives them.
///
/// # Errors
/// As [`two_cards`].
fn cards_or_none(cards: Option<&[Card]>) -> Result<Cards, CliError> {
    Ok(two_cards(cards)?.map_or([None, None], |cards| cards.map(Some)))
}

/// The two cards of a `--cards` option.
///
/// # Errors
/// If they are equal.
fn two_cards(cards: Option<&[Card]>) -> Result<Option<[Card; 2]>, CliError> {
    match cards {
        Some(&[a, b]) if a == b => {
            let same = PositionError::SameCard(a);
            Err(CliError::Usage(format!("--cards {a} {b}: {same}")))
        }
        Some(&[a, b]) => Ok(Some([a, b])),
        _ => Ok(None),
    }
}

/// A parser of numbers within bounds.
fn number_in(bounds: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text: &str| {
        let number = text.trim().parse().ok();
        let number = number.filter(|number| bounds.contains(number));
        number.ok_or_else(|| {
            let (least, greatest) = (bounds.start(), bounds.end());
            format!("use a number from {least} to {greatest}")
        })
    }
}

/// Reads a number of seconds, fractions allowed.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse::<f64>().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero() && *time <= LONGEST_TIME)
        .ok_or_else(|| {
            let longest = LONGEST_TIME.as_secs();
            format!(
                "{text:?} is not a time; use seconds above 0 and up to {longest}, like 0.5 or 2"
            )
        })
}

/// The maximum time of an option: one day.
const LONGEST_TIME: Duration = Duration::from_secs(86_400);
