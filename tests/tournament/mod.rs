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

use std::process::{Command, Output};

use santorini::record::GameRecord;
use serde_json::Value;

use crate::kills::assert_each_once;
use crate::place::{Place, fake, wait_for_lines};
use crate::program::{errors, success};

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
        serde_json::from_str(&success(&output)).unwrap()
    }
}

fn last_line(output: &Output) -> String {
    errors(output).lines().last().unwrap_or("").to_string()
}

/// Checks that every game of the schedule is there once and can be replayed.
fn assert_whole(games: &[GameRecord], count: u64) {
    assert_each_once(games, count);
    for game in games.iter().filter(|game| game.start.is_some()) {
        game.replay::<5>().unwrap();
    }
}
