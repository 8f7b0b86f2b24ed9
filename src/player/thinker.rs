//! The engine on a thread of its own, asked for an answer by a deadline.
//!
//! On a loaded machine a thread that computes is late to see that its time is
//! over: it has used up its share of the processor and must wait for the
//! next. A thread that sleeps until the deadline is woken on time. So the
//! engine searches on one thread and tells each improvement, and the player
//! sleeps on another and takes the last one told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::rules::{Bitboard, Geometry, Position, Square, Turn};
use crate::rules::{Placement, Setup};
use crate::search::{Engine, EngineOptions, Limits, Report};

/// The part of the time until the deadline that the engine is not given, and
/// the most of it, so that on an idle machine it ends by itself.
const MARGIN_SHARE: f64 = 0.03;
const MARGIN: Duration = Duration::from_millis(2);

/// As much as the main thread usually has, in bytes.
const STACK: usize = 8 << 20;

/// An engine on a thread of its own.
pub struct Thinker {
    options: EngineOptions,
    /// The nodes to search for a turn, if not what the time allows.
    nodes: Option<u64>,
    jobs: Sender<Job>,
}

/// Something to think about within `time`, or until `stop` is set.
struct Job {
    question: Question,
    time: Duration,
    stop: Arc<AtomicBool>,
}

/// What to think about, and where to tell the best answer so far. Closing the
/// channel says that it is final.
enum Question {
    Place(Setup, Sender<Placement>),
    Play(Position<5>, Sender<Option<Turn>>),
}

impl Thinker {
    /// Starts the thread. If there can be none, questions get the answers
    /// that need no search.
    pub fn new(options: EngineOptions, nodes: Option<u64>) -> Self {
        let (jobs, queue) = channel();
        let thread = thread::Builder::new().stack_size(STACK);
        let _ = thread.spawn(move || work(options, nodes, &queue));
        Self {
            options,
            nodes,
            jobs,
        }
    }

    /// Where to place the workers, by the deadline.
    pub fn place(&mut self, setup: Setup, deadline: Instant) -> Placement {
        let (tell, told) = channel();
        let placement = self.ask(Question::Place(setup, tell), &told, deadline);
        placement.unwrap_or_else(|| first_free(&setup))
    }

    /// The turn to play, by the deadline; `None` if there is none.
    pub fn turn(&mut self, position: Position<5>, deadline: Instant) -> Option<Turn> {
        if !position.has_turn() {
            return None;
        }
        let (tell, told) = channel();
        let turn = self.ask(Question::Play(position, tell), &told, deadline);
        turn.flatten().or_else(|| position.turns().first().copied())
    }

    /// The last answer told before the deadline, or the final one; `None` if
    /// the machine was too busy to find any.
    fn ask<T>(&mut self, question: Question, told: &Receiver<T>, deadline: Instant) -> Option<T> {
        let stop = Arc::new(AtomicBool::new(false));
        let left = deadline.saturating_duration_since(Instant::now());
        let job = Job {
            question,
            time: left - left.mul_f64(MARGIN_SHARE).min(MARGIN),
            stop: Arc::clone(&stop),
        };
        if let Err(SendError(job)) = self.jobs.send(job) {
            // A bug has ended the thread, and it has said so. The game goes on.
            *self = Self::new(self.options, self.nodes);
            let _ = self.jobs.send(job);
        }
        let mut best = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match told.recv_timeout(left) {
                Ok(answer) => best = Some(answer),
                Err(RecvTimeoutError::Disconnected) => return best,
                Err(RecvTimeoutError::Timeout) => {
                    stop.store(true, Ordering::Relaxed);
                    return best;
                }
            }
        }
    }
}

/// The thread: does one job after the other until nobody can ask any more.
fn work(options: EngineOptions, nodes: Option<u64>, queue: &Receiver<Job>) {
    let mut engine = Engine::<5>::new(options);
    for job in queue {
        let stop = &job.stop;
        match job.question {
            Question::Place(setup, to) => {
                let progress = &mut |placement| tell(&to, placement);
                let placement = engine.place(&setup, job.time, stop, progress);
                tell(&to, placement);
            }
            Question::Play(position, to) => {
                let limits = Limits {
                    nodes,
                    may_end_early: nodes.is_none(),
                    ..Limits::time(job.time)
                };
                let progress = &mut |report: &Report| tell(&to, report.turn());
                let report = engine.search(&position, &limits, stop, progress);
                tell(&to, report.turn());
            }
        }
    }
}

fn tell<T>(to: &Sender<T>, answer: T) {
    // Whoever asked has gone on if the deadline is over.
    let _ = to.send(answer);
}

/// Two free squares, for when there was no time to look at any.
fn first_free(setup: &Setup) -> Placement {
    let taken: Bitboard = match *setup {
        Setup::First { .. } => Bitboard::EMPTY,
        Setup::Second { first, .. } => first.into_iter().collect(),
    };
    let centre = Square::at::<5>(2, 2);
    let mut free: Vec<Square> = Geometry::<5>::BOARD.without(taken).collect();
    free.sort_by_key(|&square| Geometry::<5>::distance(centre, square));
    [free[0], free[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: EngineOptions = EngineOptions {
        hash_mib: 1,
        threads: 2,
        eval: crate::eval::EvalKind::Weighted(crate::eval::Weights::TUNED),
        params: crate::search::ParamSets::BUILT_IN,
    };

    fn board() -> Position<5> {
        "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap()
    }

    #[test]
    fn without_any_time_there_are_answers_too() {
        let mut thinker = Thinker::new(OPTIONS, None);
        for _ in 0..100 {
            let turn = thinker.turn(board(), Instant::now()).unwrap();
            assert!(board().turns().contains(&turn));
            let first = [Square::at::<5>(2, 2), Square::at::<5>(1, 1)];
            let cards = [None; 2];
            let [a, b] = thinker.place(Setup::Second { cards, first }, Instant::now());
            assert!(a != b && !first.contains(&a) && !first.contains(&b));
        }
    }

    #[test]
    fn a_thread_that_has_died_is_replaced() {
        let mut thinker = Thinker {
            options: OPTIONS,
            nodes: None,
            jobs: channel().0,
        };
        let deadline = Instant::now() + Duration::from_millis(50);
        let turn = thinker.turn(board(), deadline).unwrap();
        assert!(board().turns().contains(&turn));
        let alive = thinker.jobs.send(Job {
            question: Question::Play(board(), channel().0),
            time: Duration::ZERO,
            stop: Arc::default(),
        });
        assert!(alive.is_ok());
    }
}
