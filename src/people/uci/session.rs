//! A session: reads commands until the end of the input and executes them.

use std::io::{self, BufRead, Read, Write};

use super::board::{AnyGameState, GameState};
use super::command::{Command, Go};
use super::options::UciOptions;
use super::search::{EnginesBySize, RunningSearch, SharedOutput};
use crate::printable::printable;
use crate::search::EngineOptions;

/// The maximum length of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The maximum length of an error, in characters.
const LONGEST_ERROR: usize = 300;

/// The error for commands that need a board.
const NO_BOARD: &str = "there is no board: the last position was refused";

/// Why a session ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UciError {
    /// The input cannot be read.
    #[error("standard input: {0}")]
    Input(io::Error),
    /// An answer cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the protocol until `quit` or the end of the input. The end of the input stops an
/// endless search, but waits for one with a limit. Commands that would change a search are
/// refused during an endless search; otherwise they wait, so that commands can come from a
/// file.
///
/// # Errors
/// If reading the input or writing an answer fails.
pub(crate) fn run<W: Write + Send + 'static>(
    engine: EngineOptions,
    input: impl BufRead,
    output: W,
) -> Result<(), UciError> {
    let mut session = Session {
        options: UciOptions {
            engine,
            multi_pv: 1,
            remark: None,
        },
        game: Some(AnyGameState::Five(GameState::empty([None, None]))),
        engines: Some(EnginesBySize::default()),
        running: None,
        endless: false,
        out: SharedOutput::new(output),
    };
    session.run(input)
}

struct Session<W> {
    options: UciOptions,
    /// The board. `None` after a refused position, so that no search answers for an
    /// earlier board.
    game: Option<AnyGameState>,
    /// The engines; `None` while a search runs.
    engines: Option<EnginesBySize>,
    running: Option<RunningSearch>,
    /// Whether the running search waits for `stop`.
    endless: bool,
    out: SharedOutput<W>,
}

impl<W: Write + Send + 'static> Session<W> {
    fn run(&mut self, mut input: impl BufRead) -> Result<(), UciError> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut limited = (&mut input).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut line);
            read.map_err(UciError::Input)?;
            if line.is_empty() {
                return Ok(self.end()?);
            }
            if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
                skip_line(&mut input).map_err(UciError::Input)?;
                self.complain(&format!("skipped a line of more than {LONGEST_LINE} bytes"))?;
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            match Command::parse(&text) {
                Ok(None) => {}
                Ok(Some(Command::Quit)) => return Ok(self.stop()?),
                Ok(Some(command)) => self.obey(command)?,
                Err(error) => self.complain(&error)?,
            }
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        if self.running.as_ref().is_some_and(RunningSearch::is_over) {
            self.stop()?;
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.out.write("readyok\n"),
            Command::Stop => self.stop(),
            Command::Display => self.display(),
            // Commands that change a search cannot run during it.
            _ if self.running.is_some() && self.endless => {
                self.complain("an endless search is running; use stop first")
            }
            _ if self.running.is_some() => {
                self.finish()?;
                self.obey(command)
            }
            Command::NewGame => {
                self.engines = Some(EnginesBySize::default());
                Ok(())
            }
            Command::SetOption { name, value } => self.set(&name, &value),
            Command::Position(Ok(game)) => {
                self.game = Some(*game);
                Ok(())
            }
            Command::Position(Err(error)) => {
                self.game = None;
                self.complain(&error)
            }
            Command::Go(go) => self.go(go),
            Command::Quit => self.stop(),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let options = self.options.listed();
        self.out.write(&format!(
            "id name Santorini {version}\nid author the authors of Santorini\n{}\nuciok\n",
            options.join("\n")
        ))
    }

    fn display(&self) -> io::Result<()> {
        let Some(game) = &self.game else {
            return self.complain(NO_BOARD);
        };
        let drawn = game.drawn();
        let lines = drawn.lines().map(|line| format!("info string {line}\n"));
        self.out.write(&lines.collect::<String>())
    }

    fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.options.with(name, value) {
            Ok((options, new_engine)) => {
                self.options = options;
                if new_engine {
                    self.engines = Some(EnginesBySize::default());
                }
                let remark = self.options.remark.take();
                remark.map_or(Ok(()), |remark| {
                    self.out.write(&format!("info string {value}: {remark}\n"))
                })
            }
            Err(error) => self.complain(&format!("setoption: {error}")),
        }
    }

    fn go(&mut self, go: Go) -> io::Result<()> {
        let Some(game) = self.game else {
            self.complain(NO_BOARD)?;
            return self.out.write("bestmove none\n");
        };
        let engines = self.engines.take().unwrap_or_default();
        let (options, out) = (self.options, self.out.clone());
        self.endless = go.infinite;
        match RunningSearch::start(engines, game, go, options, out) {
            Ok(running) => self.running = Some(running),
            Err(cause) => self.out.write(&format!(
                "info string cannot start a search thread: {cause}\nbestmove none\n"
            ))?,
        }
        Ok(())
    }

    /// Stops the search, if one runs.
    fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = self.running.take() {
            self.engines = Some(running.stop()?);
        }
        Ok(())
    }

    /// Waits until the search ends, if one runs.
    fn finish(&mut self) -> io::Result<()> {
        if let Some(running) = self.running.take() {
            self.engines = Some(running.wait()?);
        }
        Ok(())
    }

    /// Handles the end of the input.
    fn end(&mut self) -> io::Result<()> {
        match self.endless {
            true => self.stop(),
            false => self.finish(),
        }
    }

    /// Writes what is wrong with a command.
    fn complain(&self, error: &str) -> io::Result<()> {
        // The error may repeat words of any length.
        let shown: String = error.chars().take(LONGEST_ERROR).collect();
        self.out
            .write(&format!("info string error: {}\n", printable(&shown)))
    }
}

/// Skips to the end of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
