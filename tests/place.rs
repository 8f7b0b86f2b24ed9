//! A temporary folder in which the program plays games with fake players.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use santorini::record::{GameRecord, read_games};

use crate::program::{SANTORINI, santorini_in, wait_until};

/// The folder, removed when the value is dropped.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command of the program, run in the folder, with options and players.
    pub fn command(&self, name: &str, options: &str, players: &[String]) -> Command {
        let mut command = santorini_in(self.folder(), &format!("{name} {options}"));
        command
            .args(players)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The games of a file in the folder.
    pub fn games(&self, name: &str) -> Vec<GameRecord> {
        read_games(&self.path(name)).unwrap()
    }
}

/// A player of the given kind.
pub fn fake(name: &str, kind: &str) -> String {
    format!("{name}={SANTORINI} fake-player {kind}")
}

/// Waits until a file of games has this many lines.
pub fn wait_for_lines(path: &Path, lines: usize) {
    let count = || fs::read_to_string(path).unwrap_or_default().lines().count();
    wait_until("the games", || count() >= lines);
}

/// Whether a game ended on the board, by its last line of commentary.
pub fn is_regular(line: &str) -> bool {
    line.starts_with("Win by ") || line.starts_with("No move possible for ")
}

/// The running processes marked as players of this referee or tournament.
pub fn players_of(referee: u32) -> Vec<u32> {
    let mark = format!("SANTORINI_PLAYER={referee}-");
    let marked = |id: &u32| {
        fs::read(format!("/proc/{id}/environ")).is_ok_and(|environment| {
            let mut entries = environment.split(|&byte| byte == 0);
            entries.any(|entry| entry.starts_with(mark.as_bytes()))
        })
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(marked).collect()
}
