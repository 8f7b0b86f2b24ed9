//! Progress of a long task on standard error: a bar on a terminal, elsewhere a line from
//! time to time.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::output::say;
use crate::mutex::MutexExt as _;

/// The time until the first line.
const FIRST: Duration = Duration::from_secs(15);

/// The maximum time between two lines.
const LONGEST: Duration = Duration::from_secs(60);

/// The environment variable for the seconds between two lines, for tests. With 0 every
/// step writes a line.
const INTERVAL_VARIABLE: &str = "SANTORINI_PROGRESS";

/// Shows the progress of a task until dropped.
///
/// A separate thread redraws the bar every second and writes the lines, even while a
/// single step takes minutes.
pub(super) struct Progress {
    shown: Arc<Shown>,
    /// Dropping it ends the thread.
    _alive: Sender<()>,
}

/// Shared by the thread and the task.
struct Shown {
    bar: ProgressBar,
    begun: Arc<AtomicU64>,
    pace: Pace,
    /// When the next line is due.
    due: Mutex<Instant>,
}

impl Progress {
    /// Progress of a task with this number of steps, or `None` if it is unknown. `unit`
    /// is the plural noun for a step, or the name of a task without steps.
    ///
    /// While the number is 0 no line is written: the task has not begun.
    pub(super) fn new(steps: impl Into<Option<u64>>, unit: impl Into<Cow<'static, str>>) -> Self {
        let pace = Pace::of_environment();
        let shown = Arc::new(Shown {
            bar: ProgressBar::no_length().with_prefix(unit),
            begun: Arc::default(),
            pace,
            due: Mutex::new(Instant::now() + pace.first),
        });
        shown.set_style(false);
        if let Some(steps) = steps.into() {
            shown.set_steps(steps);
        }
        let (alive, ended) = channel();
        // For tests: with an interval of 0 the first line is due now.
        shown.step();
        let ticking = shown.clone();
        // If there is no thread, the steps write the lines.
        let _ = Builder::new().spawn(move || {
            let second = Duration::from_secs(1);
            while ended.recv_timeout(second) == Err(RecvTimeoutError::Timeout) {
                ticking.tick();
            }
        });
        Self {
            shown,
            _alive: alive,
        }
    }

    /// Sets the steps done in an earlier run. The estimate of the time left ignores them.
    pub(super) fn set_begun(&self, done: u64) {
        self.shown.begun.store(done, Ordering::Relaxed);
        self.shown.bar.set_position(done);
    }

    /// Begins the next part of the task.
    pub(super) fn begin_part(&self, steps: u64, unit: &'static str) {
        self.shown.bar.reset();
        self.shown.bar.set_prefix(unit);
        self.shown.set_steps(steps);
        self.set_begun(0);
    }

    /// Sets the number of steps, once it is known.
    pub(super) fn set_steps(&self, steps: u64) {
        self.shown.set_steps(steps);
    }

    /// Sets the number of steps done.
    pub(super) fn set(&self, done: u64) {
        self.shown.bar.set_position(done);
        self.shown.step();
    }

    /// Sets the steps done and the number of all steps. The steps done at the first call
    /// count as done in an earlier run.
    pub(super) fn set_of(&self, done: u64, steps: u64) {
        if self.shown.bar.length().is_none() {
            self.set_begun(done);
        }
        self.set_steps(steps);
        self.set(done);
    }

    /// Sets the number of steps done and a text on the state of the task.
    pub(super) fn set_with(&self, done: u64, state: String) {
        self.shown.bar.set_message(state);
        self.set(done);
    }

    /// Adds a step done.
    pub(super) fn inc(&self) {
        self.shown.bar.inc(1);
        self.shown.step();
    }

    /// The unit of the current part of the task.
    pub(super) fn unit(&self) -> String {
        self.shown.bar.prefix()
    }

    /// Hides the bar while `write` runs.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.shown.bar.suspend(write)
    }

    /// Removes the bar; no more lines are written.
    pub(super) fn finish(&self) {
        self.shown.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Shown {
    fn set_steps(&self, steps: u64) {
        let had_steps = self.bar.length().is_some_and(|steps| steps > 0);
        self.bar.set_length(steps);
        if had_steps != (steps > 0) {
            self.set_style(steps > 0);
        }
    }

    /// Sets the layout of the bar, with or without a known number of steps.
    fn set_style(&self, has_steps: bool) {
        let template = match has_steps {
            true => "{elapsed} {wide_bar} {pos}/{len} {prefix}{left}  {msg}",
            false => "{elapsed} {count}{prefix}  {msg}",
        };
        let begun = self.begun.clone();
        let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let snapshot = Snapshot {
                begun: begun.load(Ordering::Relaxed),
                done: state.pos(),
                steps: state.len(),
                elapsed: state.elapsed(),
            };
            if let Some(left) = snapshot.left() {
                let _ = write!(out, ", {:#} left", HumanDuration(left));
            }
        };
        let count = |state: &ProgressState, out: &mut dyn fmt::Write| {
            if state.pos() > 0 {
                let _ = write!(out, "{} ", state.pos());
            }
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let style = style.with_key("count", count);
            self.bar.set_style(style.with_key("left", left));
        }
    }

    /// Redraws the bar, or writes a line if one is due.
    fn tick(&self) {
        match self.bar.is_hidden() {
            true => self.step(),
            false if self.bar.is_finished() => {}
            false => self.bar.tick(),
        }
    }

    /// Writes a line if there is no bar and one is due.
    fn step(&self) {
        let is_silent = self.bar.is_finished() || self.bar.length() == Some(0);
        if !self.bar.is_hidden() || is_silent {
            return;
        }
        let mut due = self.due.locked();
        let now = Instant::now();
        if now < *due {
            return;
        }
        let elapsed = self.bar.elapsed();
        *due = now + self.pace.next(elapsed);
        let snapshot = Snapshot {
            begun: self.begun.load(Ordering::Relaxed),
            done: self.bar.position(),
            steps: self.bar.length(),
            elapsed,
        };
        say(&snapshot.line(&self.bar.prefix(), &self.bar.message()));
    }
}

/// The time between two lines.
#[derive(Clone, Copy)]
struct Pace {
    first: Duration,
    longest: Duration,
}

impl Pace {
    fn of_environment() -> Self {
        let given = std::env::var(INTERVAL_VARIABLE).ok();
        let given = given.and_then(|text| text.parse().ok());
        let every = given.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Self {
            first: every.unwrap_or(FIRST),
            longest: every.unwrap_or(LONGEST),
        }
    }

    /// The time until the next line: as long as the task has taken so far.
    fn next(self, elapsed: Duration) -> Duration {
        elapsed.clamp(self.first, self.longest)
    }
}

/// The state of a task.
struct Snapshot {
    /// The steps done before this run, all steps done, and the total if known.
    begun: u64,
    done: u64,
    steps: Option<u64>,
    elapsed: Duration,
}

impl Snapshot {
    /// The estimated time left, from the mean time for a step; `None` if unknown.
    fn left(&self) -> Option<Duration> {
        let made = self.done.checked_sub(self.begun).filter(|&made| made > 0)?;
        let rest = self.steps?.saturating_sub(self.done);
        let seconds = self.elapsed.as_secs_f64() / made as f64 * rest as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// A line for a log.
    fn line(&self, unit: &str, state: &str) -> String {
        let mut line = match (self.done, self.steps) {
            (done, Some(steps)) => format!("{done} of {steps} {unit}"),
            (0, None) => unit.to_string(),
            (done, None) => format!("{done} {unit}"),
        };
        let _ = write!(line, ", {} so far", HumanDuration(self.elapsed));
        if let Some(left) = self.left() {
            let _ = write!(line, ", {} left", HumanDuration(left));
        }
        if !state.is_empty() {
            let _ = write!(line, ": {state}");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_line_tells_what_is_done_and_the_time_left() {
        let mut now = Snapshot {
            begun: 0,
            done: 30,
            steps: Some(90),
            elapsed: 5 * MINUTE,
        };
        let line = |now: &Snapshot, state| now.line("games", state);
        assert_eq!(
            line(&now, "20-10"),
            "30 of 90 games, 5 minutes so far, 10 minutes left: 20-10"
        );
        // Steps of an earlier run took no time in this one.
        now.begun = 20;
        assert_eq!(
            line(&now, ""),
            "30 of 90 games, 5 minutes so far, 30 minutes left"
        );
        now.begun = 30;
        assert_eq!(line(&now, ""), "30 of 90 games, 5 minutes so far");
        now.steps = None;
        assert_eq!(line(&now, ""), "30 games, 5 minutes so far");
        now.done = 0;
        assert_eq!(line(&now, ""), "games, 5 minutes so far");
    }

    #[test]
    fn no_number_of_steps_breaks_the_time_left() {
        for (done, steps) in [(1, u64::MAX), (u64::MAX, 1), (0, 0), (7, 7)] {
            let snapshot = Snapshot {
                begun: 0,
                done,
                steps: Some(steps),
                elapsed: 60 * MINUTE,
            };
            assert!(snapshot.line("records", "").contains(" so far"));
        }
    }

    #[test]
    fn lines_come_at_least_every_minute() {
        let pace = Pace {
            first: FIRST,
            longest: LONGEST,
        };
        let mut times = vec![pace.first.as_secs()];
        while times.len() < 6 {
            let last = *times.last().unwrap();
            times.push(last + pace.next(Duration::from_secs(last)).as_secs());
        }
        assert_eq!(times, [15, 30, 60, 120, 180, 240]);
    }
}
