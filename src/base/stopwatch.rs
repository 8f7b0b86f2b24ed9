//! A clock that does not count the time in which this process was stopped: by SIGSTOP or
//! Ctrl-Z, with a virtual machine, or because others had the processors.
//!
//! The others' time goes on while a referee is stopped, and it cannot see when an answer
//! came. So it looks at the clock at short intervals, and takes a long one for a pause.

use std::time::{Duration, Instant};

/// An interval that is longer by this than it should be holds a pause.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);

/// A running clock. Its time must be looked at again and again.
#[derive(Debug, Clone)]
pub struct Stopwatch {
    /// The longest time between two looks of a process that is not stopped.
    interval: Duration,
    looked: Instant,
    counted: Duration,
}

impl Stopwatch {
    /// A clock that starts now. [`Stopwatch::elapsed`] is called at least this often.
    pub fn start(interval: Duration) -> Self {
        Self {
            interval,
            looked: Instant::now(),
            counted: Duration::ZERO,
        }
    }

    /// The time since the start without the pauses. Of an interval with a pause only the
    /// time between two looks counts.
    pub fn elapsed(&mut self) -> Duration {
        let now = Instant::now();
        self.counted += without_pause(now - self.looked, self.interval);
        self.looked = now;
        self.counted
    }
}

/// How much of the time between two looks counts.
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
    fn a_long_time_without_a_look_is_a_pause() {
        let mut stopwatch = Stopwatch::start(milliseconds(10));
        sleep(milliseconds(300));
        assert_eq!(stopwatch.elapsed(), milliseconds(10));
        let before = Instant::now();
        let elapsed = stopwatch.elapsed();
        assert!(elapsed <= milliseconds(10) + before.elapsed() + SHORTEST_PAUSE);
    }
}
