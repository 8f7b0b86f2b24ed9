//! Notices when another program changes a file that this one appends to.
//!
//! The state of the file is compared before each append, which is fast. Only if it
//! differs, and at the end, the content is read and its hash compared: a state can be the
//! same after a change within one tick of the system's clock.

use std::fs::File;
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};
use std::io;
use std::path::Path;

use crate::files::{FileState, leads_to, read_at};

/// What this program has written to a file.
pub(super) struct Seal {
    length: u64,
    /// The random key of the hash, which makes collisions impossible to prepare.
    key: RandomState,
    hash: DefaultHasher,
    state: Option<FileState>,
}

impl Seal {
    /// Seals the first `length` bytes of a file.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn of(file: &File, length: u64) -> io::Result<Self> {
        let key = RandomState::new();
        let mut hash = key.build_hasher();
        hash_file(file, length, &mut hash)?;
        Ok(Self {
            length,
            key,
            hash,
            state: None,
        })
    }

    /// Adds what was appended.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.hash.write(bytes);
        self.length += bytes.len() as u64;
    }

    /// Takes the state of the file after a change by this program.
    pub(super) fn update(&mut self, file: &File) {
        // Without a state the content is compared.
        self.state = file.metadata().ok().map(|file| FileState::from(&file));
    }

    /// Whether the file at the path has exactly what this program wrote. With `read` its
    /// content is always compared.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn holds(&mut self, file: &File, path: &Path, read: bool) -> io::Result<bool> {
        if !leads_to(path, file)? {
            return Ok(false);
        }
        let state = FileState::from(&file.metadata()?);
        if self.state.as_ref() == Some(&state) && !read {
            return Ok(true);
        }
        let holds = state.length == self.length && self.same_content(file)?;
        // Without a state the content is compared again: a change is noticed every time.
        self.state = holds.then_some(state);
        Ok(holds)
    }

    fn same_content(&self, file: &File) -> io::Result<bool> {
        let mut hash = self.key.build_hasher();
        hash_file(file, self.length, &mut hash)?;
        Ok(hash.finish() == self.hash.finish())
    }
}

fn hash_file(file: &File, length: u64, hash: &mut DefaultHasher) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    let mut at = 0;
    while at < length {
        let most = buffer.len().min((length - at) as usize);
        let count = read_at(file, &mut buffer[..most], at)?;
        if count == 0 {
            break;
        }
        hash.write(&buffer[..count]);
        at += count as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn every_change_by_others_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "before\n").unwrap();
        let open = || File::options().read(true).append(true).open(&path).unwrap();
        let mut file = open();
        let mut seal = Seal::of(&file, 7).unwrap();
        for line in ["one\n", "two\n"] {
            file.write_all(line.as_bytes()).unwrap();
            seal.extend(line.as_bytes());
            seal.update(&file);
            assert!(seal.holds(&file, &path, false).unwrap());
        }
        assert!(seal.holds(&file, &path, true).unwrap());
        let good = std::fs::read(&path).unwrap();
        // Another time, but the same content.
        std::fs::write(&path, &good).unwrap();
        assert!(seal.holds(&file, &path, false).unwrap());
        std::fs::write(&path, "before\none\nten\n").unwrap();
        assert!(!seal.holds(&file, &path, true).unwrap());
        std::fs::write(&path, "before\none\ntwo\nten\n").unwrap();
        assert!(!seal.holds(&file, &path, false).unwrap());
    }

    // Windows keeps an open file.
    #[cfg(unix)]
    #[test]
    fn a_removed_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "before\n").unwrap();
        let file = File::open(&path).unwrap();
        let mut seal = Seal::of(&file, 7).unwrap();
        assert!(seal.holds(&file, &path, false).unwrap());
        std::fs::remove_file(&path).unwrap();
        assert!(!seal.holds(&file, &path, false).unwrap());
        std::fs::write(&path, "before\n").unwrap();
        assert!(!seal.holds(&file, &path, false).unwrap());
    }
}
