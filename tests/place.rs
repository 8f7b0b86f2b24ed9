//! A temporary folder in which the program plays games with fake players.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use santorini::record::{GameRecord, read_games};

use crate::program::{SANTORINI, santorini};

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
        let mut command = santorini(&[name]);
        command
            .current_dir(self.0.path())
            .args(options.split_whitespace())
            .args(players)
            .stdin(Stdio::null())
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

/// The standard error as text.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
