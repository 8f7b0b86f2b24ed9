//! The command line: one file a subcommand, each with its options and help.

use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::files;
use crate::referee::{GUARD, supervise};
use crate::rules::Card;
use output::say;

mod analyze;
mod bench;
mod boards;
mod book;
mod bot;
mod check;
mod datagen;
mod draw;
mod duel;
mod engine;
mod fake_player;
mod guard;
mod lab;
mod openings;
mod output;
mod perft;
mod placements;
mod play;
mod player;
mod referee;
mod serve;
mod sprt;
mod tournament;
mod train;
mod tune;

/// Player, referee, tournaments and laboratory for the board game Santorini.
///
/// Without arguments this is the tournament player: it reads set-up arrays and
/// boards in JSON from standard input and answers each on standard output.
#[derive(Parser)]
#[command(name = "santorini", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Player(player::Args),
    Analyze(analyze::Args),
    Book(book::Args),
    Placements(placements::Args),
    Datagen(datagen::Args),
    Train(train::Args),
    Tune(tune::Args),
    Duel(Box<duel::Args>),
    Perft(perft::Args),
    Referee(Box<referee::Args>),
    Check(check::Args),
    Draw(draw::Args),
    Play(Box<play::Args>),
    Tournament(Box<tournament::Args>),
    Serve(Box<serve::Args>),
    Bot(bot::Args),
    Lab(lab::Args),
    Bench(bench::Args),
    #[command(hide = true)]
    FakePlayer(fake_player::Args),
    #[command(hide = true, name = GUARD)]
    Guard(guard::Args),
}

/// Why a subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The request itself was wrong: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The request was right but could not be carried out: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Standard output took no more: exit code 1, or, if its reader has gone
    /// (`| head`), silence and the exit code of a program that SIGPIPE ended.
    #[error("standard output: {0}")]
    Output(io::Error),
}

impl CliError {
    /// Puts what was being done in front of the cause of a failure.
    pub fn failed(doing: impl std::fmt::Display, cause: impl std::fmt::Display) -> Self {
        Self::Failed(format!("{doing}: {cause}"))
    }
}

type CliResult = Result<ExitCode, CliError>;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    // A tournament's player starts at once, before any look at options.
    let result = if std::env::args_os().len() <= 1 {
        player::run_without_arguments()
    } else {
        supervise();
        match Cli::try_parse() {
            Ok(cli) => dispatch(&cli.command),
            Err(error) => explain(&error),
        }
    };
    result.unwrap_or_else(|error| end(&error))
}

/// Ends the program because of an error.
fn end(error: &CliError) -> ExitCode {
    let code = match error {
        CliError::Usage(_) => 2,
        CliError::Failed(_) => 1,
        CliError::Output(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::from(BROKEN_PIPE);
        }
        CliError::Output(_) => 1,
    };
    say(&format!("santorini: {error}"));
    ExitCode::from(code)
}

/// The exit code of a program that SIGPIPE ended, as a shell shows it.
const BROKEN_PIPE: u8 = 128 + 13;

/// Says what is wrong with the arguments, or the help that was asked for. A
/// value that is not as it should be is told in one line; to all other mistakes
/// belongs how the command is used, and clap tells that.
fn explain(error: &clap::Error) -> CliResult {
    if error.kind() == ErrorKind::ValueValidation {
        return Err(CliError::Usage(first_line(error)));
    }
    error.print().map_err(CliError::Output)?;
    Ok(ExitCode::from(error.exit_code() as u8))
}

/// What is wrong with arguments, without how they should be.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_string()
}

fn dispatch(command: &Command) -> CliResult {
    match command {
        Command::Player(args) => player::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Book(args) => book::run(args),
        Command::Placements(args) => placements::run(args),
        Command::Datagen(args) => datagen::run(args),
        Command::Train(args) => train::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Duel(args) => duel::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Referee(args) => referee::run(args),
        Command::Check(args) => check::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Play(args) => play::run(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Bot(args) => bot::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Bench(args) => bench::run(args),
        Command::FakePlayer(args) => fake_player::run(args),
        Command::Guard(args) => guard::run(args),
    }
}

/// Reads a whole file, or standard input for `-`, but no more than `limit`
/// bytes of it.
fn read_input(path: &Path, limit: u64) -> Result<String, CliError> {
    let named = |cause: io::Error| CliError::failed(path.display(), cause);
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(std::fs::File::open(path).map_err(named)?)
    };
    let bytes = files::read_all(source, limit).map_err(named)?;
    String::from_utf8(bytes).map_err(|_| CliError::failed(path.display(), "not text in UTF-8"))
}

/// The two cards of a `--cards` option, which must differ.
fn two_cards(cards: Option<&[Card]>) -> Result<Option<[Card; 2]>, CliError> {
    match cards {
        Some(&[a, b]) if a == b => Err(CliError::Usage(format!(
            "--cards {a} {b}: the players' cards must differ"
        ))),
        Some(&[a, b]) => Ok(Some([a, b])),
        _ => Ok(None),
    }
}

/// The default of a FILE argument: standard input.
fn standard_input() -> PathBuf {
    PathBuf::from("-")
}

/// Reads a number within bounds.
fn parse_number(text: &str, bounds: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.trim().parse().ok();
    number
        .filter(|number| bounds.contains(number))
        .ok_or_else(|| {
            let (least, greatest) = (bounds.start(), bounds.end());
            format!("say a number from {least} to {greatest}")
        })
}

/// Reads a number of seconds, fractions allowed.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse::<f64>().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero() && *time <= LONGEST_TIME)
        .ok_or_else(|| {
            let longest = LONGEST_TIME.as_secs();
            format!(
                "{text:?} is not a time; say seconds above 0 and up to {longest}, like 0.5 or 2"
            )
        })
}

/// The longest time that can be asked for: a day.
const LONGEST_TIME: Duration = Duration::from_secs(86_400);
