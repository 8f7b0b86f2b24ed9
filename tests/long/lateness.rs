//! Counts the late answers of the player program while the machine is busy.
//!
//! The variable `SANTORINI_PLAYERS` names other player programs, separated by colons, which
//! get the same questions in turn. The first program must answer in time; the others are
//! reported for comparison. `SANTORINI_BUSY_LOOPS` is the number of loops that keep the
//! machine busy.

use std::hint::spin_loop;
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::random_start;
use crate::program::SANTORINI;

/// The default number of busy loops.
const BUSY_LOOPS: usize = 8;

/// A running player, with the times of its answers.
struct Player {
    program: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    taken: Vec<Duration>,
}

impl Player {
    fn start(program: String, time: Duration) -> Self {
        let mut child = Command::new(&program)
            .env("SANTORINI_TIME", time.as_secs_f64().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            program,
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            taken: Vec::new(),
        }
    }

    /// Asks a question and waits for the answer, like a referee.
    fn ask(&mut self, question: &str) {
        let mut answer = String::new();
        let asked = Instant::now();
        self.input.write_all(question.as_bytes()).unwrap();
        self.output.read_line(&mut answer).unwrap();
        self.taken.push(asked.elapsed());
        assert!(answer.ends_with('\n'), "{} has ended", self.program);
    }

    /// Ends the player and reports its times; returns the number of late answers.
    fn end(mut self, time: Duration) -> usize {
        drop(self.input);
        self.child.wait().unwrap();
        self.taken.sort_unstable();
        let late = self.taken.iter().filter(|&&taken| taken > time).count();
        let at = |percent: usize| self.taken[(self.taken.len() - 1) * percent / 100];
        println!(
            "{time:?}: {late} of {} late; half after {:.1?}, 95% after {:.1?}, all after {:.1?}: {}",
            self.taken.len(),
            at(50),
            at(95),
            at(100),
            self.program,
        );
        late
    }
}

/// Calls `ask` while loops keep the machine busy.
fn while_busy<T>(ask: impl FnOnce() -> T) -> T {
    let loops = env::var("SANTORINI_BUSY_LOOPS").map_or(BUSY_LOOPS, |text| text.parse().unwrap());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..loops {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        // The loops must end even if it panics.
        let result = catch_unwind(AssertUnwindSafe(ask));
        done.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Asks for this many answers with this time for each; returns the first program's number
/// of late answers.
fn late_answers(time: Duration, boards: usize) -> usize {
    let programs = env::var("SANTORINI_PLAYERS").unwrap_or_else(|_| SANTORINI.to_string());
    while_busy(|| {
        let start = |program: &str| Player::start(program.to_string(), time);
        let mut players: Vec<Player> = programs.split(':').map(start).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..boards {
            let board = format!("{}\n", random_start([None; 2], &mut rng));
            players.iter_mut().for_each(|player| player.ask(&board));
        }
        let late: Vec<usize> = players.into_iter().map(|it| it.end(time)).collect();
        late[0]
    })
}

#[test]
#[ignore = "200 answers take 7 minutes"]
fn no_answer_in_2_s_is_late() {
    assert_eq!(late_answers(Duration::from_secs(2), 200), 0);
}

#[test]
#[ignore = "200 answers take 4 minutes"]
fn no_answer_in_1_s_is_late() {
    assert_eq!(late_answers(Duration::from_secs(1), 200), 0);
}

#[test]
#[ignore = "200 answers take 2 minutes"]
fn no_answer_in_half_a_second_is_late() {
    assert_eq!(late_answers(Duration::from_millis(500), 200), 0);
}

#[test]
#[ignore = "400 answers take half a minute"]
fn few_answers_in_a_tenth_of_a_second_are_late() {
    let late = late_answers(Duration::from_millis(100), 400);
    assert!(late <= 8, "{late}");
}

/// The time of a first answer counts from the start of the program.
#[test]
#[ignore = "40 starts take half a minute"]
fn no_first_answer_in_half_a_second_is_late() {
    let time = Duration::from_millis(500);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let late = while_busy(|| {
        let mut first_answer_is_late = || {
            let mut player = Player::start(SANTORINI.to_string(), time);
            player.ask(&format!("{}\n", random_start([None; 2], &mut rng)));
            player.end(time)
        };
        (0..40).map(|_| first_answer_is_late()).sum::<usize>()
    });
    assert_eq!(late, 0);
}
