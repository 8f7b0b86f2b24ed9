//! A running player program: asked in JSON, answering in JSON, and never
//! trusted to do either.
//!
//! Every read and write has a deadline (the pipes never block), what is read
//! is bounded, and a process is gone with all its children when its value is
//! dropped. How long an answer took is counted from the moment its question
//! was sent until its closing bracket was read, without the time in which the referee
//! itself was stopped.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use serde_json::Value;

use super::command::PlayerCommand;
use super::evidence::Evidence;
use super::kill::{exit_of, kill_tree};
use super::processes::MARK;
use super::stderr_log::StderrLog;
use super::supervisor;
use super::termination::{Exit, Termination};
use super::time_limit::TimeLimit;
use crate::protocol::TIME_VARIABLE;
use crate::protocol::stream::{BadInput, Framer};
use crate::stopwatch::Stopwatch;

/// How much of an answer is kept to show what was wrong with it, in bytes.
const KEPT_OUTPUT: usize = 4096;

/// How often the process, the stop flag and the time are checked.
const LOOK: Duration = Duration::from_millis(50);

/// How long a process that has closed its output may take to end; one that
/// ends in this time has crashed rather than closed its output.
const CLOSING: Duration = Duration::from_secs(1);

/// How many reads of nothing but white space are taken before a question.
const MOST_EARLY_READS: usize = 16;

/// An answer in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub value: Value,
    pub time: Duration,
}

/// The process of a player program.
pub(super) struct Process {
    child: Child,
    mark: String,
    time: TimeLimit,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    framer: Framer,
    /// The last question, if there was one.
    asked: Option<Value>,
    unsent: Vec<u8>,
    /// The beginning of what came since then.
    received: Vec<u8>,
    log: StderrLog,
    buffer: Box<[u8; 1 << 16]>,
}

/// Which of the process's pipes can be used without waiting.
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    /// [`Termination::CouldNotStart`].
    pub(super) fn start(
        command: &PlayerCommand,
        time: TimeLimit,
        log: StderrLog,
    ) -> Result<Self, Termination> {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", std::process::id());
        let told = time.told.map(|told| told.as_secs_f64().to_string());
        let mut variables = vec![(MARK, mark.as_str())];
        variables.extend(told.as_deref().map(|told| (TIME_VARIABLE, told)));
        let mut child = command.start(&variables)?;
        let Some((stdin, stdout, stderr)) = pipes(&mut child) else {
            end(&mut child, &mark);
            return Err(Termination::CouldNotStart {
                reason: "its pipes cannot be used without waiting".into(),
            });
        };
        Ok(Self {
            child,
            mark,
            time,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            framer: Framer::new(),
            asked: None,
            unsent: Vec::new(),
            received: Vec::new(),
            log,
            buffer: Box::new([0; 1 << 16]),
        })
    }

    /// Writes the question and waits for the answer to it.
    ///
    /// # Errors
    /// The ending that the player's failure to answer, or `stop`, leads to.
    pub(super) fn ask(
        &mut self,
        question: &Value,
        stop: &AtomicBool,
    ) -> Result<Answer, Termination> {
        let TimeLimit { limit, grace, .. } = self.time;
        self.refuse_early_output()?;
        self.received.clear();
        self.asked = Some(question.clone());
        self.unsent
            .extend_from_slice(question.to_string().as_bytes());
        self.unsent.push(b'\n');
        // Before the write: the player may run before it returns.
        let mut stopwatch = Stopwatch::start(LOOK);
        let mut looked = Instant::now();
        self.write();
        loop {
            let waited = stopwatch.elapsed();
            if stop.load(Ordering::Relaxed) {
                return Err(Termination::Interrupted);
            }
            let left = (limit + grace).saturating_sub(waited);
            if left.is_zero() {
                return Err(self.too_late(limit, waited));
            }
            let ready = self.wait(left.min(LOOK));
            if ready.stderr {
                self.read_stderr();
            }
            if ready.stdin {
                self.write();
            }
            if ready.stdout {
                if let Some(value) = self.read_stdout()? {
                    return in_time(value, stopwatch.elapsed(), limit);
                }
            } else if looked.elapsed() >= LOOK {
                looked = Instant::now();
                if let Some(exit) = self.exit() {
                    self.read_stderr();
                    // It may have answered after the wait and then ended.
                    return match self.read_stdout()? {
                        Some(value) => in_time(value, stopwatch.elapsed(), limit),
                        None => Err(Termination::Crashed { exit }),
                    };
                }
            }
        }
    }

    /// Whether the process can be asked again in another game: it runs, and
    /// it has written no more than its answers.
    pub(super) fn is_fit(&mut self) -> bool {
        self.exit().is_none() && self.unsent.is_empty() && self.refuse_early_output().is_ok()
    }

    /// The last question, and what the process has written since.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence {
            question: self.asked.clone(),
            output: String::from_utf8_lossy(&self.received).into_owned(),
            stderr: self.last_words(),
        }
    }

    /// The end of what the process has written to its standard error.
    pub(super) fn last_words(&self) -> String {
        self.log.tail()
    }

    /// How the process ended, if it has.
    fn exit(&mut self) -> Option<Exit> {
        exit_of(&mut self.child)
    }

    /// Waits until one of the pipes can be used, or the time has passed.
    fn wait(&self, time: Duration) -> Ready {
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let fds = [
            Some((self.stdout.as_fd(), PollFlags::POLLIN)),
            self.stderr
                .as_ref()
                .map(|fd| (fd.as_fd(), PollFlags::POLLIN)),
            stdin.map(|fd| (fd.as_fd(), PollFlags::POLLOUT)),
        ];
        let mut polled: Vec<PollFd> = fds
            .iter()
            .flatten()
            .map(|&(fd, flags)| PollFd::new(fd, flags))
            .collect();
        // Rounded up, so that the last part of a millisecond is no busy loop.
        let timeout = PollTimeout::try_from(time + Duration::from_micros(999));
        // An error (a signal came) leaves nothing ready; the caller asks again.
        let _ = poll(&mut polled, timeout.unwrap_or(PollTimeout::MAX));
        let mut polled = polled.iter();
        let [stdout, stderr, stdin] = fds.map(|fd| {
            fd.and_then(|_| polled.next())
                .is_some_and(|fd| fd.any().unwrap_or(false))
        });
        Ready {
            stdin,
            stdout,
            stderr,
        }
    }

    /// Writes what the pipe takes of the questions not sent yet.
    fn write(&mut self) {
        let Some(stdin) = &mut self.stdin else {
            return;
        };
        while !self.unsent.is_empty() {
            match stdin.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // The process has closed its input. What that means is seen
                // from its output.
                Err(_) => {
                    self.stdin = None;
                    self.unsent.clear();
                    return;
                }
            }
        }
    }

    /// Reads once from the standard output; the answer, if it is whole now.
    fn read_stdout(&mut self) -> Result<Option<Value>, Termination> {
        match self.stdout.read(&mut self.buffer[..]) {
            Ok(0) => Err(self.closed()),
            Ok(count) => {
                self.receive(count);
                match self.framer.take() {
                    None => Ok(None),
                    Some(Ok(framed)) => Ok(Some(framed.value)),
                    Some(Err(error)) => Err(not_json(&error)),
                }
            }
            Err(error) if is_passing(&error) => Ok(None),
            Err(_) => Err(self.closed()),
        }
    }

    /// Reads once from the standard error.
    fn read_stderr(&mut self) {
        let Some(stderr) = &mut self.stderr else {
            return;
        };
        match stderr.read(&mut self.buffer[..]) {
            Ok(0) => self.stderr = None,
            Ok(count) => self.log.push(&self.buffer[..count]),
            Err(error) if is_passing(&error) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// Makes sure that nothing has been written that nobody asked for.
    fn refuse_early_output(&mut self) -> Result<(), Termination> {
        for _ in 0..MOST_EARLY_READS {
            if self.framer.take().is_some() || !self.framer.is_between() {
                break;
            }
            match self.stdout.read(&mut self.buffer[..]) {
                // Where the output has been closed, the next question tells.
                Ok(0) | Err(_) => return Ok(()),
                Ok(count) => self.receive(count),
            }
        }
        let reason = match self.asked {
            None => "it wrote something before it was asked",
            Some(_) => "it wrote more than its answer",
        };
        Err(Termination::NotJson {
            reason: reason.into(),
        })
    }

    /// Takes the bytes that were read into the buffer.
    fn receive(&mut self, count: usize) {
        let bytes = &self.buffer[..count];
        let room = KEPT_OUTPUT.saturating_sub(self.received.len());
        self.received.extend_from_slice(&bytes[..count.min(room)]);
        self.framer.push(bytes);
    }

    /// What it means that the standard output was closed.
    fn closed(&mut self) -> Termination {
        let end = Instant::now() + CLOSING;
        loop {
            self.read_stderr();
            if let Some(exit) = self.exit() {
                self.read_stderr();
                return Termination::Crashed { exit };
            }
            if Instant::now() > end {
                return Termination::ClosedOutput;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// What it means that no whole answer has come.
    fn too_late(&self, limit: Duration, waited: Duration) -> Termination {
        let limit = limit.as_secs_f64();
        if self.framer.is_between() {
            Termination::Stalled {
                limit,
                waited: waited.as_secs_f64(),
            }
        } else {
            Termination::TimeOut {
                limit,
                answered: None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.read_stderr();
        end(&mut self.child, &self.mark);
    }
}

/// Kills a player's process with everything it started.
fn end(child: &mut Child, mark: &str) {
    kill_tree(child, mark);
    supervisor::ended(child.id());
}

/// The answer, if it came in the time allowed.
fn in_time(value: Value, time: Duration, limit: Duration) -> Result<Answer, Termination> {
    if time <= limit {
        Ok(Answer { value, time })
    } else {
        Err(Termination::TimeOut {
            limit: limit.as_secs_f64(),
            answered: Some(time.as_secs_f64()),
        })
    }
}

/// The child's three pipes, made so that no use of them ever waits.
fn pipes(child: &mut Child) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
    let stdin = child.stdin.take()?;
    let stdout = child.stdout.take()?;
    let stderr = child.stderr.take()?;
    for pipe in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
        never_block(pipe).ok()?;
    }
    Some((stdin, stdout, stderr))
}

fn never_block(pipe: BorrowedFd) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(pipe, FcntlArg::F_GETFL)?);
    fcntl(pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

/// Whether a read or write failed only for now.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock)
}

/// What is wrong with an answer that is no value. Its line is one of the whole output of
/// the player, which nobody sees; its column is one of the answer, mostly.
fn not_json(error: &BadInput) -> Termination {
    let fault = error.fault.to_string();
    let fault = fault.strip_prefix("not JSON: ").unwrap_or(&fault);
    Termination::NotJson {
        reason: format!("column {}: {fault}", error.at.column),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(command: &str) -> Process {
        let time = TimeLimit::untold(Duration::from_secs(600));
        let log = StderrLog::new("A", None);
        Process::start(&command.parse().unwrap(), time, log).unwrap()
    }

    fn ask(
        process: &mut Process,
        question: &Value,
        milliseconds: u64,
    ) -> Result<Answer, Termination> {
        process.time = TimeLimit {
            told: None,
            limit: Duration::from_millis(milliseconds),
            grace: Duration::from_millis(milliseconds / 4),
        };
        process.ask(question, &AtomicBool::new(false))
    }

    /// A value of more bytes than a pipe holds.
    fn long_value() -> Value {
        vec![7; 300_000].into()
    }

    #[test]
    fn a_question_longer_than_the_pipe_is_written_while_the_answer_is_read() {
        let mut cat = start("cat");
        for _ in 0..3 {
            let answer = ask(&mut cat, &long_value(), 60_000).unwrap();
            assert_eq!(answer.value, long_value());
        }
        assert!(cat.is_fit());
    }

    #[test]
    fn a_question_that_is_never_read_does_not_hold_up_the_referee() {
        let mut deaf = start("sleep 1000");
        let ending = ask(&mut deaf, &long_value(), 200).unwrap_err();
        assert_eq!(ending.kind(), crate::record::Ending::Stalled);
        assert!(!deaf.is_fit());
    }

    #[test]
    fn the_time_is_that_from_question_to_answer() {
        let mut slow = start("sh -c 'sleep 0.1; read x; sleep 0.2; echo [; sleep 0.2; echo ]'");
        let answer = ask(&mut slow, &Value::Null, 60_000).unwrap();
        assert!(answer.time >= Duration::from_millis(400), "{answer:?}");
    }

    #[test]
    fn an_answer_counts_though_the_process_ends_with_it() {
        for _ in 0..20 {
            let mut brief = start("sh -c 'read x; echo []'");
            assert!(ask(&mut brief, &Value::Null, 60_000).is_ok());
            let ending = ask(&mut brief, &Value::Null, 60_000).unwrap_err();
            let exit = Exit::Code(0);
            assert_eq!(ending, Termination::Crashed { exit });
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_number_of_an_ended_leader_is_kept_until_its_group_is_killed() {
        use nix::sys::signal::kill;
        use nix::unistd::Pid;

        let mut script = start("sh -c 'read x; sleep 1000 & exit 3'");
        let leader = Pid::from_raw(script.child.id() as i32);
        let ending = ask(&mut script, &Value::Null, 60_000).unwrap_err();
        let exit = Exit::Code(3);
        assert_eq!(ending, Termination::Crashed { exit });
        // It can be asked again, and still stands in the system's list.
        assert_eq!(script.exit(), Some(exit));
        assert_eq!(kill(leader, None), Ok(()));
        drop(script);
        assert_eq!(kill(leader, None), Err(nix::errno::Errno::ESRCH));
        let mut killed = start("sh -c 'kill -9 $$'");
        let ending = ask(&mut killed, &Value::Null, 60_000).unwrap_err();
        let exit = Exit::Signal(9);
        assert_eq!(ending, Termination::Crashed { exit });
    }

    #[test]
    fn a_process_is_fit_for_more_only_with_nothing_left_to_read() {
        let mut neat = start("sh -c 'read x; echo []; read x'");
        ask(&mut neat, &Value::Null, 60_000).unwrap();
        assert!(neat.is_fit());
        let mut chatty = start("sh -c 'read x; printf [][; read x'");
        ask(&mut chatty, &Value::Null, 60_000).unwrap();
        assert!(!chatty.is_fit());
    }

    #[test]
    fn stop_ends_a_question_at_once() {
        let mut silent = start("sleep 1000");
        let stop = AtomicBool::new(true);
        let ending = silent.ask(&Value::Null, &stop).unwrap_err();
        assert_eq!(ending, Termination::Interrupted);
    }
}
