//! The engine on a thread of its own, asked for an answer by a deadline.
//!
//! On a loaded machine a thread that computes is late to see that its time is
//! over: it has used up its share of the processor and must wait for the
//! next. A thread that sleeps until the deadline is woken on time, or nearly so
//! (see `overhead.rs`). So the engine searches on one thread and tells each
//! improvement, and the player sleeps on another and takes the last one told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::answers::{Teller, Told, answers};
use super::overhead::{NAP, Overhead};
use super::{PlayerOptions, Think};
use crate::levels::LevelPlayer;
use crate::memory;
use crate::rules::{Bitboard, Geometry, Position, Square, Turn};
use crate::rules::{Placement, Setup};
use crate::search::{Engine, Limits, PonderingEngine, Report};

/// The part of the time until the deadline that the engine is not given, and
/// the most of it, so that on an idle machine it ends by itself.
const MARGIN_SHARE: f64 = 0.015;
const MARGIN: Duration = Duration::from_millis(2);

/// An engine on a thread of its own.
pub struct Thinker {
    options: PlayerOptions,
    overhead: Overhead,
    worker: Worker,
}

/// Who does the jobs.
enum Worker {
    Thread(Sender<Job>),
    /// Where the system has no thread to give, whoever asks does them.
    Asker(Box<Mind>),
}

/// Who finds the answers.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
enum Mind {
    Engine {
        engine: PonderingEngine<5>,
        ponders: bool,
    },
    Level(LevelPlayer<5>),
}

/// Something to think about until `end`, or until `stop` is set; a turn also for no
/// more than `nodes`.
struct Job {
    question: Question,
    end: Instant,
    nodes: Option<u64>,
    stop: Arc<AtomicBool>,
}

/// What to think about, and where to tell the best answer so far.
enum Question {
    Place(Setup, Teller<Placement>),
    Play(Position<5>, Teller<Option<Turn>>),
}

impl Thinker {
    /// Starts the thread.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            options,
            overhead: Overhead::new(options.time, options.overhead),
            worker: Worker::start(options),
        }
    }

    /// The last answer told before it is due, or the final one; `None` if the
    /// machine was too busy to find any.
    fn ask<T>(&mut self, question: Question, told: &Told<T>, asked_at: Instant) -> Option<T> {
        let stop = Arc::new(AtomicBool::new(false));
        let deadline = asked_at + self.overhead.thinking_time();
        let left = deadline.saturating_duration_since(Instant::now());
        self.give(Job {
            question,
            end: deadline - left.mul_f64(MARGIN_SHARE).min(MARGIN),
            nodes: self.options.nodes,
            stop: Arc::clone(&stop),
        });
        self.sleep_until_answered(told, asked_at);
        stop.store(true, Ordering::Relaxed);
        told.take()
    }

    /// Has a job done, or begins it.
    fn give(&mut self, job: Job) {
        match &mut self.worker {
            Worker::Asker(mind) => perform(job, mind),
            Worker::Thread(jobs) => {
                if let Err(SendError(job)) = jobs.send(job) {
                    // A bug has ended the thread, and it has said so. The game
                    // goes on.
                    self.worker = Worker::start(self.options);
                    self.give(job);
                }
            }
        }
    }

    /// Sleeps until the answer is final or due.
    fn sleep_until_answered<T>(&mut self, told: &Told<T>, asked_at: Instant) {
        loop {
            let deadline = asked_at + self.overhead.thinking_time();
            let now = Instant::now();
            if now >= deadline {
                return;
            }
            let wake_up = deadline.min(now + NAP);
            if told.is_final_within(wake_up - now) {
                return;
            }
            self.overhead.woke_up_late(wake_up.elapsed());
        }
    }
}

impl Think for Thinker {
    fn place(&mut self, setup: Setup, asked_at: Instant) -> Placement {
        let (tell, told) = answers();
        let placement = self.ask(Question::Place(setup, tell), &told, asked_at);
        placement.unwrap_or_else(|| first_free(&setup))
    }

    fn turn(&mut self, position: Position<5>, asked_at: Instant) -> Option<Turn> {
        if !position.has_turn() {
            return None;
        }
        let (tell, told) = answers();
        let turn = self.ask(Question::Play(position, tell), &told, asked_at);
        turn.flatten().or_else(|| without_search(&position))
    }
}

impl Worker {
    /// A thread that waits for jobs, if there can be one.
    fn start(options: PlayerOptions) -> Self {
        let (jobs, queue) = channel();
        let spawn = || thread::Builder::new().spawn(move || work(options, queue));
        match memory::is_left(memory::STACK + memory::SPARE).then(spawn) {
            Some(Ok(_)) => Self::Thread(jobs),
            _ => Self::Asker(Box::new(Mind::new(options))),
        }
    }
}

/// The thread: does one job after the other until nobody can ask any more.
fn work(options: PlayerOptions, queue: Receiver<Job>) {
    let mut mind = Mind::new(options);
    for job in queue {
        perform(job, &mut mind);
    }
}

impl Mind {
    fn new(options: PlayerOptions) -> Self {
        let mind = match options.handicap {
            Some(handicap) => Self::Level(LevelPlayer::new(handicap, options.engine)),
            None => Self::Engine {
                engine: PonderingEngine::new(Engine::new(options.engine)),
                ponders: options.ponder,
            },
        };
        options.engine.eval.read_ahead::<5>();
        mind
    }
}

fn perform(job: Job, mind: &mut Mind) {
    let stop = &job.stop;
    // Counted from now: the job may have waited for this thread.
    let time = job.end.saturating_duration_since(Instant::now());
    match (job.question, mind) {
        (Question::Place(setup, to), Mind::Engine { engine, .. }) => {
            let progress = &mut |placement| to.tell(placement);
            let placement = engine.engine().place(&setup, time, stop, progress);
            to.tell(placement);
        }
        (Question::Place(setup, to), Mind::Level(player)) => {
            to.tell(player.place(&setup, Some(time), stop));
        }
        (Question::Play(position, to), Mind::Engine { engine, ponders }) => {
            let limits = Limits {
                nodes: job.nodes,
                may_end_early: job.nodes.is_none(),
                ..Limits::time(time)
            };
            let progress = &mut |report: &Report| to.tell(report.turn());
            let report = engine.engine().search(&position, &limits, stop, progress);
            to.tell(report.turn());
            drop(to);
            if let Some(turn) = report.turn().filter(|_| *ponders) {
                engine.ponder_after(&position, turn);
            }
        }
        (Question::Play(position, to), Mind::Level(player)) => {
            to.tell(player.turn(&position, Some(time), stop));
        }
    }
}

/// A turn for when there was no time to search for any: one that wins, or else
/// does not lose at once, if there is one.
fn without_search(position: &Position<5>) -> Option<Turn> {
    position.win().or_else(|| {
        let turns = position.turns();
        let holds = |turn: &&Turn| !position.play(**turn).has_win();
        turns.iter().find(holds).or(turns.first()).copied()
    })
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
    fn without_any_time_there_are_answers_too() {
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
    fn thinker(worker: Worker) -> Thinker {
        let time = Duration::from_millis(50);
        Thinker {
            options: options(time),
            overhead: Overhead::new(time, None),
            worker,
        }
    }

    #[test]
    fn a_thread_that_has_died_is_replaced() {
        let mut thinker = thinker(Worker::Thread(channel().0));
        let turn = thinker.turn(board(), Instant::now()).unwrap();
        assert!(board().turns().contains(&turn));
        let Worker::Thread(jobs) = thinker.worker else {
            panic!("there are threads");
        };
        let alive = jobs.send(Job {
            question: Question::Play(board(), answers().0),
            end: Instant::now(),
            nodes: None,
            stop: Arc::default(),
        });
        assert!(alive.is_ok());
    }

    #[test]
    fn an_answer_without_a_search_wins_or_does_not_lose_at_once() {
        let answer = |text: &str| without_search(&text.parse().unwrap()).unwrap();
        assert!(answer("00000/00000/00000/02300/00000 b4a1 d5e1 8").wins());
        let threatened: Position<5> = "00000/00000/00000/02300/00000 e1d5 b4a1 8".parse().unwrap();
        let turn = without_search(&threatened).unwrap();
        assert!(!threatened.play(turn).has_win());
    }

    #[test]
    fn without_a_thread_there_are_answers_that_are_searched_for() {
        let mut thinker = thinker(Worker::Asker(Box::new(Mind::new(options(Duration::ZERO)))));
        let position = board();
        let (tell, told) = answers();
        thinker
            .ask(Question::Play(position, tell), &told, Instant::now())
            .unwrap();
    }
}
