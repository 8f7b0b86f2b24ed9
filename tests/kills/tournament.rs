//! A tournament of random players, whose games depend only on the opening.

use std::path::PathBuf;
use std::process::Command;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::record::{GameRecord, read_games};

use super::{Work, assert_each_once};
use crate::program::{SANTORINI, santorini};

const ROUNDS: u64 = 15;

pub struct Tournament {
    folder: tempfile::TempDir,
    options: String,
}

impl Tournament {
    fn play(&self, options: &str) -> Command {
        let mut command = santorini(&["tournament"]);
        command
            .current_dir(self.folder.path())
            .args(self.options.split(' '))
            .args(options.split(' '))
            .arg(format!("a={SANTORINI} fake-player random --wins"))
            .arg(format!("b={SANTORINI} fake-player random --seed 2"));
        command
    }
}

impl Work for Tournament {
    fn new(rng: &mut Xoshiro256PlusPlus) -> Self {
        let [seed, jobs] = [1000, 3].map(|most| rng.random_range(1..=most));
        Self {
            folder: tempfile::tempdir().unwrap(),
            options: format!(
                "--rounds {ROUNDS} --openings 2 --time 60 --seed {seed} --jobs {jobs}"
            ),
        }
    }

    fn command(&self) -> Command {
        self.play("--resume --output games.jsonl")
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("games.jsonl")
    }

    fn check(self, games: Vec<GameRecord>, _: &str) {
        let output = self.play("--output undisturbed.jsonl").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let undisturbed = read_games(&self.folder.path().join("undisturbed.jsonl"));
        assert_each_once(&games, 2 * ROUNDS);
        assert_eq!(without_times(games), without_times(undisturbed.unwrap()));
    }
}

/// The games by number, without what differs between runs.
fn without_times(mut games: Vec<GameRecord>) -> Vec<GameRecord> {
    games.sort_by_key(|game| game.game);
    for game in &mut games {
        game.seconds.clear();
        game.setup_seconds.clear();
    }
    games
}
