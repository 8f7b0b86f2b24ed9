//! The engine on its own thread, asked for an answer by a deadline.
//!
//! On a loaded machine a computing thread notices late that its time is over: it has used
//! up its time slice and must wait for the next. A sleeping thread is woken on time, or
//! nearly so (see `overhead.rs`). So the engine searches on one thread and sends each
//! improvement, while the player sleeps on another and takes the last one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::best_so_far::{BestReceiver, BestSender, best_so_far};
use super::overhead::{NAP, Overhead};
use super::{PlayerOptions, Think};
use crate::levels::LevelPlayer;
use crate::memory;
use crate::rules::{Bitboard, Geometry, Placement, Position, Setup, Square, Turn};
use crate::search::{Engine, Limits, PonderingEngine, Report};

/// The engine's own deadline is earlier by this share of the time left, at most `MARGIN`.
/// On an idle machine it then stops by itself.
const MARGIN_SHARE: f64 = 0.015;
const MARGIN: Duration = Duration::from_millis(2);

/// An engine on its own thread.
pub struct Thinker {
    options: PlayerOptions,
    overhead: Overhead,
    executor: Executor,
}

/// Runs the jobs.
enum Executor {
    Thread(Sender<Job>),
    /// The calling thread does the jobs, because the system could not start another.
    Inline(Box<Backend>),
}

/// Finds the answers.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
enum Backend {
    Engine {
        engine: PonderingEngine<5>,
        ponders: bool,
    },
    Level(LevelPlayer<5>),
}

/// A question to search until `end` or until `stop` is set. `nodes` limits turns only.
struct Job {
    question: Question,
    end: Instant,
    nodes: Option<u64>,
    stop: Arc<AtomicBool>,
}

/// A question, and where to send the best answer so far.
enum Question {
    Place(Setup, BestSender<Placement>),
    Play(Position<5>, BestSender<Option<Turn>>),
}

impl Thinker {
    /// Starts the thread.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            options,
            overhead: Overhead::new(options.time, options.overhead),
            executor: Executor::start(options),
        }
    }

    /// Asks the backend. Returns the final answer, or the last one sent before it is due;
    /// `None` if the machine was too busy to find any.
    fn ask<T>(
        &mut self,
        question: Question,
        best: &BestReceiver<T>,
        asked_at: Instant,
    ) -> Option<T> {
        let stop = Arc::new(AtomicBool::new(false));
        let deadline = asked_at + self.overhead.thinking_time();
        let left = deadline.saturating_duration_since(Instant::now());
        self.give(Job {
            question,
            end: deadline - left.mul_f64(MARGIN_SHARE).min(MARGIN),
            nodes: self.options.nodes,
            stop: Arc::clone(&stop),
        });
        self.sleep_until_answered(best, asked_at);
        stop.store(true, Ordering::Relaxed);
        best.take()
    }

    /// Queues a job for the thread, or does it inline.
    fn give(&mut self, job: Job) {
        match &mut self.executor {
            Executor::Inline(backend) => perform(job, backend),
            Executor::Thread(jobs) => {
                if let Err(SendError(job)) = jobs.send(job) {
                    // The thread panicked because of a bug and has reported it. Play on
                    // with a new one.
                    self.executor = Executor::start(self.options);
                    self.give(job);
                }
            }
        }
    }

    /// Waits until the answer is final or due.
    fn sleep_until_answered<T>(&mut self, best: &BestReceiver<T>, asked_at: Instant) {
        loop {
            let deadline = asked_at + self.overhead.thinking_time();
            let now = Instant::now();
            if now >= deadline {
                return;
            }
            let wake_up = deadline.min(now + NAP);
            if best.is_final_within(wake_up - now) {
                return;
            }
            self.overhead.woke_up_late(wake_up.elapsed());
        }
    }
}

impl Think for Thinker {
    fn place(&mut self, setup: Setup, asked_at: Instant) -> Placement {
        let (sender, best) = best_so_far();
        let placement = self.ask(Question::Place(setup, sender), &best, asked_at);
        placement.unwrap_or_else(|| first_free(&setup))
    }

    fn turn(&mut self, position: Position<5>, asked_at: Instant) -> Option<Turn> {
        if !position.has_turn() {
            return None;
        }
        let (sender, best) = best_so_far();
        let turn = self.ask(Question::Play(position, sender), &best, asked_at);
        turn.flatten().or_else(|| without_search(&position))
    }
}

impl Executor {
    /// Starts a thread that waits for jobs, if the system allows.
    fn start(options: PlayerOptions) -> Self {
        let (jobs, queue) = channel();
        let spawn = || thread::Builder::new().spawn(move || work(options, queue));
        match memory::is_left(memory::STACK + memory::SPARE).then(spawn) {
            Some(Ok(_)) => Self::Thread(jobs),
            _ => Self::Inline(Box::new(Backend::new(options))),
        }
    }
}

/// The thread's main loop: does jobs until the sender is dropped.
fn work(options: PlayerOptions, queue: Receiver<Job>) {
    let mut backend = Backend::new(options);
    for job in queue {
        perform(job, &mut backend);
    }
}

impl Backend {
    fn new(options: PlayerOptions) -> Self {
        let backend = match options.handicap {
            Some(handicap) => Self::Level(LevelPlayer::new(handicap, options.engine)),
            None => Self::Engine {
                engine: PonderingEngine::new(Engine::new(options.engine)),
                ponders: options.ponder,
            },
        };
        options.engine.eval.read_ahead::<5>();
        backend
    }
}

fn perform(job: Job, backend: &mut Backend) {
    let stop = &job.stop;
    // From now: the job may have waited for this thread.
    let time = job.end.saturating_duration_since(Instant::now());
    match (job.question, backend) {
        (Question::Place(setup, to), Backend::Engine { engine, .. }) => {
            let progress = &mut |placement| to.send(placement);
            let limits = Limits::time(time);
            let placement = engine.engine().place(&setup, &limits, stop, progress);
            to.send(placement);
        }
        (Question::Place(setup, to), Backend::Level(player)) => {
            to.send(player.place(&setup, Some(time), stop));
        }
        (Question::Play(position, to), Backend::Engine { engine, ponders }) => {
            let limits = Limits {
                nodes: job.nodes,
                may_end_early: job.nodes.is_none(),
                ..Limits::time(time)
            };
            let progress = &mut |report: &Report| to.send(report.turn());
            let report = engine.engine().search(&position, &limits, stop, progress);
            to.send(report.turn());
            drop(to);
            if let Some(turn) = report.turn().filter(|_| *ponders) {
                engine.ponder_after(&position, turn);
            }
        }
        (Question::Play(position, to), Backend::Level(player)) => {
            to.send(player.turn(&position, Some(time), stop));
        }
    }
}

/// The fallback when there was no time to search: a winning turn, else one that does not
/// lose at once, else any legal turn.
fn without_search(position: &Position<5>) -> Option<Turn> {
    position.win().or_else(|| {
        let turns = position.turns();
        let holds = |turn: &&Turn| !position.play(**turn).has_win();
        turns.iter().find(holds).or(turns.first()).copied()
    })
}

/// The fallback when there was no time to search: the two free squares nearest to the
/// centre.
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
    use crate::search::EngineOptions;

    const OPTIONS: EngineOptions = EngineOptions {
        hash_mib: 1,
        threads: 2,
        eval: crate::eval::EvalKind::Weighted(crate::eval::Weights::TUNED),
        params: crate::search::ParamSets::BUILT_IN,
    };

    fn options(time: Duration) -> PlayerOptions {
        PlayerOptions {
            time,
            engine: OPTIONS,
            ..PlayerOptions::default()
        }
    }

    fn board() -> Position<5> {
        "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap()
    }

    #[test]
    fn with_zero_time_every_question_gets_a_legal_answer() {
        let mut thinker = Thinker::new(options(Duration::ZERO));
        for _ in 0..100 {
            let turn = thinker.turn(board(), Instant::now()).unwrap();
            assert!(board().turns().contains(&turn));
            let first = [Square::at::<5>(2, 2), Square::at::<5>(1, 1)];
            let cards = [None; 2];
            let [a, b] = thinker.place(Setup::Second { cards, first }, Instant::now());
            assert!(a != b && !first.contains(&a) && !first.contains(&b));
        }
    }

    /// A thinker with 50 ms for an answer.
    fn thinker(executor: Executor) -> Thinker {
        let time = Duration::from_millis(50);
        Thinker {
            options: options(time),
            overhead: Overhead::new(time, None),
            executor,
        }
    }

    #[test]
    fn a_dead_thread_is_replaced() {
        let mut thinker = thinker(Executor::Thread(channel().0));
        let turn = thinker.turn(board(), Instant::now()).unwrap();
        assert!(board().turns().contains(&turn));
        let Executor::Thread(jobs) = thinker.executor else {
            panic!("there are threads");
        };
        let alive = jobs.send(Job {
            question: Question::Play(board(), best_so_far().0),
            end: Instant::now(),
            nodes: None,
            stop: Arc::default(),
        });
        assert!(alive.is_ok());
    }

    #[test]
    fn the_fallback_turn_wins_or_avoids_a_loss() {
        let answer = |text: &str| without_search(&text.parse().unwrap()).unwrap();
        assert!(answer("00000/00000/00000/02300/00000 b4a1 d5e1 8").wins());
        let threatened: Position<5> = "00000/00000/00000/02300/00000 e1d5 b4a1 8".parse().unwrap();
        let turn = without_search(&threatened).unwrap();
        assert!(!threatened.play(turn).has_win());
    }

    #[test]
    fn without_a_thread_searches_run_inline() {
        let mut thinker = thinker(Executor::Inline(Box::new(Backend::new(options(
            Duration::ZERO,
        )))));
        let position = board();
        let (sender, best) = best_so_far();
        thinker
            .ask(Question::Play(position, sender), &best, Instant::now())
            .unwrap();
    }
}
