//! Tournaments of the real program.
//!
//! | tested | where |
//! |---|---|
//! | which games are played, players that misbehave, the outcome | `games.rs` |
//! | files: going on after a stop, shards, what cannot be written | `files.rs` |
//! | the report page | `report.rs` |

mod files;
mod games;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use santorini::record::{GameRecord, read_games};
use serde_json::Value;

use crate::program::{SANTORINI, santorini, wait_until};

/// A player of the given kind.
fn fake(name: &str, kind: &str) -> String {
    format!("{name}={SANTORINI} fake-player {kind}")
}

/// A folder to run tournaments in.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, words: &str, players: &[String]) -> Command {
        let mut command = santorini(&["tournament"]);
        command
            .current_dir(self.0.path())
            .args(words.split_whitespace())
            .args(players)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, words: &str, players: &[String]) -> Output {
        self.command(words, players).output().unwrap()
    }

    /// The JSON of a tournament that must succeed.
    fn json(&self, words: &str, players: &[String]) -> Value {
        let output = self.run(&format!("{words} --json"), players);
        assert!(output.status.success(), "{}", errors(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn games(&self, name: &str) -> Vec<GameRecord> {
        read_games(&self.path(name)).unwrap()
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn last_line(output: &Output) -> String {
    errors(output).lines().last().unwrap_or("").to_string()
}

/// Waits until the file has so many lines.
fn wait_for_lines(path: &Path, lines: usize) {
    let count = || fs::read_to_string(path).unwrap_or_default().lines().count();
    wait_until("the games", || count() >= lines);
}

/// Every number of the schedule once, and every game plays back.
fn assert_whole(games: &[GameRecord], count: u64) {
    let mut numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..count).collect::<Vec<_>>());
    for game in games.iter().filter(|game| game.start.is_some()) {
        game.replay::<5>().unwrap();
    }
}
