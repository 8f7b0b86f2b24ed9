//! A player of a game: a name, a program, and its process while it runs.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::command::PlayerCommand;
use super::evidence::Evidence;
use super::process::{Process, TimedAnswer};
use super::stderr_log::{StderrFile, StderrLog};
use super::supervisor::remember_program;
use super::termination::Termination;
use super::time_limit::TimeLimit;

/// A player program. It starts when a game begins, unless it still runs from the previous
/// game. Dropping the value kills it with all its children.
pub struct Player {
    name: String,
    command: PlayerCommand,
    time: TimeLimit,
    stderr: Option<StderrFile>,
    process: Option<Process>,
}

impl Player {
    /// Creates a player. Its program is not started yet.
    pub fn new(name: impl Into<String>, command: PlayerCommand, time: TimeLimit) -> Self {
        let name = name.into();
        remember_program(&name, &command);
        Self {
            name,
            command,
            time,
            stderr: None,
            process: None,
        }
    }

    /// Logs the player's standard error to `file`.
    pub fn with_stderr(self, file: StderrFile) -> Self {
        Self {
            stderr: Some(file),
            ..self
        }
    }

    /// The player's name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Starts the program unless it is running and fit for another game.
    ///
    /// # Errors
    /// [`Termination::CouldNotStart`] or [`Termination::Shortage`], or
    /// [`Termination::Interrupted`] by `stop`.
    pub fn start(&mut self, stop: &AtomicBool) -> Result<(), Termination> {
        self.keep();
        self.process(stop).map(drop)
    }

    /// Kills the program and everything that it started.
    pub fn stop(&mut self) {
        self.process = None;
    }

    /// Keeps the program running if it is fit for another game, otherwise kills it.
    pub fn keep(&mut self) {
        if !self.process.as_mut().is_some_and(Process::is_fit) {
            self.stop();
        }
    }

    /// Sends the question and waits for the answer.
    ///
    /// # Errors
    /// The ending caused by not answering properly.
    pub fn ask(&mut self, question: &Value, stop: &AtomicBool) -> Result<TimedAnswer, Termination> {
        self.process(stop)?.ask(question, stop)
    }

    /// The ending after its answer was found illegal for this reason.
    pub(crate) fn illegal(&mut self, reason: String) -> Termination {
        match &mut self.process {
            Some(process) => process.illegal(reason),
            None => Termination::IllegalBoard { reason },
        }
    }

    /// The last question, and the output since.
    pub fn evidence(&self) -> Evidence {
        let process = self.process.as_ref();
        process.map(Process::evidence).unwrap_or_default()
    }

    fn process(&mut self, stop: &AtomicBool) -> Result<&mut Process, Termination> {
        let process = match self.process.take() {
            Some(process) => process,
            None => {
                let log = StderrLog::new(&self.name, self.stderr.clone());
                Process::start(&self.name, &self.command, self.time, log, stop)?
            }
        };
        Ok(self.process.insert(process))
    }
}
