//! Tournaments of the real program.
//!
//! | tested | where |
//! |---|---|
//! | which games are played, players that misbehave, the outcome | `games.rs` |
//! | the examples for several machines | `cluster.rs`, `slurm.rs` |
//! | failing players | `failing.rs` |
//! | files: resuming, shards, write errors | `files.rs` |
//! | lists of players, the check before the games, CSV | `instructor.rs` |
//! | the report page | `report.rs` |

mod cluster;
mod failing;
mod files;
mod games;
mod instructor;
mod report;
mod slurm;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use santorini::record::GameRecord;
use serde_json::Value;

use crate::place::{Place, errors, fake};
use crate::program::wait_until;

impl Place {
    fn tournament(&self, words: &str, players: &[String]) -> Command {
        self.command("tournament", words, players)
    }

    fn run(&self, words: &str, players: &[String]) -> Output {
        self.tournament(words, players).output().unwrap()
    }

    /// The JSON of a tournament that must succeed.
    fn json(&self, words: &str, players: &[String]) -> Value {
        let output = self.run(&format!("{words} --json"), players);
        assert!(output.status.success(), "{}", errors(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn last_line(output: &Output) -> String {
    errors(output).lines().last().unwrap_or("").to_string()
}

/// Waits until the file has this many lines.
fn wait_for_lines(path: &Path, lines: usize) {
    let count = || fs::read_to_string(path).unwrap_or_default().lines().count();
    wait_until("the games", || count() >= lines);
}

/// Checks that every game of the schedule is there once and can be replayed.
fn assert_whole(games: &[GameRecord], count: u64) {
    let mut numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..count).collect::<Vec<_>>());
    for game in games.iter().filter(|game| game.start.is_some()) {
        game.replay::<5>().unwrap();
    }
}
