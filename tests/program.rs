//! Runs the real program: once on some input, or interactively.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{LazyLock, Once};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

pub use nix::sys::signal::Signal;
use nix::sys::signal::{SigHandler, kill, signal as set_action};
use nix::unistd::Pid;

/// The path of the program.
pub const SANTORINI: &str = env!("CARGO_BIN_EXE_santorini");

/// Much longer than anything here takes, even on a busy machine. A longer wait is a hang.
pub const HANG: Duration = Duration::from_secs(600);

/// The command of the program with these arguments.
pub fn santorini(arguments: &[&str]) -> Command {
    use_default_signals();
    let mut command = Command::new(SANTORINI);
    // No progress lines, however slow the machine is.
    command.args(arguments).env("SANTORINI_PROGRESS", "3600");
    command
}

/// Makes Ctrl-C and SIGTERM reach the programs of the tests, even if the tests run in the
/// background of a script, where both are ignored. SIGHUP is left as it is: under `nohup` it
/// would end the tests. [`use_default_hangup`] is for those that send it.
pub fn use_default_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for stop in [Signal::SIGINT, Signal::SIGTERM] {
            // SAFETY: the default action runs no code of this process.
            unsafe { set_action(stop, SigHandler::SigDfl) }.unwrap();
        }
    });
}

/// Makes SIGHUP reach the program of this command, even under `nohup`.
pub fn use_default_hangup(command: &mut Command) {
    // SAFETY: setting an action is safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            set_action(Signal::SIGHUP, SigHandler::SigDfl)?;
            Ok(())
        })
    };
}

/// The command of the program in this folder, with arguments as in a shell and no input.
pub fn santorini_in(folder: &Path, words: &str) -> Command {
    let mut command = santorini(&[]);
    command.args(shlex::split(words).unwrap());
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// The command of the player with `seconds` for an answer.
pub fn player(seconds: &str) -> Command {
    let mut command = santorini(&[]);
    command.env("SANTORINI_TIME", seconds);
    command
}

/// Runs the program with this input to its end.
pub fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = spawn_piped(santorini(arguments));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    // A program that refuses its arguments does not read its input, and a long output
    // must be read meanwhile.
    let writer = spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// The standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The standard error as text, without the line on what players lack of isolation here.
pub fn errors(output: &Output) -> String {
    without_shortage(String::from_utf8(output.stderr.clone()).unwrap())
}

/// The line in which commands say that this machine does not isolate players completely. In
/// many containers it does not.
static SHORTAGE: LazyLock<Option<String>> = LazyLock::new(|| {
    let output = santorini(&["referee", "/nowhere/a", "/nowhere/b"]).output();
    let said = String::from_utf8(output.unwrap().stderr).unwrap();
    let mut lines = said.lines().filter(|line| line.contains(" isolated "));
    lines.next().map(|line| format!("{line}\n"))
});

/// A text without that line.
pub fn without_shortage(text: String) -> String {
    match &*SHORTAGE {
        Some(line) => text.replace(line, ""),
        None => text,
    }
}

/// The standard output of a run that must succeed.
pub fn success(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    stdout(output)
}

/// Runs the program to its end, with arguments as in a shell and no input.
pub fn run_words(words: &str) -> Output {
    santorini_in(Path::new("."), words).output().unwrap()
}

/// Writes an executable file. Another process writes it: a file that this process has
/// open for writing is also open in a child that another test starts at that time, and
/// then it cannot be executed ("text file busy").
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
    /// The remaining lines of its output.
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

    /// Skips to the line of its standard error that contains this text.
    pub fn notice(&self, text: &str) -> String {
        let end = Instant::now() + HANG;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.errors.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no line with {text:?}"));
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Waits for the program to exit. Returns its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        let mut status = None;
        wait_until("the program's end", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.and_then(|status| status.code())
    }

    /// Closes the program's input and waits for it to exit.
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
        // It has exited already, or is killed now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a stream as they arrive, without the one on isolation.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    spawn(move || {
        // Reads to the end even if the lines are not used.
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if SHORTAGE.as_ref().is_none_or(|it| it.trim_end() != line) {
                let _ = send.send(line);
            }
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

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < HANG, "waited too long for {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process.
pub fn signal(process: u32, signal: Signal) {
    kill(Pid::from_raw(process as i32), signal).unwrap();
}

/// The memory of a process in KiB: `VmRSS:` is the current use, `VmHWM:` the peak. `None`
/// if the system does not report it.
pub fn memory(process: u32, key: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let number = status.lines().find_map(|line| line.strip_prefix(key))?;
    number.split_whitespace().next()?.parse().ok()
}
