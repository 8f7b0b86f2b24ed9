//! The move overhead: the part of the time for an answer that is kept back.
//!
//! Between the referee's clock and the player's lie a pipe to the player, the
//! sleep until the answer is due, and a pipe back: three times somebody waits
//! for the scheduler. On a machine with other things to do each wait may take
//! many milliseconds. How long is seen in the player's own sleeps, so it wakes
//! up now and then while it thinks.

use std::time::Duration;

/// What is kept back at least when nothing else is said: this part of the time,
/// and this much more, for what the player cannot see.
const SHARE: f64 = 0.1;
const LEAST: Duration = Duration::from_millis(10);
/// But no more than this part of the time, if the player is not seen to need it.
const MOST_UNSEEN: f64 = 0.7;
/// And never more than this: a late answer loses the game, but so does a bad one.
const MOST: f64 = 0.9;

/// The longest that the player sleeps at a stretch.
pub const NAP: Duration = Duration::from_millis(5);

/// The waits for the scheduler between a question and its answer.
const WAITS: usize = 3;

/// How the time for an answer is divided.
#[derive(Clone, Debug)]
pub struct Overhead {
    /// The time for an answer, from the question to the answer.
    time: Duration,
    /// What the options say; then what is seen does not count.
    said: Option<Duration>,
    wakeups: Wakeups,
}

impl Overhead {
    /// With so much time for an answer, of which `said` is kept back, or, if
    /// that is nothing, what is seen to be needed.
    pub fn new(time: Duration, said: Option<Duration>) -> Self {
        let wakeups = Wakeups::default();
        Self {
            time,
            said,
            wakeups,
        }
    }

    /// Takes note of how much later than wanted a sleep has ended.
    pub fn woke_up_late(&mut self, by: Duration) {
        self.wakeups.add(by);
    }

    /// How long to think for an answer.
    pub fn thinking_time(&self) -> Duration {
        let unseen = |kept: Duration| kept.min(self.time.mul_f64(MOST_UNSEEN));
        let seen = || self.wakeups.worst::<WAITS>().min(self.time.mul_f64(MOST));
        let kept = match self.said {
            Some(said) => unseen(said),
            None => unseen(self.time.mul_f64(SHARE) + LEAST).max(seen()),
        };
        self.time - kept
    }
}

/// By how much the latest wake-ups were late.
#[derive(Clone, Debug)]
struct Wakeups {
    late: [Duration; Self::COUNT],
    /// The place of the oldest one.
    oldest: usize,
}

impl Default for Wakeups {
    fn default() -> Self {
        Self {
            late: [Duration::ZERO; Self::COUNT],
            oldest: 0,
        }
    }
}

impl Wakeups {
    /// How many are remembered: enough to have seen what happens once in some hundred
    /// times, and forgotten after five seconds on an idle machine.
    const COUNT: usize = 1024;

    fn add(&mut self, late: Duration) {
        self.late[self.oldest] = late;
        self.oldest = (self.oldest + 1) % Self::COUNT;
    }

    /// By how much as many waits together are late if each is one of the worst.
    fn worst<const WAITS: usize>(&self) -> Duration {
        // In descending order.
        let mut worst = [Duration::ZERO; WAITS];
        for &late in &self.late {
            let place = worst.iter().position(|&worse| late > worse);
            if let Some(place) = place {
                worst[place..].rotate_right(1);
                worst[place] = late;
            }
        }
        worst.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn thinking_time(time: u64, said: Option<u64>) -> Duration {
        Overhead::new(milliseconds(time), said.map(milliseconds)).thinking_time()
    }

    #[test]
    fn some_time_is_kept_back_but_never_all() {
        assert_eq!(thinking_time(2000, None), milliseconds(1790));
        assert_eq!(thinking_time(10, None), milliseconds(3));
        assert_eq!(thinking_time(250, Some(3)), milliseconds(247));
        assert_eq!(thinking_time(250, Some(0)), milliseconds(250));
        assert_eq!(thinking_time(100, Some(400)), milliseconds(30));
    }

    #[test]
    fn on_an_idle_machine_no_more_is_kept_back() {
        let mut overhead = Overhead::new(milliseconds(100), None);
        for _ in 0..1000 {
            overhead.woke_up_late(Duration::from_micros(100));
            assert_eq!(overhead.thinking_time(), milliseconds(80));
        }
    }

    #[test]
    fn a_busy_machine_is_noticed_soon_and_its_peace_too() {
        let mut overhead = Overhead::new(milliseconds(500), None);
        for late in [40, 5, 30, 0, 20, 10] {
            overhead.woke_up_late(milliseconds(late));
        }
        assert_eq!(overhead.thinking_time(), milliseconds(500 - 40 - 30 - 20));
        overhead.woke_up_late(milliseconds(10_000));
        assert_eq!(overhead.thinking_time(), milliseconds(50), "never all");
        for _ in 0..Wakeups::COUNT {
            overhead.woke_up_late(milliseconds(0));
        }
        assert_eq!(overhead.thinking_time(), milliseconds(440));
    }

    #[test]
    fn what_is_said_to_be_kept_back_is_kept_back() {
        let mut overhead = Overhead::new(milliseconds(500), Some(milliseconds(3)));
        overhead.woke_up_late(milliseconds(100));
        assert_eq!(overhead.thinking_time(), milliseconds(497));
    }
}
