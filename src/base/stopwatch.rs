//! A clock that skips the time in which this process was stopped: by SIGSTOP or Ctrl-Z,
//! together with its virtual machine, or because other processes had the processors.
//!
//! A stopped referee cannot see when an answer came. So it reads the clock at short
//! intervals and treats a long interval as a pause.

use std::time::{Duration, Instant};

/// An interval that exceeds its length by this much counts as a pause.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);

/// A running clock, which must be read at short intervals.
#[derive(Debug, Clone)]
pub(crate) struct Stopwatch {
    /// The longest time between two readings if the process is not stopped.
    interval: Duration,
    looked: Instant,
    counted: Duration,
}

impl Stopwatch {
    /// Starts a clock. [`Stopwatch::elapsed`] must be called at least this often.
    pub(crate) fn start(interval: Duration) -> Self {
        Self {
            interval,
            looked: Instant::now(),
            counted: Duration::ZERO,
        }
    }

    /// The time since the start, without pauses. Of an interval with a pause only the
    /// regular length counts.
    pub(crate) fn elapsed(&mut self) -> Duration {
        let now = Instant::now();
        self.counted += without_pause(now - self.looked, self.interval);
        self.looked = now;
        self.counted
    }
}

/// The counted part of the time between two readings.
fn without_pause(between: Duration, interval: Duration) -> Duration {
    if between < interval + SHORTEST_PAUSE {
        between
    } else {
        interval
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
        let counted = |between| without_pause(milliseconds(between), milliseconds(50));
        assert_eq!(counted(0), milliseconds(0));
        assert_eq!(counted(50), milliseconds(50));
        assert_eq!(counted(249), milliseconds(249));
        assert_eq!(counted(250), milliseconds(50));
        assert_eq!(counted(86_400_000), milliseconds(50));
    }

    #[test]
    fn a_long_time_without_a_reading_is_a_pause() {
        let mut stopwatch = Stopwatch::start(milliseconds(10));
        sleep(milliseconds(300));
        assert_eq!(stopwatch.elapsed(), milliseconds(10));
        let before = Instant::now();
        let elapsed = stopwatch.elapsed();
        assert!(elapsed <= milliseconds(10) + before.elapsed() + SHORTEST_PAUSE);
    }
}
