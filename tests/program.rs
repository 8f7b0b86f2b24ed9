//! Runs the program: once on some input, or interactively.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// The path of the program.
pub const SANTORINI: &str = env!("CARGO_BIN_EXE_santorini");

/// Longer than any test takes, even on a busy machine; a longer wait counts as a hang.
pub const HANG: Duration = Duration::from_secs(60);

/// The command of the program with these arguments.
pub fn santorini(arguments: &[&str]) -> Command {
    let mut command = Command::new(SANTORINI);
    // No progress lines, even on a slow machine.
    command.args(arguments).env("SANTORINI_PROGRESS", "3600");
    command
}

/// The command of the player with `seconds` for each answer.
pub fn player(seconds: &str) -> Command {
    let mut command = santorini(&[]);
    command.env("SANTORINI_TIME", seconds);
    command
}

/// Runs the program with the arguments and input until it ends.
pub fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = spawn_piped(santorini(arguments));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    // Written by another thread: the program may refuse its arguments and not read its
    // input, and a long output must be read meanwhile.
    let writer = spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Writes an executable file. A separate process writes it: a child started by another
/// test at that moment would inherit a file open for writing here, and the file could
/// not be run ("text file busy") while the child lives.
pub fn write_program(path: &Path, text: impl AsRef<[u8]>) {
    let mut writer = Command::new("sh")
        .args(["-c", r#"cat >"$0" && chmod +x "$0""#])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = writer.stdin.take().unwrap();
    stdin.write_all(text.as_ref()).unwrap();
    drop(stdin);
    assert!(writer.wait().unwrap().success(), "{}", path.display());
}

fn spawn_piped(mut command: Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A running program. It is killed when the value is dropped.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// The lines of its standard error.
    pub errors: Receiver<String>,
}

/// How a program ended.
#[derive(Debug, PartialEq)]
pub struct Ended {
    /// The output lines that were not read yet.
    pub output: Vec<String>,
    pub errors: Vec<String>,
    pub code: Option<i32>,
}

impl Program {
    /// Starts the command.
    pub fn start(command: Command) -> Self {
        let mut child = spawn_piped(command);
        Self {
            input: child.stdin.take(),
            output: lines(child.stdout.take().unwrap()),
            errors: lines(child.stderr.take().unwrap()),
            child,
        }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes raw bytes to the program's standard input.
    pub fn send(&mut self, text: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text).unwrap();
        input.flush().unwrap();
    }

    /// Waits for the next line of the program's standard output.
    pub fn line(&self) -> String {
        self.output.recv_timeout(HANG).expect("the program answers")
    }

    /// Waits until the program ends by itself. Returns its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        let mut status = None;
        wait_until("the program's end", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.and_then(|status| status.code())
    }

    /// Closes the program's input and waits for its end.
    pub fn end(mut self) -> Ended {
        drop(self.input.take());
        Ended {
            output: rest(&self.output),
            errors: rest(&self.errors),
            code: self.wait(),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Fails if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a stream as they come.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    spawn(move || {
        // Read to the end even if the receiver is gone.
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    lines
}

/// The lines up to the end of the stream.
fn rest(lines: &Receiver<String>) -> Vec<String> {
    let next = || match lines.recv_timeout(HANG) {
        Ok(line) => Some(line),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => panic!("the program does not end"),
    };
    std::iter::from_fn(next).collect()
}

/// Waits until something holds.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < HANG, "waited too long for {what}");
        sleep(Duration::from_millis(5));
    }
}
