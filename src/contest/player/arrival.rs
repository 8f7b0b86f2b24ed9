//! When a question may have arrived.
//!
//! A question waits in the pipe while the program starts, and until the scheduler runs the
//! woken thread: 0.1 s or more on a busy machine. The referee's clock runs all the while.
//! The system counts how long a thread has run or waited for a processor, and a question
//! cannot have waited longer than that.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// Tracks the earliest time at which each question may have arrived.
pub(super) struct Arrivals {
    /// Measures how long the reading thread has been awake; `None` if the system cannot.
    clock: Option<AwakeClock>,
    /// When the thread became free for the next question.
    free: Moment,
}

/// A time, and how long the thread had been awake by then.
#[derive(Clone, Copy)]
struct Moment {
    at: Instant,
    awake: Duration,
}

impl Arrivals {
    /// Starts tracking. With `from_start` the first question may have arrived when this
    /// thread started, otherwise it arrives from now on.
    pub(super) fn new(from_start: bool) -> Self {
        let clock = AwakeClock::of_this_thread();
        let mut free = Moment::now(clock.as_ref());
        if from_start {
            free.at = free.at.checked_sub(free.awake).unwrap_or(free.at);
            free.awake = Duration::ZERO;
        }
        Self { clock, free }
    }

    /// The earliest time at which the question just read may have arrived.
    pub(super) fn earliest(&self) -> Instant {
        // In this order, because the thread may be interrupted in between.
        let now = Instant::now();
        let awake = awake_by_now(self.clock.as_ref()).saturating_sub(self.free.awake);
        let arrival = now.checked_sub(awake).unwrap_or(now);
        arrival.max(self.free.at)
    }

    /// Records that an answer was sent: the next question may arrive from now on.
    pub(super) fn answered(&mut self) {
        self.free = Moment::now(self.clock.as_ref());
    }
}

impl Moment {
    fn now(clock: Option<&AwakeClock>) -> Self {
        Self {
            awake: awake_by_now(clock),
            at: Instant::now(),
        }
    }
}

fn awake_by_now(clock: Option<&AwakeClock>) -> Duration {
    clock.and_then(AwakeClock::read).unwrap_or_default()
}

/// Reads how long a thread has run or waited for a processor.
struct AwakeClock(File);

impl AwakeClock {
    fn of_this_thread() -> Option<Self> {
        // Linux: nanoseconds on a processor, nanoseconds waiting for one, number of time
        // slices.
        File::open("/proc/thread-self/schedstat").ok().map(Self)
    }

    fn read(&self) -> Option<Duration> {
        let mut bytes = [0; 80];
        let length = self.0.read_at(&mut bytes, 0).ok()?;
        awake_time(std::str::from_utf8(&bytes[..length]).ok()?)
    }
}

/// Parses the time awake from a `schedstat` file.
fn awake_time(text: &str) -> Option<Duration> {
    let mut numbers = text.split_whitespace().map(str::parse);
    let (running, waiting): (u64, u64) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(Duration::from_nanos(running.saturating_add(waiting)))
}

#[cfg(test)]
mod tests {
    use std::thread::{sleep, spawn};

    use super::*;

    const NAP: Duration = Duration::from_millis(50);

    fn work() {
        let begin = Instant::now();
        while begin.elapsed() < NAP {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn running_and_waiting_for_a_processor_are_time_awake() {
        let time = awake_time("154527 2580325 2\n");
        assert_eq!(time, Some(Duration::from_nanos(154_527 + 2_580_325)));
        assert_eq!(awake_time(""), None);
        assert_eq!(awake_time("5 x"), None);
    }

    #[test]
    fn a_question_may_have_waited_while_the_thread_was_busy() {
        let mut arrivals = Arrivals::new(false);
        if arrivals.clock.is_none() {
            return;
        }
        arrivals.answered();
        let free = Instant::now();
        work();
        let arrival = arrivals.earliest();
        // The counters lag by at most one tick of the system.
        assert!(arrival < free + NAP / 2, "{:?}", arrival - free);
    }

    #[test]
    fn a_question_did_not_wait_while_the_thread_slept() {
        let mut arrivals = Arrivals::new(false);
        arrivals.answered();
        let free = Instant::now();
        sleep(2 * NAP);
        assert!(arrivals.earliest() > free + NAP);
    }

    #[test]
    fn the_first_question_may_have_waited_since_the_start() {
        let wait = |from_start| {
            let thread = spawn(move || {
                let begin = Instant::now();
                work();
                let arrivals = Arrivals::new(from_start);
                let is_known = arrivals.clock.is_some();
                (arrivals.earliest().duration_since(begin), is_known)
            });
            thread.join().unwrap()
        };
        let (arrival, is_known) = wait(true);
        assert!(arrival < NAP / 2 || !is_known, "{arrival:?}");
        assert!(wait(false).0 > NAP / 2);
    }
}
