//! Notices that the program of a player was changed since the player was first started.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::FileState;

/// The programs of all players as they were when they were last looked at.
#[derive(Default)]
pub(super) struct ProgramFiles(BTreeMap<PathBuf, FileState>);

impl ProgramFiles {
    /// Whether the file has changed since the last call for it.
    pub(super) fn has_changed(&mut self, file: &Path) -> bool {
        let Ok(found) = fs::metadata(file) else {
            return false;
        };
        let now = FileState::from(&found);
        let before = self.0.get(file);
        let has_changed = before.is_some_and(|before| *before != now);
        self.0.insert(file.to_path_buf(), now);
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_noticed_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("player");
        let mut files = ProgramFiles::default();
        assert!(!files.has_changed(&file), "there is none");
        fs::write(&file, "a").unwrap();
        assert!(!files.has_changed(&file));
        assert!(!files.has_changed(&file));
        fs::write(&file, "ab").unwrap();
        assert!(files.has_changed(&file));
        assert!(!files.has_changed(&file));
    }
}
