//! How long a thread has run or waited for a processor, as the system counts it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Reads how long a thread has run or waited for a processor.
#[derive(Debug)]
pub(crate) struct AwakeClock(File);

impl AwakeClock {
    /// The clock of the calling thread; `None` if the system has none.
    pub(crate) fn of_this_thread() -> Option<Self> {
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

/// How long the thread of a clock has run or waited for a processor so far; zero without one.
pub(crate) fn awake_by_now(clock: Option<&AwakeClock>) -> Duration {
    clock.and_then(AwakeClock::read).unwrap_or_default()
}

/// Parses the time awake from a `schedstat` file.
fn awake_time(text: &str) -> Option<Duration> {
    let mut numbers = text.split_whitespace().map(str::parse);
    let (running, waiting): (u64, u64) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(Duration::from_nanos(running.saturating_add(waiting)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_and_waiting_for_a_processor_are_time_awake() {
        let time = awake_time("154527 2580325 2\n");
        assert_eq!(time, Some(Duration::from_nanos(154_527 + 2_580_325)));
        assert_eq!(awake_time(""), None);
        assert_eq!(awake_time("5 x"), None);
    }
}
