//! Pondering: an engine that searches in the opponent's time.
//!
//! It searches the position with the opponent to move until it is needed again. That search
//! has no report: its entries in the transposition table and the histories make the next one
//! faster.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::engine::Engine;
use super::limits::Limits;
use crate::memory;
use crate::mutex::MutexExt as _;
use crate::rules::{Position, Turn};

/// The maximum time of a search: the opponent may never answer.
const LONGEST: Duration = Duration::from_secs(60);

/// An engine that can search on its own thread until it is needed.
pub struct PonderingEngine<const N: usize> {
    engine: Arc<Mutex<Engine<N>>>,
    search: Option<Search>,
}

/// The search in the opponent's time.
struct Search {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl<const N: usize> PonderingEngine<N> {
    /// Starts idle.
    pub fn new(engine: Engine<N>) -> Self {
        Self {
            engine: Arc::new(Mutex::new(engine)),
            search: None,
        }
    }

    /// Ends the search, in about a millisecond, and returns the engine.
    pub fn engine(&mut self) -> MutexGuard<'_, Engine<N>> {
        self.stop();
        self.engine.locked()
    }

    /// Starts to search the position after this turn, unless the game is over.
    pub fn ponder_after(&mut self, position: &Position<N>, turn: Turn) {
        self.stop();
        let next = position.play(turn);
        if !turn.wins() && next.has_turn() {
            self.ponder(next);
        }
    }

    /// Starts to search a position, if the system has a thread and memory for it.
    fn ponder(&mut self, position: Position<N>) {
        if !memory::is_left(memory::STACK + memory::SPARE) {
            return;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (engine, is_over) = (Arc::clone(&self.engine), Arc::clone(&stop));
        let search = move || {
            // Without an early end: an only reply leaves no doubt about it, but the position
            // after it is the next one to search.
            let limits = Limits {
                time: Some(LONGEST),
                ..Limits::default()
            };
            engine
                .locked()
                .search(&position, &limits, &is_over, &mut |_| {});
        };
        let thread = thread::Builder::new().spawn(search).ok();
        self.search = thread.map(|thread| Search { stop, thread });
    }

    fn stop(&mut self) {
        if let Some(Search { stop, thread }) = self.search.take() {
            stop.store(true, Ordering::Relaxed);
            // A panic of the thread has already been printed.
            let _ = thread.join();
        }
    }
}

impl<const N: usize> Drop for PonderingEngine<N> {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Instant;

    use super::super::engine::EngineOptions;
    use super::*;

    fn engine() -> Engine<5> {
        Engine::new(EngineOptions {
            hash_mib: 16,
            ..EngineOptions::default()
        })
    }

    #[test]
    fn the_opponents_position_is_searched_until_needed() {
        let start: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let limits = Limits::depth(7);
        let mut pondering = PonderingEngine::new(engine());
        let turn = pondering.engine().best(&start, &limits).turn().unwrap();
        let key = start.play(turn).key();
        let depth = |pondering: &mut PonderingEngine<5>| {
            let entry = pondering.engine().table.get(key, 0);
            entry.map(|entry| entry.depth)
        };
        let (before, begin) = (depth(&mut pondering), Instant::now());
        let is_in_time = || begin.elapsed() < LONGEST / 2;
        while depth(&mut pondering) <= before && is_in_time() {
            pondering.ponder_after(&start, turn);
            sleep(Duration::from_millis(100));
        }
        assert!(is_in_time(), "no search, or it did not stop");
    }

    #[test]
    fn an_only_reply_does_not_end_the_search() {
        let board = "01200/21300/21100/12201/00001 b4e4 b3b5 20";
        let start: Position<5> = board.parse().unwrap();
        let has_only_reply = |&turn: &Turn| {
            let next = start.play(turn);
            let lasts = |&reply: &Turn| !next.play(reply).has_win();
            !next.has_win() && next.turns().iter().filter(|reply| lasts(reply)).count() == 1
        };
        let turns = start.turns();
        let turn = *turns.iter().find(|turn| has_only_reply(turn)).unwrap();
        let key = start.play(turn).key();
        let mut pondering = PonderingEngine::new(engine());
        let begin = Instant::now();
        while pondering
            .engine()
            .table
            .get(key, 0)
            .is_none_or(|entry| entry.depth <= 2)
        {
            assert!(begin.elapsed() < LONGEST / 2, "the search ends at depth 1");
            pondering.ponder_after(&start, turn);
            sleep(Duration::from_millis(100));
        }
    }

    #[test]
    fn a_finished_game_is_not_searched() {
        let mut pondering = PonderingEngine::new(engine());
        let mut ponders_after = |board: &str, turn: &str| {
            let position: Position<5> = board.parse().unwrap();
            let mut turns = position.turns().into_iter();
            let turn = turns.find(|found| found.text::<5>().to_string() == turn);
            pondering.ponder_after(&position, turn.unwrap());
            pondering.search.is_some()
        };
        let open = "00000/01200/00320/00000/00000 c2d4 a1a5 6";
        assert!(ponders_after(open, "c2-b2+a2"));
        assert!(!ponders_after(open, "c2-c3#"));
        let nearly_walled_in = "00100/33300/00000/00000/00000 d3e5 a1b1 10";
        assert!(ponders_after(nearly_walled_in, "d3-d2+d1"));
        assert!(!ponders_after(nearly_walled_in, "d3-d2+c1"));
    }
}
