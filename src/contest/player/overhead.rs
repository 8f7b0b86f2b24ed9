//! The move overhead: the part of the time for an answer that is not used to search.
//!
//! Between the referee's clock and the player's lie the pipe to the player, the sleep
//! until the answer is due, and the pipe back: three waits for the scheduler. On a busy
//! machine each may take many milliseconds. The player measures them by how late its own
//! sleeps end, so it wakes up now and then while the engine searches.

use std::time::Duration;

/// The default overhead: this share of the time plus this constant, for delays that the
/// player cannot see.
const SHARE: f64 = 0.1;
const LEAST: Duration = Duration::from_millis(10);
/// The maximum share of the time, unless measured delays need more.
const MOST_UNSEEN: f64 = 0.7;
/// The maximum share in any case: a late answer loses the game, but so does a bad one.
const MOST: f64 = 0.9;

/// The longest single sleep of the player.
pub(super) const NAP: Duration = Duration::from_millis(5);

/// The number of waits for the scheduler between a question and its answer.
const WAITS: usize = 3;

/// The number of wake-ups kept: enough to have seen delays that occur once in a few
/// hundred wake-ups, and replaced within five seconds on an idle machine.
const WAKEUPS: usize = 1024;

/// Divides the time for an answer into search time and overhead.
#[derive(Clone, Debug)]
pub(super) struct Overhead {
    /// The time for an answer, from question to answer.
    time: Duration,
    /// The overhead set by the options. If set, measured delays are ignored.
    fixed: Option<Duration>,
    /// How late the most recent wake-ups were.
    late: [Duration; WAKEUPS],
    /// The index of the oldest of them.
    oldest: usize,
}

impl Overhead {
    /// Divides `time`, with a `fixed` overhead or, without one, a measured one.
    pub(super) fn new(time: Duration, fixed: Option<Duration>) -> Self {
        Self {
            time,
            fixed,
            late: [Duration::ZERO; WAKEUPS],
            oldest: 0,
        }
    }

    /// Records by how much a sleep ended late.
    pub(super) fn woke_up_late(&mut self, by: Duration) {
        self.late[self.oldest] = by;
        self.oldest = (self.oldest + 1) % WAKEUPS;
    }

    /// The time to search.
    pub(super) fn thinking_time(&self) -> Duration {
        let unseen = |kept: Duration| kept.min(self.time.mul_f64(MOST_UNSEEN));
        let seen = || self.worst_delay().min(self.time.mul_f64(MOST));
        let kept = match self.fixed {
            Some(fixed) => unseen(fixed),
            None => unseen(self.time.mul_f64(SHARE) + LEAST).max(seen()),
        };
        self.time - kept
    }

    /// The sum of the [`WAITS`] worst delays.
    fn worst_delay(&self) -> Duration {
        let mut late = self.late;
        let worst = WAKEUPS - WAITS;
        late.select_nth_unstable(worst);
        late[worst..].iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn thinking_time(time: u64, fixed: Option<u64>) -> Duration {
        Overhead::new(milliseconds(time), fixed.map(milliseconds)).thinking_time()
    }

    #[test]
    fn the_overhead_is_never_the_whole_time() {
        assert_eq!(thinking_time(2000, None), milliseconds(1790));
        assert_eq!(thinking_time(10, None), milliseconds(3));
        assert_eq!(thinking_time(250, Some(3)), milliseconds(247));
        assert_eq!(thinking_time(250, Some(0)), milliseconds(250));
        assert_eq!(thinking_time(100, Some(400)), milliseconds(30));
    }

    #[test]
    fn an_idle_machine_adds_no_overhead() {
        let mut overhead = Overhead::new(milliseconds(100), None);
        for _ in 0..1000 {
            overhead.woke_up_late(Duration::from_micros(100));
            assert_eq!(overhead.thinking_time(), milliseconds(80));
        }
    }

    #[test]
    fn the_overhead_follows_how_busy_the_machine_is() {
        let mut overhead = Overhead::new(milliseconds(500), None);
        for late in [40, 5, 30, 0, 20, 10] {
            overhead.woke_up_late(milliseconds(late));
        }
        assert_eq!(overhead.thinking_time(), milliseconds(500 - 40 - 30 - 20));
        overhead.woke_up_late(milliseconds(10_000));
        assert_eq!(overhead.thinking_time(), milliseconds(50), "never all");
        for _ in 0..WAKEUPS {
            overhead.woke_up_late(milliseconds(0));
        }
        assert_eq!(overhead.thinking_time(), milliseconds(440));
    }

    #[test]
    fn a_fixed_overhead_ignores_late_wakeups() {
        let mut overhead = Overhead::new(milliseconds(500), Some(milliseconds(3)));
        overhead.woke_up_late(milliseconds(100));
        assert_eq!(overhead.thinking_time(), milliseconds(497));
    }
}
