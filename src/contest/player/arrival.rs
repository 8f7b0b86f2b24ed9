//! When a question may have arrived.
//!
//! A question waits in the pipe while the program starts, and until the scheduler runs the
//! woken thread: 0.1 s or more on a busy machine. The referee's clock runs all the while.
//! The system counts how long a thread has run or waited for a processor, and a question
//! cannot have waited longer than that.

use std::time::{Duration, Instant};

use crate::awake_clock::{AwakeClock, awake_by_now};

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
