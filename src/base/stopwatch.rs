//! A clock that skips the time in which this process was stopped: by SIGSTOP or Ctrl-Z, or
//! together with its virtual machine.
//!
//! A stopped referee cannot see when an answer came. So it reads the clock at short
//! intervals and treats a long interval as a pause. A long wait for a processor is not one if
//! the system can tell: otherwise a player could gain time by keeping all processors busy.

use std::time::{Duration, Instant};

use crate::awake_clock::{AwakeClock, awake_by_now};

/// An interval that exceeds its length by this much counts as a pause.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);

/// A running clock, which must be read at short intervals.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    /// The longest time between two readings if the process is not stopped.
    interval: Duration,
    looked: Instant,
    counted: Duration,
    /// Measures how long the thread has been awake, if it is always the same.
    clock: Option<AwakeClock>,
    /// How long it had been awake at the last reading.
    awake: Duration,
}

impl Stopwatch {
    /// Starts a clock. [`Stopwatch::elapsed`] must be called at least this often. Long waits
    /// for a processor do not count.
    pub(crate) fn start(interval: Duration) -> Self {
        Self {
            interval,
            looked: Instant::now(),
            counted: Duration::ZERO,
            clock: None,
            awake: Duration::ZERO,
        }
    }

    /// The same, but waits of this thread for a processor count, if the system measures them.
    /// All readings must be in this thread.
    pub(crate) fn of_this_thread(interval: Duration) -> Self {
        let mut stopwatch = Self::start(interval);
        stopwatch.clock = AwakeClock::of_this_thread();
        stopwatch.awake = awake_by_now(stopwatch.clock.as_ref());
        stopwatch
    }

    /// The time since the start, without pauses. Of an interval with a pause only the
    /// regular length and the time awake count.
    pub(crate) fn elapsed(&mut self) -> Duration {
        let now = Instant::now();
        let awake = awake_by_now(self.clock.as_ref());
        let since = awake.saturating_sub(self.awake);
        self.counted += without_pause(now - self.looked, self.interval, since);
        (self.looked, self.awake) = (now, awake);
        self.counted
    }
}

/// The counted part of the time between two readings; the thread was awake for a part of it.
fn without_pause(between: Duration, interval: Duration, awake: Duration) -> Duration {
    if between < interval + SHORTEST_PAUSE {
        between
    } else {
        between.min(interval + awake)
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    const fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn pauses_do_not_count_but_delays_do() {
        let counted = |between, awake| {
            let [between, interval, awake] = [between, 50, awake].map(milliseconds);
            without_pause(between, interval, awake)
        };
        assert_eq!(counted(0, 0), milliseconds(0));
        assert_eq!(counted(50, 0), milliseconds(50));
        assert_eq!(counted(249, 0), milliseconds(249));
        assert_eq!(counted(250, 0), milliseconds(50));
        assert_eq!(counted(86_400_000, 0), milliseconds(50));
        assert_eq!(counted(1000, 950), milliseconds(1000));
        assert_eq!(counted(1000, 5000), milliseconds(1000));
        assert_eq!(counted(1000, 300), milliseconds(350));
    }

    #[test]
    fn a_long_time_without_a_reading_is_a_pause() {
        let mut stopwatch = Stopwatch::start(milliseconds(10));
        let mut of_thread = Stopwatch::of_this_thread(milliseconds(10));
        sleep(milliseconds(300));
        assert_eq!(stopwatch.elapsed(), milliseconds(10));
        let slept = of_thread.elapsed();
        assert!(slept < milliseconds(200), "{slept:?}");
        let before = Instant::now();
        let elapsed = stopwatch.elapsed();
        assert!(elapsed <= milliseconds(10) + before.elapsed() + SHORTEST_PAUSE);
    }

    #[test]
    fn a_busy_thread_makes_no_pause() {
        let mut stopwatch = Stopwatch::of_this_thread(milliseconds(10));
        let begin = Instant::now();
        while begin.elapsed() < milliseconds(400) {
            std::hint::spin_loop();
        }
        if stopwatch.clock.is_some() {
            // The system updates its counters at most one tick late.
            assert!(stopwatch.elapsed() > milliseconds(350));
        }
    }
}
