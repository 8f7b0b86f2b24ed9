//! `santorini fake-player`: players to test referees with.
//!
//! | to see or change | look at |
//! |---|---|
//! | players that misbehave | `mod.rs` (here) |
//! | a player of random legal turns | `random.rs` |

mod random;

use std::io::{self, Write};
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::output::say;
use super::stdout::stdout;
use super::{CliError, CliResult, parse_seconds};
use crate::protocol::stream::ValueReader;
use random::RandomPlayer;

/// Misbehave, to test referees, or play random turns
///
/// Examples:
///   santorini fake-player random --seed 2 --wins
///   santorini referee './santorini fake-player random --wins' \
///       './santorini fake-player crash --after 3'
///
/// Each kind first gives --after answers, which are random legal turns, and then
/// does what its name says.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// How the player misbehaves.
    kind: Kind,
    /// The number of legal answers before that.
    #[arg(long, value_name = "N", default_value_t = 0)]
    after: u32,
    /// The seed of the random turns.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Win at once if a turn can.
    #[arg(long)]
    wins: bool,
    /// How late a late answer is.
    #[arg(long, value_parser = parse_seconds)]
    seconds: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Plays random legal turns.
    Random,
    /// Ends with exit code 0 instead of reading a question.
    Exit,
    /// Ends with exit code 3 and a message instead of answering.
    Crash,
    /// Kills itself by a signal instead of answering.
    Abort,
    /// Reads the question and never answers.
    Never,
    /// Never reads its input.
    Deaf,
    /// Answers, but --seconds late.
    Late,
    /// Sends a part of an answer and no more.
    Partial,
    /// Answers in plain words.
    Garbage,
    /// Sends text without end.
    Flood,
    /// Sends an array without end.
    Huge,
    /// Fills its standard error without end and never answers.
    FloodStderr,
    /// Fills its standard error, then answers well.
    Chatty,
    /// Sends more than its answer.
    Extra,
    /// Answers well, but ends no line.
    NoNewline,
    /// Answers well, one byte at a time.
    Bytewise,
    /// Answers well, over many lines.
    Spacious,
    /// Closes its output but keeps running.
    CloseOutput,
    /// Ends, but leaves a child that holds its output open.
    Orphan,
    /// Leaves a child in a session of its own that holds its output open, and
    /// never answers.
    Daemon,
    /// Ignores SIGTERM, SIGINT and SIGHUP and never answers.
    Stubborn,
    /// Sends a board without any move.
    Illegal,
    /// Wins if a turn can, but builds after it, which is illegal.
    BuildAfterWin,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let failed = |error: io::Error| CliError::failed("fake player", error);
    let mut random = RandomPlayer::new(args.seed, args.wins);
    let mut input = ValueReader::new(io::stdin());
    for number in 0.. {
        let kind = match number >= args.after {
            true => args.kind,
            false => Kind::Random,
        };
        if let Some(code) = before_question(kind).map_err(failed)? {
            return Ok(code);
        }
        let question = match input.read().map_err(failed)? {
            None => return Ok(ExitCode::SUCCESS),
            Some(Ok(framed)) => framed.value,
            Some(Err(error)) => return Err(CliError::Failed(error.to_string())),
        };
        let answer = random.answer(&question).map_err(CliError::Failed)?;
        before_answer(kind, args.seconds, &answer).map_err(failed)?;
        send_answer(kind, &random, &question, &answer).map_err(failed)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Misbehaves before reading a question; returns an exit code to end with it.
fn before_question(kind: Kind) -> io::Result<Option<ExitCode>> {
    match kind {
        Kind::Exit => return Ok(Some(ExitCode::SUCCESS)),
        Kind::Deaf => sleep_forever(),
        Kind::Orphan => {
            leave_a_child()?;
            return Ok(Some(ExitCode::SUCCESS));
        }
        Kind::Daemon => {
            // A process that does not lead its group may start a session.
            if nix::unistd::setsid().is_err() {
                leave_a_child()?;
            }
            sleep_forever();
        }
        _ => {}
    }
    Ok(None)
}

/// Misbehaves between a question and its answer. Most kinds that do so send no answer.
fn before_answer(kind: Kind, seconds: Option<Duration>, answer: &Value) -> io::Result<()> {
    match kind {
        Kind::Crash => {
            say("fake player: crashing on purpose");
            std::process::exit(3);
        }
        Kind::Abort => std::process::abort(),
        Kind::Never => sleep_forever(),
        Kind::Late => thread::sleep(seconds.unwrap_or_default()),
        Kind::Partial => {
            let text = answer.to_string();
            send(&text[..text.len() / 2])?;
            sleep_forever();
        }
        Kind::Flood => flood(&mut io::stdout(), b"so much to say\n")?,
        Kind::Huge => {
            send("[")?;
            flood(&mut io::stdout(), b"[2,3],")?;
        }
        Kind::FloodStderr => flood(&mut io::stderr(), b"so much to say\n")?,
        Kind::Chatty => io::stderr().write_all(&[b'.'; 1 << 20])?,
        Kind::CloseOutput => {
            // The standard library offers no way to close it.
            nix::unistd::close(1)?;
            sleep_forever();
        }
        Kind::Stubborn => {
            for signal in [SIGTERM, SIGINT, SIGHUP] {
                signal_hook::flag::register(signal, Arc::default())?;
            }
            sleep_forever();
        }
        Kind::Random
        | Kind::Exit
        | Kind::Deaf
        | Kind::Orphan
        | Kind::Daemon
        | Kind::Garbage
        | Kind::Extra
        | Kind::NoNewline
        | Kind::Bytewise
        | Kind::Spacious
        | Kind::Illegal
        | Kind::BuildAfterWin => {}
    }
    Ok(())
}

/// Sends the answer, or something else in its place.
fn send_answer(
    kind: Kind,
    random: &RandomPlayer,
    question: &Value,
    answer: &Value,
) -> io::Result<()> {
    match kind {
        Kind::Garbage => send("I move to the left and build to the right\n"),
        Kind::Extra => send(&format!("{answer}\nMy best turn yet!\n")),
        Kind::NoNewline => send(&answer.to_string()),
        Kind::Bytewise => format!("{answer}\n")
            .chars()
            .try_for_each(|character| send(&character.to_string())),
        Kind::Spacious => send(&format!("\r\n\t{answer:#}\n\n")),
        Kind::Illegal => send(&format!("{}\n", without_a_move(question, answer))),
        Kind::BuildAfterWin => {
            let won = random.built_win(question);
            send(&format!("{}\n", won.as_ref().unwrap_or(answer)))
        }
        _ => send(&format!("{answer}\n")),
    }
}

/// The board of the answer with the workers placed as in the question.
fn without_a_move(question: &Value, answer: &Value) -> Value {
    let mut board = answer.clone();
    if board.is_object() {
        let players = &question["players"];
        board["players"] = json!([players[1], players[0]]);
    }
    board
}

fn send(text: &str) -> io::Result<()> {
    let mut output = stdout();
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn flood(output: &mut impl Write, text: &[u8]) -> io::Result<()> {
    let block = text.repeat(4096 / text.len());
    loop {
        output.write_all(&block)?;
    }
}

/// Starts a copy of this program that holds the output open, in a session of its own.
fn leave_a_child() -> io::Result<()> {
    std::process::Command::new(std::env::current_exe()?)
        .args(["fake-player", "daemon"])
        .stdin(Stdio::null())
        .spawn()?;
    Ok(())
}

fn sleep_forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}
