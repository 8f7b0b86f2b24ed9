//! Where an experiment keeps its raw results: one CSV file that grows, so
//! that what was done is not done again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::files::{self, write_whole};

/// No file of results is longer.
const LONGEST: u64 = 256 << 20;

/// Why results cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path}: {cause}")]
    Io { path: PathBuf, cause: io::Error },
    #[error(
        "{path}: these are no results of this experiment ({cause}); move the file away to begin anew"
    )]
    Damaged { path: PathBuf, cause: String },
    #[error("{0} is no folder; name one, which need not exist")]
    NoFolder(PathBuf),
    #[error("{path} is of an experiment with other settings ({settings}); name another folder")]
    OtherSettings { path: PathBuf, settings: String },
}

/// What all results in a folder were made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub seed: u64,
    /// A small version of every experiment, for trying them out.
    pub quick: bool,
}

/// The folder of some experiments.
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// If it cannot be made or written to, or holds experiments with other
    /// settings.
    pub fn open(folder: &Path, settings: Settings) -> Result<Self, StoreError> {
        let store = Self {
            folder: folder.to_path_buf(),
        };
        if folder.exists() && !folder.is_dir() {
            return Err(StoreError::NoFolder(store.folder));
        }
        fs::create_dir_all(folder).map_err(|cause| io_error(folder, cause))?;
        let path = store.path("settings.json");
        match files::read_file(&path, LONGEST) {
            Ok(bytes) if serde_json::from_slice(&bytes).ok() == Some(settings) => {}
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                let settings = text.chars().take(80).collect::<String>().trim().to_string();
                return Err(StoreError::OtherSettings { path, settings });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = serde_json::to_string(&settings)
                    .map_err(|error| io_error(&path, error.into()))?;
                store.write("settings.json", &(text + "\n"))?;
            }
            Err(cause) => return Err(StoreError::Io { path, cause }),
        }
        Ok(store)
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file as a whole: it never has half of its text.
    ///
    /// # Errors
    /// If that fails; then a file that was there is as it was.
    pub fn write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let path = self.path(name);
        write_whole(&path, text.as_bytes()).map_err(|cause| io_error(&path, cause))
    }
}

/// The results of one experiment, in order: all those of its first piece of
/// work, then all of the second, and so on.
pub struct Results<R> {
    path: PathBuf,
    pub rows: Vec<R>,
}

impl<R: Serialize + DeserializeOwned> Results<R> {
    /// Reads what is there. Of a piece of work only whole results count, which
    /// are `rows_per_unit` rows; a last one that was cut short is left out.
    ///
    /// # Errors
    /// If the file is there but holds something else, or cannot be read.
    pub fn read(
        store: &Store,
        name: &str,
        rows_per_unit: usize,
        units: u64,
    ) -> Result<Self, StoreError> {
        let path = store.path(&format!("{name}.csv"));
        let bytes = match files::read_file(&path, LONGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(cause) => return Err(StoreError::Io { path, cause }),
        };
        let lines = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let mut reader = csv::Reader::from_reader(&bytes[..lines]);
        let rows: Result<Vec<R>, csv::Error> = reader.deserialize().collect();
        let damaged = |cause: String| StoreError::Damaged {
            path: path.clone(),
            cause,
        };
        let mut rows = rows.map_err(|error| damaged(error.to_string()))?;
        rows.truncate(rows.len() / rows_per_unit * rows_per_unit);
        if (rows.len() / rows_per_unit) as u64 > units {
            return Err(damaged(format!("there are more than {units}")));
        }
        Ok(Self { path, rows })
    }

    /// Opens the file to add results to those that were read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn appender(&self) -> Result<Appender, StoreError> {
        let named = |cause| io_error(&self.path, cause);
        // What was cut short is gone after this.
        write_whole(&self.path, &csv_text(&self.rows, true).map_err(named)?).map_err(named)?;
        Ok(Appender {
            file: OpenOptions::new()
                .append(true)
                .open(&self.path)
                .map_err(named)?,
            path: self.path.clone(),
            empty: self.rows.is_empty(),
        })
    }
}

/// Adds results to a file.
pub struct Appender {
    file: File,
    path: PathBuf,
    empty: bool,
}

impl Appender {
    /// Adds the results of one piece of work, at once.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append<R: Serialize>(&mut self, rows: &[R]) -> Result<(), StoreError> {
        let text = csv_text(rows, std::mem::take(&mut self.empty));
        let written = text.and_then(|text| self.file.write_all(&text));
        written.map_err(|cause| io_error(&self.path, cause))
    }
}

fn csv_text<R: Serialize>(rows: &[R], header: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(header)
        .from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    writer
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))
}

fn io_error(path: &Path, cause: io::Error) -> StoreError {
    StoreError::Io {
        path: path.to_path_buf(),
        cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    struct Row {
        name: String,
        value: f64,
    }

    fn row(value: f64) -> Row {
        Row {
            name: "mc:episodes=5,pick=share".into(),
            value,
        }
    }

    const SETTINGS: Settings = Settings {
        seed: 1,
        quick: true,
    };

    fn read(store: &Store) -> Result<Results<Row>, StoreError> {
        Results::read(store, "test", 2, 3)
    }

    #[test]
    fn results_are_added_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a/b"), SETTINGS).unwrap();
        assert!(read(&store).unwrap().rows.is_empty());
        let mut appender = read(&store).unwrap().appender().unwrap();
        appender.append(&[row(0.5), row(0.25)]).unwrap();
        appender.append(&[row(1e-7), row(3.0)]).unwrap();
        drop(appender);
        let results = read(&store).unwrap();
        assert_eq!(results.rows, [row(0.5), row(0.25), row(1e-7), row(3.0)]);
        results
            .appender()
            .unwrap()
            .append(&[row(4.0), row(5.0)])
            .unwrap();
        assert_eq!(read(&store).unwrap().rows.len(), 6);
    }

    #[test]
    fn what_was_cut_short_is_left_out_and_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), SETTINGS).unwrap();
        let mut appender = read(&store).unwrap().appender().unwrap();
        (0..3).for_each(|_| appender.append(&[row(0.5), row(0.25)]).unwrap());
        let path = store.path("test.csv");
        let whole = fs::read_to_string(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let results = read(&store).unwrap();
            assert!(results.rows.len().is_multiple_of(2) && results.rows.len() < 6);
            let mut appender = results.appender().unwrap();
            for _ in results.rows.len() / 2..3 {
                appender.append(&[row(0.5), row(0.25)]).unwrap();
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        }
    }

    #[test]
    fn other_things_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), SETTINGS).unwrap();
        for wrong in [
            "name,value\na,x\nb,1\n",
            "other,head\n1,2\n",
            &format!("name,value\n{}", "a,1\n".repeat(8)),
        ] {
            fs::write(store.path("test.csv"), wrong).unwrap();
            assert!(
                matches!(read(&store), Err(StoreError::Damaged { .. })),
                "{wrong}"
            );
        }
        let other = Settings {
            seed: 2,
            ..SETTINGS
        };
        assert!(matches!(
            Store::open(folder.path(), other),
            Err(StoreError::OtherSettings { .. })
        ));
        Store::open(folder.path(), SETTINGS).unwrap();
        let file = store.path("test.csv");
        assert!(matches!(
            Store::open(&file, SETTINGS),
            Err(StoreError::Io { .. })
        ));
    }
}
