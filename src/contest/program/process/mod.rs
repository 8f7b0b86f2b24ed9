//! A running player program: asks it questions and judges when and how it answers.
//!
//! The program is not trusted. Every question has a deadline, and dropping the value kills
//! the process with all its children. The time of an answer runs from sending the question to
//! reading its closing bracket, without the time in which the referee itself was stopped.

use std::path::PathBuf;
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::command::PlayerCommand;
use super::evidence::Evidence;
use super::harm_watch::WatchedPlayer;
use super::kill::{exit_of, kill_tree};
use super::open_watch::OpenWatch;
use super::output_hint::{self, OutputHint};
use super::pipes::{self, open_pipes};
use super::process_list::{MARK, is_stopped};
use super::process_settings::ProcessSettings;
use super::start_error::has_windows_line;
use super::stderr_log::StderrLog;
use super::streams::{PlayerStreams, ReadOutcome};
use super::supervisor;
use super::suspects::{name_suspects, suspects};
use super::termination::{Exit, Termination};
use super::time_limit::TimeLimit;
use crate::protocol::TIME_VARIABLE;
use crate::protocol::stream::{BadInput, InputFault};
use crate::stopwatch::Stopwatch;

/// The interval between checks of the process, the stop flag and the time.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The time for a process to exit after it closed its output. If it exits in time, it
/// crashed; otherwise it only closed its output.
const CLOSING: Duration = Duration::from_secs(3);

/// How long to wait for an answer after closing the input of a silent player. An answer that
/// comes then was stuck in a buffer, or the player was waiting for the end of its input. Also how
/// long to wait for a second value after an illegal one.
const LAST_WAIT: Duration = Duration::from_millis(200);

/// Why the previous answer, sent again, is no answer.
const REPEATED: &str = "it sent its previous answer again";

/// An answer in time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedAnswer {
    /// The parsed JSON.
    pub value: Value,
    /// The time from the question to the complete answer.
    pub time: Duration,
}

/// The process of a player program.
pub(super) struct Process {
    child: Child,
    mark: String,
    /// Whether no other player can send it signals.
    is_apart: bool,
    /// Where it runs, for messages; `None` on another machine.
    place: Option<String>,
    /// The file that holds the player.
    file: Option<PathBuf>,
    /// Whether it was found stopped since the last question.
    was_stopped: bool,
    /// Whether its pipes were opened by a name; unused if it is apart.
    pipes: OpenWatch,
    /// Its settings at the start; empty if it is apart.
    settings: ProcessSettings,
    time: TimeLimit,
    streams: PlayerStreams,
    /// The last question, if any.
    asked: Option<Value>,
    /// The last answer, if any.
    answer: Option<Value>,
    /// Whether it equals the answer before.
    repeats: bool,
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    /// [`Termination::CouldNotStart`] or [`Termination::Shortage`], or
    /// [`Termination::Interrupted`] by `stop`.
    pub(super) fn start(
        name: &str,
        command: &PlayerCommand,
        time: TimeLimit,
        log: StderrLog,
        stop: &AtomicBool,
    ) -> Result<Self, Termination> {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", std::process::id());
        let seconds = time.announced.map(|time| time.as_secs_f64().to_string());
        let mut variables = vec![(MARK, mark.as_str())];
        variables.extend(seconds.as_deref().map(|seconds| (TIME_VARIABLE, seconds)));
        let mut child = command.start(name, &variables, stop)?;
        let Some((stdin, stdout, stderr)) = open_pipes(&mut child) else {
            end(&mut child, &mark);
            return Err(Termination::CouldNotStart {
                reason: "its pipes cannot be made non-blocking".into(),
            });
        };
        let is_apart = command.is_apart();
        let player = WatchedPlayer {
            name: name.to_string(),
            is_apart,
        };
        supervisor::name(child.id(), player);
        Ok(Self {
            is_apart,
            place: command.place(),
            file: command.file(),
            was_stopped: false,
            pipes: match is_apart {
                true => OpenWatch::default(),
                false => pipes::watch([&stdin, &stdout]),
            },
            settings: match is_apart {
                true => ProcessSettings::default(),
                false => ProcessSettings::of(child.id()),
            },
            child,
            mark,
            time,
            streams: PlayerStreams::new(stdin, stdout, stderr, log),
            asked: None,
            answer: None,
            repeats: false,
        })
    }

    /// Writes the question and waits for the answer to it.
    ///
    /// # Errors
    /// The ending caused by the player's failure to answer, or by `stop`.
    pub(super) fn ask(
        &mut self,
        question: &Value,
        stop: &AtomicBool,
    ) -> Result<TimedAnswer, Termination> {
        self.was_stopped = false;
        let answer = self.ask_once(question, stop);
        match &answer {
            Ok(answer) => {
                self.repeats = self.answer.as_ref() == Some(&answer.value);
                self.answer = Some(answer.value.clone());
            }
            // What it wrote there may explain the fault.
            Err(_) => self.streams.read_stderr(),
        }
        answer.map_err(|ending| {
            if self.is_apart {
                return ending;
            }
            let running = || supervisor::others(self.child.id());
            name_suspects(ending, self.was_stopped, running)
        })
    }

    fn ask_once(
        &mut self,
        question: &Value,
        stop: &AtomicBool,
    ) -> Result<TimedAnswer, Termination> {
        let grace = self.time.grace;
        let limit = self.time.limit_for(self.answer.is_none());
        self.refuse_early_output()?;
        self.asked = Some(question.clone());
        // Start before the write: the player may run before it returns.
        let mut stopwatch = Stopwatch::of_this_thread(CHECK_INTERVAL);
        let mut last_check = Instant::now();
        self.streams.send(question);
        loop {
            let waited = stopwatch.elapsed();
            if stop.load(Ordering::Relaxed) {
                return Err(Termination::Interrupted);
            }
            let left = (limit + grace).saturating_sub(waited);
            if left.is_zero() {
                return Err(self.too_late(limit, waited));
            }
            if self.streams.wait(left.min(CHECK_INTERVAL)) {
                if let Some(value) = self.read()? {
                    return self.in_time(value, stopwatch.elapsed(), limit);
                }
            } else if last_check.elapsed() >= CHECK_INTERVAL {
                last_check = Instant::now();
                self.was_stopped |= !self.is_apart && is_stopped(self.child.id());
                if let Some(exit) = self.exit() {
                    self.streams.read_stderr();
                    // It may have answered after the wait and then ended.
                    return match self.read()? {
                        Some(value) => self.in_time(value, stopwatch.elapsed(), limit),
                        None => Err(self.crashed(exit)),
                    };
                }
            }
        }
    }

    /// The ending after the last answer was found illegal for this reason. The value may also be
    /// the previous answer, sent again, or output before the answer.
    pub(super) fn illegal(&mut self, reason: String) -> Termination {
        let (reason, hint) = if self.repeats {
            (REPEATED, output_hint::ONE_ANSWER)
        } else if self.streams.has_more(LAST_WAIT) {
            ("it wrote more than one value", output_hint::REMARKS)
        } else {
            return Termination::IllegalBoard { reason };
        };
        Termination::NotJson {
            reason: reason.into(),
            hint: Some(hint),
        }
    }

    /// Whether the process can be used for another game: it runs, and has written no more
    /// than its answers.
    pub(super) fn is_fit(&mut self) -> bool {
        self.exit().is_none() && self.streams.is_sent() && self.refuse_early_output().is_ok()
    }

    /// The last question, and the output since.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence {
            question: self.asked.clone(),
            output: String::from_utf8_lossy(self.streams.received()).into_owned(),
            stderr: self.annotated_stderr(),
        }
    }

    /// The end of the standard error, where the process looked for a missing file, and what may
    /// have been done to it.
    fn annotated_stderr(&self) -> String {
        let mut words = self.streams.stderr_tail();
        if let Some(place) = &self.place
            && words.lines().any(misses_file_of_folder)
        {
            words += &format!("\nsantorini: {place}");
        }
        for done in self.done_to_it() {
            let running = suspects(&supervisor::others(self.child.id()));
            words += &format!("\nsantorini: its {done}, by itself or another process{running}");
        }
        words
    }

    /// What was done to the process, by itself or another, since the last call.
    fn done_to_it(&self) -> Vec<String> {
        let changes = self.settings.changes(&ProcessSettings::of(self.child.id()));
        let changes = changes.iter().map(ToString::to_string);
        let is_open = !self.pipes.opened().is_empty();
        let opened = is_open.then(|| "pipes were opened in /proc".to_string());
        opened.into_iter().chain(changes).collect()
    }

    /// How the process ended, if it has.
    fn exit(&mut self) -> Option<Exit> {
        exit_of(&mut self.child)
    }

    /// Reads once from the standard output. Returns the answer once it is complete.
    fn read(&mut self) -> Result<Option<Value>, Termination> {
        match self.streams.read() {
            ReadOutcome::Nothing => Ok(None),
            ReadOutcome::Value(value) => Ok(Some(value)),
            ReadOutcome::Bad(error) => Err(self.not_json(&error)),
            ReadOutcome::Closed => Err(self.closed()),
        }
    }

    /// Fails if the process has written anything unasked.
    fn refuse_early_output(&mut self) -> Result<(), Termination> {
        if self.streams.is_quiet() {
            return Ok(());
        }
        let (reason, hint) = match self.asked {
            None => (
                "it wrote output before the first question",
                output_hint::of_unasked(self.streams.received())
                    .unwrap_or(output_hint::NO_QUESTION),
            ),
            Some(_) => {
                let more = self.streams.after_answer();
                let is_repeated = self.answer.is_some() && output_hint::first(more) == self.answer;
                (
                    match is_repeated {
                        true => REPEATED,
                        false => "it wrote more than its answer",
                    },
                    output_hint::of_unasked(more).unwrap_or(output_hint::ONE_ANSWER),
                )
            }
        };
        Err(Termination::NotJson {
            reason: reason.into(),
            hint: Some(hint),
        })
    }

    /// The ending after the standard output was closed.
    fn closed(&mut self) -> Termination {
        let end = Instant::now() + CLOSING;
        loop {
            self.streams.read_stderr();
            if let Some(exit) = self.exit() {
                self.streams.read_stderr();
                return self.crashed(exit);
            }
            if Instant::now() > end {
                return Termination::ClosedOutput;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The ending after the process ended.
    fn crashed(&self, exit: Exit) -> Termination {
        let hint = match exit {
            Exit::Code(0) => Some(output_hint::KEEP_READING),
            // `env` did not find the interpreter.
            Exit::Code(127) if self.file.as_deref().is_some_and(has_windows_line) => {
                Some(output_hint::WINDOWS_LINE)
            }
            _ => None,
        };
        Termination::Crashed { exit, hint }
    }

    /// The ending after no complete answer came in time.
    fn too_late(&mut self, limit: Duration, waited: Duration) -> Termination {
        let limit = limit.as_secs_f64();
        if self.streams.is_between() {
            Termination::Stalled {
                limit,
                waited: waited.as_secs_f64(),
                hint: self.hint_of_silence(),
            }
        } else {
            Termination::TimeOut {
                limit,
                answered: None,
                hint: match output_hint::lacks_brackets(self.streams.received()) {
                    true => Some(output_hint::BRACKET),
                    false => self.hint_of_start(),
                },
            }
        }
    }

    /// Closes the input, and watches for a moment what the player does then.
    fn hint_of_silence(&mut self) -> OutputHint {
        self.streams.read_stderr();
        if self.streams.is_input_closed() {
            return Some(output_hint::INPUT);
        }
        self.streams.close();
        let end = Instant::now() + LAST_WAIT;
        while Instant::now() < end && !self.streams.is_full() {
            self.streams.keep_more();
            if output_hint::is_answer(self.streams.received()) {
                return Some(output_hint::FLUSH);
            }
            if let Some(Exit::Code(_)) = self.exit() {
                return Some(output_hint::READING);
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.hint_of_start()
    }

    fn hint_of_start(&self) -> OutputHint {
        self.answer.is_none().then_some(output_hint::START)
    }

    /// The answer, or a time-out if it is late.
    fn in_time(
        &self,
        value: Value,
        time: Duration,
        limit: Duration,
    ) -> Result<TimedAnswer, Termination> {
        if time <= limit {
            Ok(TimedAnswer { value, time })
        } else {
            Err(Termination::TimeOut {
                limit: limit.as_secs_f64(),
                answered: Some(time.as_secs_f64()),
                hint: self.hint_of_start(),
            })
        }
    }

    /// The ending for invalid JSON, or a value that is too large. Only the column is shown: the
    /// line counts from the start of all output, while the column is mostly that of the answer.
    fn not_json(&self, error: &BadInput) -> Termination {
        let fault = error.fault.to_string();
        let reason = match error.fault {
            InputFault::TooLong | InputFault::TooDeep | InputFault::TooManyParts => fault,
            _ => {
                let fault = fault.strip_prefix("not JSON: ").unwrap_or(&fault);
                format!("column {}: {fault}", error.at.column)
            }
        };
        Termination::NotJson {
            reason,
            hint: output_hint::of_output(self.streams.received(), &error.fault),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.streams.read_stderr();
        end(&mut self.child, &self.mark);
    }
}

/// Whether a line of the standard error reports that a file with a relative path is missing. Lines
/// of `env` do not count: there the file is an interpreter.
fn misses_file_of_folder(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let writer = words.next().unwrap_or_default();
    let is_absolute = |word: &str| {
        let name = word.trim_start_matches(|c: char| !c.is_alphanumeric() && !"/.~".contains(c));
        name.starts_with('/')
    };
    line.to_lowercase().contains("no such file")
        && !writer.ends_with("env:")
        && !words.any(is_absolute)
}

/// Kills a player's process and everything that it started.
fn end(child: &mut Child, mark: &str) {
    kill_tree(child, mark);
    supervisor::ended(child.id());
}

#[cfg(test)]
mod tests;
