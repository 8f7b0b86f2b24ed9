//! Notices that the program of a player is changed or removed during the games.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::command::PlayerCommand;
use crate::files::FileState;

/// The program of a player, as it was when it was last looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProgramFile {
    /// The name of the player.
    pub player: String,
    pub path: PathBuf,
    /// `None` if there is no such file.
    state: Option<FileState>,
}

impl ProgramFile {
    /// The program of a player as it is now; `None` if no file holds it.
    pub(super) fn of(player: &str, command: &PlayerCommand) -> Option<Self> {
        let path = command.file()?;
        Some(Self {
            player: player.to_string(),
            state: state_of(&path),
            path,
        })
    }

    /// Whether both are the same player's program, changed or not.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.player == other.player && self.path == other.path
    }

    /// Whether the file is gone.
    pub(super) fn is_removed(&self) -> bool {
        self.state.is_none()
    }
}

fn state_of(path: &Path) -> Option<FileState> {
    Some(FileState::from(&fs::metadata(path).ok()?))
}

/// The programs of all players.
#[derive(Default)]
pub(super) struct ProgramFiles(Vec<ProgramFile>);

impl ProgramFiles {
    /// Adds a program in the state from which changes count.
    pub(super) fn add(&mut self, program: ProgramFile) {
        self.0.push(program);
    }

    /// The programs that have changed since they were added or the last call.
    pub(super) fn changed(&mut self) -> Vec<ProgramFile> {
        let mut changed = Vec::new();
        for program in &mut self.0 {
            let now = state_of(&program.path);
            if now != program.state {
                program.state = now;
                changed.push(program.clone());
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_noticed_once() {
        let folder = tempfile::tempdir().unwrap();
        let [ada, bob] = ["ada", "bob"].map(|name| {
            let path = folder.path().join(name);
            fs::write(&path, "a").unwrap();
            path
        });
        let mut files = ProgramFiles::default();
        for (name, path) in [("Ada", &ada), ("Bob", &bob)] {
            let command = path.to_str().unwrap().parse().unwrap();
            files.add(ProgramFile::of(name, &command).unwrap());
        }
        let mut changed = || {
            let changed = files.changed();
            let changed = changed.iter();
            let told = changed.map(|file| (file.player.clone(), file.is_removed()));
            told.collect::<Vec<_>>()
        };
        assert_eq!(changed(), []);
        fs::write(&bob, "ab").unwrap();
        assert_eq!(changed(), [("Bob".into(), false)]);
        assert_eq!(changed(), []);
        fs::remove_file(&ada).unwrap();
        assert_eq!(changed(), [("Ada".into(), true)]);
        fs::write(&ada, "a").unwrap();
        assert_eq!(changed(), [("Ada".into(), false)]);
    }
}
