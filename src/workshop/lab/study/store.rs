//! Where an experiment keeps its raw results: one CSV file that grows, so
//! that what was done is not done again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::games::Contestant;
use crate::files::{lock, read_all, read_file, write_whole};

/// The file of the settings, by which a folder of experiments is known.
const SETTINGS: &str = "settings.json";

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
    #[error(
        "{0} is not empty and no folder of experiments; name another one, or say --force to write \
         there all the same"
    )]
    OtherFolder(PathBuf),
    #[error(
        "{0}: another program is working in this folder; wait until it is done, or name another \
         folder"
    )]
    Busy(PathBuf),
}

/// What all results in a folder were made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudySettings {
    pub seed: u64,
    /// A small version of every experiment, for trying them out.
    pub quick: bool,
}

impl StudySettings {
    /// How many games a matchup plays; in a quick run only a few.
    pub fn games(self, full: u64) -> u64 {
        if self.quick { 4 } else { full }
    }
}

/// The settings as they stand in the folder.
#[derive(PartialEq, Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    settings: StudySettings,
    /// The agents that joined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<String>,
}

/// The folder of some experiments. No other program works in it meanwhile.
pub struct Store {
    folder: PathBuf,
    /// The file of the settings, which is locked while it is open.
    _settings: File,
}

impl Store {
    /// Opens a folder, or makes it. With `force` it may hold other files too,
    /// which are overwritten if they have the names of results.
    ///
    /// # Errors
    /// If it cannot be made or written to, holds experiments with other
    /// settings, or something else.
    pub fn open(
        folder: &Path,
        settings: StudySettings,
        contestants: &[Contestant],
        force: bool,
    ) -> Result<Self, StoreError> {
        let with = contestants.iter().map(|agent| agent.name.clone());
        let settings = Kept {
            settings,
            with: with.collect(),
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
        let mut file = locked(folder, &path)?;
        let failed = |cause| io_error(&path, cause);
        let found = read_all(&file, LONGEST).map_err(failed)?;
        if found.is_empty() {
            let text = serde_json::to_string(&settings).map_err(|error| failed(error.into()))?;
            // A run in a folder that has the beginning of it would be refused.
            let written = file.write_all((text + "\n").as_bytes());
            written
                .or_else(|cause| file.set_len(0).and(Err(cause)))
                .map_err(failed)?;
        } else if serde_json::from_slice(&found).ok().as_ref() != Some(&settings) {
            let text = String::from_utf8_lossy(&found);
            let settings = text.chars().take(80).collect::<String>().trim().to_string();
            return Err(StoreError::OtherSettings { path, settings });
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
pub struct ResultFile<R> {
    path: PathBuf,
    pub rows: Vec<R>,
}

impl<R: Serialize + DeserializeOwned> ResultFile<R> {
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
        let bytes = match read_file(&path, LONGEST) {
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
        if lines == 0 && !bytes.iter().all(|&byte| is_in_header(byte)) {
            return Err(damaged("no header".to_string()));
        }
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

/// Whether a header may hold this byte: only names of columns, and commas.
fn is_in_header(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b','
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

/// Whether a folder holds files besides that of the settings, which another run
/// may have made just now.
fn holds_others(folder: &Path) -> Result<bool, StoreError> {
    let failed = |cause| io_error(folder, cause);
    for entry in fs::read_dir(folder).map_err(failed)? {
        if entry.map_err(failed)?.file_name() != SETTINGS {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The file of the settings, which is made if it is not there, locked.
fn locked(folder: &Path, path: &Path) -> Result<File, StoreError> {
    let failed = |cause| io_error(path, cause);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(failed)?;
    if !lock(&file).map_err(failed)? {
        return Err(StoreError::Busy(folder.to_path_buf()));
    }
    Ok(file)
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
        ResultFile::read(store, "test", 2, 3)
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
    fn what_was_cut_short_is_left_out_and_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
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
        let store = open(folder.path());
        for wrong in [
            "name,value\na,x\nb,1\n",
            "other,head\n1,2\n",
            &format!("name,value\n{}", "a,1\n".repeat(8)),
            "Dear reader, of one line",
        ] {
            fs::write(store.path("test.csv"), wrong).unwrap();
            assert!(
                matches!(read(&store), Err(StoreError::Damaged { .. })),
                "{wrong}"
            );
        }
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
}
