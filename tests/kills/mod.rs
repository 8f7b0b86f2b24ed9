//! Work that is killed and resumed again and again loses no finished game and ends with the
//! same result.
//!
//! | what is killed | where |
//! |---|---|
//! | a tournament | `tournament.rs` |
//! | a server of bots | `serve.rs` |
//! | all other commands that write files | `commands.rs` |

pub mod commands;
pub mod serve;
pub mod tournament;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::record::{GameRecord, read_games};

use crate::program::{HANG, success};

/// The maximum time before a kill.
const LONGEST: Duration = Duration::from_millis(250);

/// Work that saves its games in a file.
pub trait Work {
    /// New work, slightly different each time.
    fn new(rng: &mut Xoshiro256PlusPlus) -> Self;

    /// The command that starts or resumes the work.
    fn command(&self) -> Command;

    /// The file of the games.
    fn file(&self) -> PathBuf;

    /// Checks that the games and output equal those of work that was never killed.
    fn check(self, games: Vec<GameRecord>, output: &str);
}

/// Starts one piece of work after another until this many kills.
pub fn survive<W: Work>(kills: u32, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut killed, mut kept, mut finished) = (0, 0, 0);
    while killed < kills {
        let work = W::new(&mut rng);
        let output = loop {
            // After the last kill the work runs to its end.
            let time = match killed < kills {
                true => rng.random_range(Duration::ZERO..LONGEST),
                false => HANG,
            };
            match resume(&work, time) {
                Some(output) => break output,
                None => {
                    assert!(time < HANG, "the work does not end");
                    killed += 1;
                }
            }
            kept += games(&work).len();
        };
        let games = games(&work);
        work.check(games, &output);
        finished += 1;
    }
    println!("{killed} kills until {finished} were finished; {kept} games found after them");
}

/// Resumes the work and kills it after a time. Returns its output if it ended before.
fn resume(work: &impl Work, time: Duration) -> Option<String> {
    let before = whole_lines(work);
    let mut command = work.command();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let end = Instant::now() + time;
    while child.try_wait().unwrap().is_none() && Instant::now() < end {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(whole_lines(work).starts_with(&before), "games are lost");
    output.status.code().map(|_| success(&output))
}

/// The complete lines of the file.
fn whole_lines(work: &impl Work) -> Vec<u8> {
    let mut bytes = fs::read(work.file()).unwrap_or_default();
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    bytes.truncate(end.map_or(0, |end| end + 1));
    bytes
}

/// The games in the file, which may not exist yet.
fn games(work: &impl Work) -> Vec<GameRecord> {
    match work.file().exists() {
        true => read_games(&work.file()).unwrap(),
        false => Vec::new(),
    }
}

/// Checks that each of `count` games is there once.
pub fn assert_each_once(games: &[GameRecord], count: u64) {
    let mut numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..count).collect::<Vec<_>>());
}
