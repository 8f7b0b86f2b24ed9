//! The server's own latency: a histogram that many tasks add to.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Buckets for each doubling of the time; a bucket is at most 1/8 wide.
const STEPS: usize = 8;

/// Doublings covered: from 8 ns to 2^43 ns, over two hours.
const DOUBLINGS: usize = 40;

/// A histogram of times in nanoseconds, with buckets that grow with the time.
#[derive(Debug)]
pub struct Latency {
    buckets: Vec<AtomicU64>,
}

impl Default for Latency {
    fn default() -> Self {
        Self {
            buckets: (0..STEPS * DOUBLINGS).map(|_| AtomicU64::new(0)).collect(),
        }
    }
}

impl Latency {
    /// Counts one time.
    pub fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.buckets[bucket(nanoseconds)].fetch_add(1, Ordering::Relaxed);
    }

    /// The number of times counted.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|b| b.load(Ordering::Relaxed)).sum()
    }

    /// The quantile of the given share, from 0 to 1, rounded up by at most an eighth;
    /// zero if nothing was counted.
    pub fn quantile(&self, share: f64) -> Duration {
        let wanted = (self.count() as f64 * share).ceil() as u64;
        let mut seen = 0;
        for (index, bucket) in self.buckets.iter().enumerate() {
            seen += bucket.load(Ordering::Relaxed);
            if seen >= wanted && seen > 0 {
                return Duration::from_nanos(upper_end(index));
            }
        }
        Duration::ZERO
    }
}

/// The bucket of a time: its doubling and the three bits after the highest.
fn bucket(nanoseconds: u64) -> usize {
    let value = nanoseconds.max(STEPS as u64);
    let doubling = value.ilog2() as usize - STEPS.ilog2() as usize;
    let step = (value >> doubling) as usize - STEPS;
    (doubling * STEPS + step).min(STEPS * DOUBLINGS - 1)
}

/// The longest time in a bucket.
const fn upper_end(bucket: usize) -> u64 {
    let (doubling, step) = (bucket / STEPS, bucket % STEPS);
    (((STEPS + step + 1) as u64) << doubling) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_have_no_gaps() {
        let mut last = 0;
        for nanoseconds in 0..100_000 {
            let bucket = bucket(nanoseconds);
            assert!(bucket == last || bucket == last + 1);
            assert!(nanoseconds <= upper_end(bucket));
            assert!(upper_end(bucket) as f64 <= nanoseconds.max(8) as f64 * 1.125);
            last = bucket;
        }
        assert_eq!(bucket(u64::MAX), STEPS * DOUBLINGS - 1);
    }

    #[test]
    fn quantiles_of_a_known_set() {
        let latency = Latency::default();
        assert_eq!(latency.quantile(0.99), Duration::ZERO);
        for microseconds in 1..=1000 {
            latency.add(Duration::from_micros(microseconds));
        }
        assert_eq!(latency.count(), 1000);
        for (share, exact) in [(0.5, 500.0), (0.99, 990.0), (1.0, 1000.0)] {
            let found = latency.quantile(share).as_secs_f64() * 1e6;
            assert!((exact..exact * 1.126).contains(&found), "{share}: {found}");
        }
    }
}
