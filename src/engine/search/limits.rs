//! The limits of a search (time, depth, nodes, a stop flag) and its clock.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::score::MAX_PLY;
use crate::clock::Instant;

/// Limits of a search. Without any it runs until it is stopped, the outcome is proved, or the
/// maximum depth is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The hard time limit: the search ends at once.
    pub time: Option<Duration>,
    /// Whether the search may end earlier if its turn is stable (see `time.rs`).
    pub may_end_early: bool,
    /// The last depth to complete, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes of each thread.
    pub nodes: Option<u64>,
}

impl Limits {
    /// A search within `time` that may end early.
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

    /// An upper estimate of the nodes of this many threads. `None` without limits of nodes or
    /// time.
    pub fn expected_nodes(&self, threads: usize) -> Option<u64> {
        let in_time = |time: Duration| (time.as_secs_f64() * NODES_A_SECOND) as u64;
        let limits = [self.nodes, self.time.map(in_time)];
        let min = limits.into_iter().flatten().min()?;
        Some(min.saturating_mul(threads as u64))
    }

    /// Whether time alone limits the number of nodes.
    pub const fn is_only_by_time(&self) -> bool {
        self.time.is_some() && self.nodes.is_none()
    }

    /// A search of this many nodes by each thread.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }
}

/// More nodes than a thread searches in a second.
const NODES_A_SECOND: f64 = 16e6;

/// The nodes between two checks of the clock: well under 0.1 ms.
const CHECK_INTERVAL: u64 = 256;

/// The running clock of one search.
#[derive(Debug)]
pub(super) struct Clock<'a> {
    limits: Limits,
    start: Instant,
    stop: &'a AtomicBool,
    finished: AtomicBool,
    /// The nodes of all threads, each up to its last check of the clock.
    nodes: AtomicU64,
}

impl<'a> Clock<'a> {
    /// Starts the clock now.
    pub(super) fn start(limits: Limits, stop: &'a AtomicBool) -> Self {
        Self {
            limits,
            start: Instant::now(),
            stop,
            finished: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    /// Ends the search on all threads.
    pub(super) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The deepest iteration allowed.
    pub(super) fn max_depth(&self) -> u32 {
        self.limits
            .depth
            .unwrap_or(u32::MAX)
            .min(MAX_PLY as u32 - 1)
    }

    /// The nodes of all threads; each may have searched up to [`CHECK_INTERVAL`]
    /// more.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Whether the search must end now. Called at each node of a thread with its number of
    /// nodes; most calls only compare numbers.
    pub(super) fn is_over(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit)
            || nodes.is_multiple_of(CHECK_INTERVAL) && self.check()
    }

    /// Counts the nodes since the last check; returns whether the search must end.
    fn check(&self) -> bool {
        self.nodes.fetch_add(CHECK_INTERVAL, Ordering::Relaxed);
        self.stop.load(Ordering::Relaxed)
            || self.finished.load(Ordering::Relaxed)
            || self.limits.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Whether time is limited.
    pub(super) fn has_time(&self) -> bool {
        self.limits.time.is_some()
    }

    /// Whether the search may end early.
    pub(super) fn saves_time(&self) -> bool {
        self.limits.may_end_early
    }

    /// Whether the search may end early and this share of the time is used.
    pub(super) fn is_share_over(&self, share: f64) -> bool {
        let is_over = |time: Duration| self.elapsed().as_secs_f64() >= time.as_secs_f64() * share;
        self.saves_time() && self.limits.time.is_some_and(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::NEVER;

    #[test]
    fn no_time_is_too_long() {
        let clock = Clock::start(Limits::time(Duration::MAX), &NEVER);
        assert!(!clock.is_over(CHECK_INTERVAL) && !clock.is_share_over(1.0));
    }

    #[test]
    fn expected_nodes_follow_from_nodes_or_time() {
        assert_eq!(Limits::nodes(100).expected_nodes(2), Some(200));
        assert_eq!(Limits::depth(3).expected_nodes(2), None);
        let time = Limits::time(Duration::from_millis(100));
        assert_eq!(time.expected_nodes(1), Some(1_600_000));
        let both = Limits {
            nodes: Some(5),
            ..time
        };
        assert_eq!(both.expected_nodes(1), Some(5));
    }
}
