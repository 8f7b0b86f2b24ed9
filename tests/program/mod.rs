//! The real player program, started as a referee does and talked to over
//! pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// Much longer than anything here takes, even on a busy machine: a wait that
/// long is a hang.
const HANG: Duration = Duration::from_secs(60);

/// A running player. It is killed when the value is dropped.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

/// How a player ended.
#[derive(Debug, PartialEq)]
pub struct Ended {
    /// What it had written and nobody had read.
    pub answers: Vec<String>,
    pub errors: Vec<String>,
    pub code: Option<i32>,
}

/// The command of the player, with `seconds` for an answer.
pub fn player(seconds: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_santorini"));
    command.env("SANTORINI_TIME", seconds);
    command
}

impl Program {
    /// Starts the command.
    pub fn start(mut command: Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut errors = child.stderr.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, answers) = channel();
        spawn(move || {
            output
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| send.send(line))
        });
        Self {
            input: child.stdin.take(),
            child,
            answers,
            errors: Some(spawn(move || {
                let mut text = String::new();
                errors.read_to_string(&mut text).unwrap();
                text
            })),
        }
    }

    /// Writes to the program's standard input, just as it is.
    pub fn send(&mut self, text: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text).unwrap();
        input.flush().unwrap();
    }

    /// Waits for the next line of the program's standard output.
    pub fn line(&mut self) -> String {
        self.answers
            .recv_timeout(HANG)
            .expect("the program answers")
    }

    /// Closes the program's input and waits for its end.
    pub fn end(mut self) -> Ended {
        drop(self.input.take());
        let answers = std::iter::from_fn(|| self.answers.recv_timeout(HANG).ok()).collect();
        let errors = self.errors.take().unwrap().join().unwrap();
        Ended {
            answers,
            errors: errors.lines().map(str::to_owned).collect(),
            code: self.child.wait().unwrap().code(),
        }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It has ended already, or is to end now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the command on one input to its end.
pub fn run(command: Command, input: &[u8]) -> Ended {
    let mut program = Program::start(command);
    program.send(input);
    program.end()
}
