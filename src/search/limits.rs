//! When a search ends: limits on time, depth and nodes, and a stop flag.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::score::MAX_PLY;

/// What a search may use. Without any limit it goes on until it is stopped,
/// the outcome is proved, or the greatest depth is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The search ends at once after this time.
    pub time: Option<Duration>,
    /// Whether it may end earlier, where more search would hardly change the
    /// turn.
    pub may_end_early: bool,
    /// The last depth to complete, in plies.
    pub depth: Option<u32>,
    /// The most positions to visit.
    pub nodes: Option<u64>,
}

impl Limits {
    /// Limits for an answer within `time`, of which what is not used is lost.
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            may_end_early: true,
            ..Self::default()
        }
    }

    /// A search to a fixed depth.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// About how many nodes so many threads may search, if the limits tell.
    pub fn expected_nodes(&self, threads: usize) -> Option<u64> {
        let in_time = |time: Duration| (time.as_secs_f64() * NODES_A_SECOND) as u64;
        let limits = [self.nodes, self.time.map(in_time)];
        let least = limits.into_iter().flatten().min()?;
        Some(least.saturating_mul(threads as u64))
    }

    /// Whether nothing but time says how many nodes a search has.
    pub const fn is_only_by_time(&self) -> bool {
        self.time.is_some() && self.nodes.is_none()
    }

    /// A search of a fixed number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }
}

/// More nodes than a thread searches in a second.
const NODES_A_SECOND: f64 = 8e6;

/// How many nodes are searched between two looks at the clock: well under a
/// millisecond.
const CHECK_INTERVAL: u64 = 1024;

/// The running clock of one search.
#[derive(Debug)]
pub struct Clock<'a> {
    limits: Limits,
    start: Instant,
    stop: &'a AtomicBool,
    finished: AtomicBool,
    /// The nodes of all threads, up to the last look at the clock of each.
    nodes: AtomicU64,
}

impl<'a> Clock<'a> {
    /// Starts the clock now.
    pub fn start(limits: Limits, stop: &'a AtomicBool) -> Self {
        Self {
            limits,
            start: Instant::now(),
            stop,
            finished: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    /// Ends the search on all threads.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The deepest iteration allowed.
    pub fn max_depth(&self) -> u32 {
        self.limits
            .depth
            .unwrap_or(u32::MAX)
            .min(MAX_PLY as u32 - 1)
    }

    /// About how many nodes all threads have searched: each may have searched
    /// [`CHECK_INTERVAL`] more.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Whether the search must end now, asked after each node of a thread.
    /// Most calls only compare numbers.
    pub fn is_over(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit)
            || nodes.is_multiple_of(CHECK_INTERVAL) && self.look()
    }

    /// Counts the nodes since the last look; whether time is over.
    fn look(&self) -> bool {
        self.nodes.fetch_add(CHECK_INTERVAL, Ordering::Relaxed);
        self.stop.load(Ordering::Relaxed)
            || self.finished.load(Ordering::Relaxed)
            || self.limits.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Whether an early end is welcome.
    pub fn saves_time(&self) -> bool {
        self.limits.may_end_early
    }

    /// Whether an early end is welcome and this share of the time is over.
    pub fn is_share_over(&self, share: f64) -> bool {
        let is_over = |time: Duration| self.elapsed() >= time.mul_f64(share);
        self.saves_time() && self.limits.time.is_some_and(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_nodes_or_time_tell_how_many_nodes_to_expect() {
        assert_eq!(Limits::nodes(100).expected_nodes(2), Some(200));
        assert_eq!(Limits::depth(3).expected_nodes(2), None);
        let time = Limits::time(Duration::from_millis(100));
        assert_eq!(time.expected_nodes(1), Some(800_000));
        let both = Limits {
            nodes: Some(5),
            ..time
        };
        assert_eq!(both.expected_nodes(1), Some(5));
    }
}
