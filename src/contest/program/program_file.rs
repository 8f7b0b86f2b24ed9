//! Notices that the program of a player is changed or removed during the games.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::command::PlayerCommand;
use crate::files::FileState;

/// The program of a player, as it was at the last check.
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

    /// Whether the file was removed.
    pub(super) fn is_removed(&self) -> bool {
        self.state.is_none()
    }

    /// Whether the file has changed since the last call, or since [`Self::of`].
    pub(super) fn take_change(&mut self) -> bool {
        let now = state_of(&self.path);
        let before = std::mem::replace(&mut self.state, now);
        before != self.state
    }
}

fn state_of(path: &Path) -> Option<FileState> {
    Some(FileState::from(&fs::metadata(path).ok()?))
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
        let mut files = [("Ada", &ada), ("Bob", &bob)].map(|(name, path)| {
            let command = path.to_str().unwrap().parse().unwrap();
            ProgramFile::of(name, &command).unwrap()
        });
        let mut changed = || {
            let files = files.iter_mut();
            let changed = files.filter_map(|file| file.take_change().then_some(&*file));
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
