//! The queries that wait for an engine, by priority, and the stop flags of all open queries.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::query::Query;
use crate::mutex::MutexExt as _;

/// The maximum number of waiting queries; the reader of the input waits for room.
const MOST_WAITING: usize = 10_000;

/// A queue of queries for several engines.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// By priority, then by number: higher priorities come first, then earlier queries.
    waiting: BTreeMap<(Reverse<i64>, u64), Waiting>,
    /// The stop flags of the queries that wait or are being answered, by id.
    stops: HashMap<String, Arc<AtomicBool>>,
    /// The number of queries added.
    added: u64,
    ended: bool,
    interrupted: bool,
}

/// A query with the flag that stops it.
pub(super) struct Waiting {
    pub query: Query,
    pub stop: Arc<AtomicBool>,
}

impl Queue {
    /// Adds a query, once there is room. Returns false if its id is in use.
    pub(super) fn add(&self, query: Query) -> bool {
        let mut state = self.state.locked();
        while state.waiting.len() >= MOST_WAITING {
            state = self.wait(state);
        }
        let id = query.id.to_string();
        if state.stops.contains_key(&id) {
            return false;
        }
        let stop = Arc::new(AtomicBool::new(false));
        state.stops.insert(id, stop.clone());
        state.added += 1;
        let key = (Reverse(query.priority), state.added);
        state.waiting.insert(key, Waiting { query, stop });
        self.changed.notify_all();
        true
    }

    /// Stops the query with this id, if it has no answer yet.
    pub(super) fn stop(&self, id: &Value) {
        if let Some(stop) = self.state.locked().stops.get(&id.to_string()) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// No more queries will be added.
    pub(super) fn end(&self) {
        self.state.locked().ended = true;
        self.changed.notify_all();
    }

    /// Stops the queries that are being answered, and gives out no more.
    pub(super) fn interrupt(&self) {
        let mut state = self.state.locked();
        state.interrupted = true;
        let stops = state.stops.values();
        stops.for_each(|stop| stop.store(true, Ordering::Relaxed));
        self.changed.notify_all();
    }

    /// Whether [`Self::interrupt`] was called.
    pub(super) fn is_interrupted(&self) -> bool {
        self.state.locked().interrupted
    }

    /// Waits for the next query; `None` once all are taken and no more will come.
    pub(super) fn next(&self) -> Option<Waiting> {
        let mut state = self.state.locked();
        loop {
            if state.interrupted {
                return None;
            }
            if let Some((_, next)) = state.waiting.pop_first() {
                self.changed.notify_all();
                return Some(next);
            }
            if state.ended {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Forgets the query with this id, which has been answered.
    pub(super) fn done(&self, id: &Value) {
        self.state.locked().stops.remove(&id.to_string());
    }

    /// The number of queries without an answer.
    pub(super) fn unanswered(&self) -> usize {
        self.state.locked().stops.len()
    }

    /// Waits for a change.
    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let changed = self.changed.wait(state);
        changed.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::search::Limits;

    fn query(id: u64, priority: i64) -> Query {
        let board = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
        Query {
            id: json!(id),
            position: board.parse().unwrap(),
            limits: Limits::depth(1),
            lines: 1,
            priority,
            every: None,
        }
    }

    #[test]
    fn urgent_queries_come_first_then_early_ones() {
        let queue = Queue::default();
        for (id, priority) in [(1, 0), (2, 5), (3, 0), (4, -1), (5, 5)] {
            assert!(queue.add(query(id, priority)));
        }
        assert!(!queue.add(query(3, 9)), "the id is in use");
        queue.stop(&json!(4));
        queue.stop(&json!(6));
        queue.end();
        let mut order = Vec::new();
        while let Some(next) = queue.next() {
            assert_eq!(next.stop.load(Ordering::Relaxed), next.query.id == json!(4));
            queue.done(&next.query.id);
            order.push(next.query.id);
        }
        assert_eq!(order, [2, 5, 1, 3, 4].map(|id| json!(id)));
        assert_eq!(queue.unanswered(), 0);
    }

    #[test]
    fn an_interruption_stops_open_queries_and_gives_out_no_more() {
        let queue = Queue::default();
        assert!(queue.add(query(1, 0)) && queue.add(query(2, 0)));
        let open = queue.next().unwrap();
        queue.interrupt();
        assert!(open.stop.load(Ordering::Relaxed) && queue.is_interrupted());
        assert!(queue.next().is_none());
        queue.done(&open.query.id);
        assert_eq!(queue.unanswered(), 1);
    }
}
