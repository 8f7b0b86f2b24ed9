//! A player of a game: a name, a program, and its process while it runs.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::command::PlayerCommand;
use super::evidence::Evidence;
use super::process::{Answer, Process};
use super::stderr_log::{StderrFile, StderrLog};
use super::termination::Termination;
use super::time_limit::TimeLimit;

/// A player program. It is started when a game begins, unless it still runs
/// from the game before, and killed with all its children when the value is
/// dropped.
pub struct Player {
    name: String,
    command: PlayerCommand,
    time: TimeLimit,
    stderr: Option<StderrFile>,
    process: Option<Process>,
}

impl Player {
    /// A player that does not run yet.
    pub fn new(name: impl Into<String>, command: PlayerCommand, time: TimeLimit) -> Self {
        Self {
            name: name.into(),
            command,
            time,
            stderr: None,
            process: None,
        }
    }

    /// The same player, its standard error kept in the file.
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

    /// Starts the program unless it runs and can be used again.
    ///
    /// # Errors
    /// [`Termination::CouldNotStart`].
    pub fn start(&mut self) -> Result<(), Termination> {
        self.keep();
        self.process().map(drop)
    }

    /// Kills the program with everything it started.
    pub fn stop(&mut self) {
        self.process = None;
    }

    /// Keeps the program for another game if it is fit for one, else kills it.
    pub fn keep(&mut self) {
        if !self.process.as_mut().is_some_and(Process::is_fit) {
            self.stop();
        }
    }

    /// Sends the question and waits for the answer.
    ///
    /// # Errors
    /// The ending that the lack of a good answer leads to.
    pub fn ask(&mut self, question: &Value, stop: &AtomicBool) -> Result<Answer, Termination> {
        self.process()?.ask(question, stop)
    }

    /// What the program was last asked, and what it wrote since.
    pub fn evidence(&self) -> Evidence {
        let process = self.process.as_ref();
        process.map(Process::evidence).unwrap_or_default()
    }

    fn process(&mut self) -> Result<&mut Process, Termination> {
        let process = match self.process.take() {
            Some(process) => process,
            None => {
                let log = StderrLog::new(&self.name, self.stderr.clone());
                Process::start(&self.command, self.time, log)?
            }
        };
        Ok(self.process.insert(process))
    }
}
