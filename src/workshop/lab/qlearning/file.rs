//! The file of a Q-table.
//!
//! All numbers are little-endian:
//!
//! ```text
//! "SANTORINI-Q\n"   12 bytes
//! version           u32, 1
//! entries           u64, the number n of entries
//! n times           state u64, action u32, value f32;
//!                   sorted by state, then by action
//! checksum          u64, FNV-1a of all bytes before it
//! ```
//!
//! A file is replaced as a whole. A table with a wrong length or checksum, out of
//! order, or with a value that is not finite is refused.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::table::{MOST_ENTRIES, QTable};
use crate::files::{Kind, open_input, waiting, write_whole_with};
use crate::fnv::Fnv;

const MAGIC: &[u8; 12] = b"SANTORINI-Q\n";
const VERSION: u32 = 1;

/// The kind of a table file, of any version.
pub const TABLE_FILE: Kind = Kind {
    name: "a Q-table of `santorini lab play`",
    begins: |head| head.starts_with(MAGIC),
};

/// Why a table cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableFileError {
    /// The system refused to open, read or write the file.
    #[error("{path}: {cause}")]
    Io {
        /// The path as given.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The file is not a table, or is damaged.
    #[error("{path}: {what}; create a Q-table with qlearning:save=FILE")]
    Damaged {
        /// The path as given.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// There is no memory for a table of more than this many episodes.
    #[error("no memory for a Q-table of more than {0} episodes: use fewer episodes")]
    Memory(u64),
}

/// Writes a table to a file.
///
/// # Errors
/// If the file cannot be written; an existing file is then unchanged.
pub fn save(table: &QTable, path: &Path) -> Result<(), TableFileError> {
    write_whole_with(path, |out| write(table, out)).map_err(|cause| io_error(path, cause))
}

fn io_error(path: &Path, cause: io::Error) -> TableFileError {
    TableFileError::Io {
        path: path.to_path_buf(),
        cause,
    }
}

fn write(table: &QTable, out: &mut dyn Write) -> io::Result<()> {
    let mut entries: Vec<(u64, u32, f32)> = table.iter().collect();
    entries.sort_unstable_by_key(|&(state, action, _)| (state, action));
    let mut out = Summing::new(out);
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&(entries.len() as u64).to_le_bytes())?;
    for (state, action, value) in entries {
        out.write_all(&state.to_le_bytes())?;
        out.write_all(&action.to_le_bytes())?;
        out.write_all(&value.to_le_bytes())?;
    }
    let sum = out.sum.value();
    out.inner.write_all(&sum.to_le_bytes())
}

/// Reads a table from a file.
///
/// # Errors
/// If it cannot be read or is damaged.
pub fn load(path: &Path) -> Result<QTable, TableFileError> {
    let read = || -> Result<QTable, ReadError> {
        let mut file = BufReader::new(open_input(path)?);
        let table = waiting(|| read(&mut file))?;
        match waiting(|| file.fill_buf())?.is_empty() {
            true => Ok(table),
            false => Err(ReadError::Damaged(
                "there are bytes after the checksum".into(),
            )),
        }
    };
    read().map_err(|error| match error {
        ReadError::Io(cause) => io_error(path, cause),
        ReadError::Damaged(what) => TableFileError::Damaged {
            path: path.to_path_buf(),
            what,
        },
    })
}

enum ReadError {
    Io(io::Error),
    Damaged(String),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return Self::Damaged("the file is truncated".into());
        }
        Self::Io(error)
    }
}

fn read(source: impl Read) -> Result<QTable, ReadError> {
    let damaged = |what: String| Err(ReadError::Damaged(what));
    let mut source = Summing::new(source);
    if &source.take::<12>()? != MAGIC {
        return damaged("not a Q-table".into());
    }
    let version = u32::from_le_bytes(source.take()?);
    if version != VERSION {
        return damaged(format!(
            "version {version} is not supported, only {VERSION}"
        ));
    }
    let count = u64::from_le_bytes(source.take()?);
    if count > MOST_ENTRIES as u64 {
        return damaged(format!("{count} entries are too many"));
    }
    let mut table = QTable::default();
    let mut last = None;
    for _ in 0..count {
        let state = u64::from_le_bytes(source.take()?);
        let action = u32::from_le_bytes(source.take()?);
        let value = f32::from_le_bytes(source.take()?);
        if !value.is_finite() || last >= Some((state, action)) {
            return damaged("an entry is out of order or not a finite number".into());
        }
        last = Some((state, action));
        let reserved = table.try_reserve(1);
        reserved.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        table.push(state, action, value);
    }
    let sum = source.sum.value();
    if u64::from_le_bytes(source.take()?) != sum {
        return damaged("the checksum is wrong".into());
    }
    Ok(table)
}

/// Reads or writes through, and computes the checksum.
struct Summing<T> {
    inner: T,
    sum: Fnv,
}

impl<T> Summing<T> {
    fn new(inner: T) -> Self {
        Self {
            inner,
            sum: Fnv::default(),
        }
    }
}

impl Summing<&mut dyn Write> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.inner.write_all(bytes)
    }
}

impl<T: Read> Summing<T> {
    fn take<const K: usize>(&mut self) -> io::Result<[u8; K]> {
        let mut bytes = [0; K];
        self.inner.read_exact(&mut bytes)?;
        self.sum.add(&bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::lab::qlearning::{Learning, Trainer};

    fn learned() -> QTable {
        let mut trainer = Trainer::new(Learning::default(), 1);
        (0..20).for_each(|_| {
            trainer.episode();
        });
        trainer.into_table()
    }

    fn sorted(table: &QTable) -> Vec<(u64, u32, f32)> {
        let mut all: Vec<_> = table.iter().collect();
        all.sort_by_key(|&(state, action, _)| (state, action));
        all
    }

    #[test]
    fn a_table_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.q");
        for table in [QTable::default(), learned()] {
            save(&table, &path).unwrap();
            assert_eq!(sorted(&load(&path).unwrap()), sorted(&table));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn damaged_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.q");
        save(&learned(), &path).unwrap();
        let good = fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            match load(&path) {
                Err(TableFileError::Damaged { .. }) => true,
                other => panic!("{other:?}"),
            }
        };
        for at in (0..good.len()).step_by(7) {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            assert!(refused(&bytes));
            assert!(refused(&good[..at]));
        }
        assert!(refused(&[&good[..], b"more"].concat()));
        let huge = [&good[..16], &u64::MAX.to_le_bytes(), &good[24..]].concat();
        assert!(refused(&huge));
    }

    #[test]
    fn a_failed_write_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no such folder/a.q");
        assert!(matches!(
            save(&learned(), &path),
            Err(TableFileError::Io { .. })
        ));
        let path = folder.path().join("folder");
        fs::create_dir(&path).unwrap();
        assert!(save(&learned(), &path).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
