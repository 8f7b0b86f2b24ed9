//! A session: reads commands until the end of the input and executes them.

use std::io::{self, BufRead, Read, Write};

use super::board::{AnyGameState, GameState};
use super::command::Command;
use super::options::UciOptions;
use super::search::{GoRequest, NO_BOARD, SearchThread, SharedOutput};
use crate::printable::{excerpt, printable};
use crate::search::EngineOptions;

/// The maximum length of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The maximum length of an error, in characters.
const LONGEST_ERROR: usize = 300;

/// Why a session ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UciError {
    /// The input cannot be read.
    #[error("standard input: {0}")]
    Input(io::Error),
    /// An answer cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// The thread that searches cannot be started.
    #[error("cannot start a search thread: {0}")]
    Thread(io::Error),
}

/// Runs the protocol until `quit` or the end of the input. `quit` stops all searches. The end
/// of the input stops those without a limit and waits for the others, so that commands can
/// come from a file.
///
/// # Errors
/// If reading the input or writing an answer fails, or no thread can be started.
pub(crate) fn run(
    engine: EngineOptions,
    input: impl BufRead,
    output: impl Write + Send + 'static,
) -> Result<(), UciError> {
    let out = SharedOutput::new(output);
    let mut session = Session {
        options: UciOptions {
            engine,
            multi_pv: 1,
            remark: None,
        },
        game: Some(AnyGameState::Five(GameState::empty([None, None]))),
        new_engines: false,
        searches: SearchThread::start(out.clone()).map_err(UciError::Thread)?,
        out,
    };
    session.run(input)?;
    Ok(session.searches.finish()?)
}

/// The state that commands set. They take effect at once, for the next `go`: a search keeps
/// what it began with.
struct Session {
    options: UciOptions,
    /// The board. `None` after a refused position, so that no search answers for an
    /// earlier board.
    game: Option<AnyGameState>,
    /// Whether the next search forgets the results of earlier ones.
    new_engines: bool,
    searches: SearchThread,
    out: SharedOutput,
}

impl Session {
    fn run(&mut self, mut input: impl BufRead) -> Result<(), UciError> {
        let mut line = Vec::new();
        while !self.searches.has_failed() {
            line.clear();
            let mut limited = (&mut input).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut line);
            read.map_err(UciError::Input)?;
            if line.is_empty() {
                break;
            }
            if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
                input.skip_until(b'\n').map_err(UciError::Input)?;
                self.report(&format!("skipped a line of more than {LONGEST_LINE} bytes"))?;
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            match Command::parse(&text) {
                Ok(None) => {}
                Ok(Some(command)) => {
                    let quits = command == Command::Quit;
                    self.execute(command)?;
                    if quits {
                        break;
                    }
                }
                Err(error) => self.report(&error)?,
            }
        }
        Ok(())
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.out.write("readyok\n"),
            Command::Stop | Command::Quit => {
                self.searches.stop();
                Ok(())
            }
            Command::Display => self.display(),
            Command::NewGame => {
                self.new_engines = true;
                Ok(())
            }
            Command::SetOption { name, value } => self.set(&name, &value),
            Command::Position(Ok(game)) => {
                self.game = Some(*game);
                Ok(())
            }
            Command::Position(Err(error)) => {
                self.game = None;
                self.report(&error)
            }
            Command::Go(_) if self.searches.is_endless() => {
                self.report("an endless search is running; use stop first")
            }
            Command::Go(go) => {
                self.searches.ask(GoRequest {
                    game: self.game,
                    go,
                    options: self.options,
                    new_engines: std::mem::take(&mut self.new_engines),
                });
                Ok(())
            }
        }
    }

    fn identify(&self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let options = self.options.listed();
        self.out.write(&format!(
            "id name Santorini {version}\nid author the authors of Santorini\n{}\nuciok\n",
            options.join("\n")
        ))
    }

    fn display(&self) -> io::Result<()> {
        let Some(game) = &self.game else {
            return self.report(NO_BOARD);
        };
        let drawn = game.drawn();
        let lines = drawn.lines().map(|line| format!("info string {line}\n"));
        self.out.write(&lines.collect::<String>())
    }

    fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.options.with(name, value) {
            Ok((options, new_engine)) => {
                self.options = options;
                self.new_engines |= new_engine;
                let remark = self.options.remark.take();
                remark.map_or(Ok(()), |remark| {
                    let file = printable(value);
                    self.out.write(&format!("info string {file}: {remark}\n"))
                })
            }
            Err(error) => self.report(&format!("setoption: {error}")),
        }
    }

    /// Reports what is wrong with a command.
    fn report(&self, error: &str) -> io::Result<()> {
        // The error may repeat words of any length.
        let shown = excerpt(error, LONGEST_ERROR);
        self.out
            .write(&format!("info string error: {}\n", printable(&shown)))
    }
}
