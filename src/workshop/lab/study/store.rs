//! The folder of a study: settings, and the raw results of each experiment as JSON
//! lines. Results are appended, so an interrupted run can be resumed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::files::{open_locked, read_all, read_file, write_whole};
use crate::printable::excerpt;

/// The settings file, which identifies a folder of experiments.
const SETTINGS: &str = "settings.json";

/// Maximum size of a results file in bytes.
const LONGEST: u64 = 256 << 20;

/// Why results cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused to open, read or write a file.
    #[error("{path}: {cause}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// A file of results cannot be read back.
    #[error(
        "{path} does not hold results of this experiment ({cause}); move it away to start again"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The folder has files in the format of an earlier version.
    #[error(
        "{0} holds results as CSV, from a version before 0.6.0; resume it with that version, or use \
         another folder"
    )]
    Csv(PathBuf),
    /// The path is a file.
    #[error("{0} is not a folder; use a new or empty one")]
    NoFolder(PathBuf),
    /// The folder belongs to a run with another seed, size or agent.
    #[error(
        "{path} is of an experiment with other settings ({settings}), not {asked}; use another \
         folder"
    )]
    OtherSettings {
        /// The file with the results.
        path: PathBuf,
        /// The settings of the folder.
        settings: String,
        /// The settings of this run.
        asked: String,
    },
    /// The folder has files that no experiment wrote.
    #[error(
        "{0} is not empty and not a folder of experiments; use another one, or --force to write \
         there anyway"
    )]
    OtherFolder(PathBuf),
    /// Another process holds the lock on the folder.
    #[error("{0} is in use by another program; wait until it ends, or use another folder")]
    Busy(PathBuf),
}

/// The settings shared by all results in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudySettings {
    /// The seed of all games.
    pub seed: u64,
    /// Whether to run a small version of every experiment.
    pub quick: bool,
}

impl StudySettings {
    /// The games of a matchup: `full`, or 4 in a quick run.
    pub fn games(self, full: u64) -> u64 {
        if self.quick { 4 } else { full }
    }
}

/// The contents of the settings file.
#[derive(PartialEq, Serialize, Deserialize)]
struct SettingsFile {
    #[serde(flatten)]
    settings: StudySettings,
    /// The agents added with `--with`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<String>,
}

/// The folder of a study, locked against other programs.
pub struct Store {
    folder: PathBuf,
    /// Holds the lock.
    _settings: File,
}

impl Store {
    /// Opens or creates a folder for results with these settings and these contestants, by
    /// name. With `force` it may hold other files, which are overwritten if they have the names
    /// of results.
    ///
    /// # Errors
    /// If the folder cannot be created, is in use, or holds results with other
    /// settings or other files.
    pub fn open(
        folder: &Path,
        settings: StudySettings,
        contestants: &[String],
        force: bool,
    ) -> Result<Self, StoreError> {
        let settings = SettingsFile {
            settings,
            with: contestants.to_vec(),
        };
        if folder.exists() && !folder.is_dir() {
            return Err(StoreError::NoFolder(folder.to_path_buf()));
        }
        fs::create_dir_all(folder).map_err(|cause| io_error(folder, cause))?;
        let path = folder.join(SETTINGS);
        let has_settings = fs::metadata(&path).is_ok_and(|found| found.len() > 0);
        if !force && !has_settings && holds_others(folder)? {
            return Err(StoreError::OtherFolder(folder.to_path_buf()));
        }
        let failed = |cause| io_error(&path, cause);
        let file = open_locked(&path).map_err(failed)?;
        let mut file = file.ok_or_else(|| StoreError::Busy(folder.to_path_buf()))?;
        let found = read_all(&file, LONGEST).map_err(failed)?;
        let text = serde_json::to_string(&settings).map_err(|error| failed(error.into()))?;
        let old: Option<SettingsFile> = serde_json::from_slice(&found).ok();
        if old.as_ref() != Some(&settings) {
            let is_unused = found.is_empty() || old.is_some() && !holds_others(folder)?;
            if !is_unused {
                let found = String::from_utf8_lossy(&found);
                let [settings, asked] = [found.trim(), &text].map(|text| excerpt(text, 200));
                return Err(StoreError::OtherSettings {
                    path,
                    settings,
                    asked,
                });
            }
            // A truncated settings file would make the folder unusable.
            let emptied = file.set_len(0).and_then(|()| file.rewind());
            let written = emptied.and_then(|()| file.write_all((text + "\n").as_bytes()));
            written
                .or_else(|cause| file.set_len(0).and(Err(cause)))
                .map_err(failed)?;
        }
        Ok(Self {
            folder: folder.to_path_buf(),
            _settings: file,
        })
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes or replaces a whole file in the folder.
    ///
    /// # Errors
    /// If writing fails; an existing file is then unchanged.
    pub fn write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let path = self.path(name);
        write_whole(&path, text.as_bytes()).map_err(|cause| io_error(&path, cause))
    }
}

/// What is wrong with a row of results.
pub(super) type Misfit = &'static str;

/// Checks that a row is `placed` where it belongs, and that its numbers are `possible`.
pub(super) fn check_row(placed: bool, possible: bool) -> Result<(), Misfit> {
    match (placed, possible) {
        (false, _) => Err("another result belongs here"),
        (true, false) => Err("a number is out of range"),
        (true, true) => Ok(()),
    }
}

/// The results of one experiment, in the order of its units.
pub(super) struct ResultFile<R> {
    path: PathBuf,
    pub rows: Vec<R>,
    /// The number of complete units.
    pub units: u64,
}

impl<R: Serialize + DeserializeOwned> ResultFile<R> {
    /// Reads the results of all complete units, of `rows_per_unit` rows each. An
    /// incomplete unit at the end is ignored. `check` receives each row and its number from 0.
    ///
    /// # Errors
    /// If the file exists but cannot be read or holds something else, or a row does not fit.
    pub(super) fn read(
        store: &Store,
        name: &str,
        rows_per_unit: usize,
        units: u64,
        check: impl Fn(u64, &R) -> Result<(), Misfit>,
    ) -> Result<Self, StoreError> {
        let path = store.path(&format!("{name}.jsonl"));
        let bytes = match read_file(&path, LONGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let old = store.path(&format!("{name}.csv"));
                if old.exists() {
                    return Err(StoreError::Csv(old));
                }
                Vec::new()
            }
            Err(cause) => return Err(StoreError::Io { path, cause }),
        };
        let damaged = |cause: String| StoreError::Damaged {
            path: path.clone(),
            cause,
        };
        let mut rows = Vec::new();
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            if line.starts_with(b"{") && !line.ends_with(b"\n") {
                break; // truncated
            }
            let row = serde_json::from_slice(line);
            rows.push(row.map_err(|error| damaged(format!("line {number}: {error}")))?);
        }
        let complete = rows.len() / rows_per_unit;
        rows.truncate(complete * rows_per_unit);
        if complete as u64 > units {
            return Err(damaged(format!("more than {units} units")));
        }
        for (index, row) in (0..).zip(&rows) {
            check(index, row).map_err(|misfit| damaged(format!("line {}: {misfit}", index + 1)))?;
        }
        Ok(Self {
            path,
            rows,
            units: complete as u64,
        })
    }

    /// Opens the file to append results to those that were read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn appender(&self) -> Result<Appender, StoreError> {
        let named = |cause| io_error(&self.path, cause);
        // This drops an incomplete unit.
        write_whole(&self.path, &json_lines(&self.rows).map_err(named)?).map_err(named)?;
        let file = OpenOptions::new().append(true).open(&self.path);
        Ok(Appender {
            file: file.map_err(named)?,
            path: self.path.clone(),
        })
    }
}

/// Appends results to a file.
pub(super) struct Appender {
    file: File,
    path: PathBuf,
}

impl Appender {
    /// Appends the results of one unit in a single write.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn append<R: Serialize>(&mut self, rows: &[R]) -> Result<(), StoreError> {
        let written = json_lines(rows).and_then(|text| self.file.write_all(&text));
        written.map_err(|cause| io_error(&self.path, cause))
    }
}

fn json_lines<R: Serialize>(rows: &[R]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut text, row)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// Whether a folder holds files other than the settings.
fn holds_others(folder: &Path) -> Result<bool, StoreError> {
    let failed = |cause| io_error(folder, cause);
    for entry in fs::read_dir(folder).map_err(failed)? {
        if entry.map_err(failed)?.file_name() != SETTINGS {
            return Ok(true);
        }
    }
    Ok(false)
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

    const QUICK: StudySettings = StudySettings {
        seed: 1,
        quick: true,
    };

    fn open(folder: &Path) -> Store {
        Store::open(folder, QUICK, &[], false).unwrap()
    }

    fn read(store: &Store) -> Result<ResultFile<Row>, StoreError> {
        ResultFile::read(store, "test", 2, 3, |_, _| Ok(()))
    }

    #[test]
    fn results_are_added_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("a/b"));
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
    fn an_incomplete_unit_is_dropped_and_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let mut appender = read(&store).unwrap().appender().unwrap();
        (0..3).for_each(|_| appender.append(&[row(0.5), row(0.25)]).unwrap());
        let path = store.path("test.jsonl");
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
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let row = "{\"name\":\"a\",\"value\":1}\n";
        for wrong in [
            "{\"name\":\"a\",\"value\":\"x\"}\n",
            "{\"other\":1}\n",
            &row.repeat(8),
            "Dear reader, of one line",
        ] {
            fs::write(store.path("test.jsonl"), wrong).unwrap();
            assert!(
                matches!(read(&store), Err(StoreError::Damaged { .. })),
                "{wrong}"
            );
        }
        fs::rename(store.path("test.jsonl"), store.path("test.csv")).unwrap();
        assert!(matches!(read(&store), Err(StoreError::Csv(_))));
        let file = store.path("test.csv");
        drop(store);
        let other = StudySettings { seed: 2, ..QUICK };
        assert!(matches!(
            Store::open(folder.path(), other, &[], true),
            Err(StoreError::OtherSettings { .. })
        ));
        open(folder.path());
        assert!(matches!(
            Store::open(&file, QUICK, &[], true),
            Err(StoreError::NoFolder(_))
        ));
    }

    #[test]
    fn one_run_at_a_time_works_in_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        read(&store)
            .unwrap()
            .appender()
            .unwrap()
            .append(&[row(0.5), row(0.25)])
            .unwrap();
        let second = Store::open(folder.path(), QUICK, &[], true);
        assert!(matches!(second, Err(StoreError::Busy(_))));
        drop(store);
        assert_eq!(read(&open(folder.path())).unwrap().rows.len(), 2);
    }

    #[test]
    fn a_folder_of_other_files_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("report.html"), "mine").unwrap();
        assert!(matches!(
            Store::open(folder.path(), QUICK, &[], false),
            Err(StoreError::OtherFolder(_))
        ));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        Store::open(folder.path(), QUICK, &[], true).unwrap();
        open(folder.path());
    }

    #[test]
    fn a_folder_without_results_takes_other_settings() {
        let folder = tempfile::tempdir().unwrap();
        let with = ["a longer name than the next".to_string()];
        Store::open(folder.path(), QUICK, &with, false).unwrap();
        drop(open(folder.path()));
        open(folder.path());
        // A file of another program.
        fs::write(folder.path().join(SETTINGS), "{}\n").unwrap();
        assert!(matches!(
            Store::open(folder.path(), QUICK, &[], true),
            Err(StoreError::OtherSettings { .. })
        ));
    }
}
