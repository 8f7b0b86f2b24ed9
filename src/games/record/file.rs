//! Files that game records are appended to.
//!
//! Each line is written at once and whole, so that a killed program loses no finished game.
//! It is also synced to the disk, unless the last sync was less than a second ago: then the next
//! line syncs it, or the end of the program. So a power failure loses little. If the last line is
//! damaged all the same, it is cut off before anything is appended, but only in a file that
//! begins like a file of records.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::reader::{Entry, FileError, HEADER_KEY, Reader, io_error};
use super::seal::Seal;
use crate::files::{Destination, folder_of, leads_to, lock, sync_folder};

/// The disk space reserved for further records, in bytes; see [`RecordFile::reserve`]. A
/// record takes a few thousand.
const RESERVE: u64 = 256 << 10;

/// The time after a sync to the disk in which further lines are not synced.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A file that records are appended to. It is locked against other programs while it is
/// open. Dropping a new file to which nothing was appended removes it.
pub struct RecordFile {
    file: File,
    path: PathBuf,
    /// The path without links of a file that did not exist before.
    created: Option<PathBuf>,
    /// Whether the file is a pipe or device, which has no length.
    is_stream: bool,
    /// The number of bytes in good lines.
    length: u64,
    /// The length of a damaged last line, in bytes.
    damaged: u64,
    /// Whether the last good line lacks its newline.
    unended: bool,
    /// The length up to which disk space is reserved, in bytes.
    reserved: u64,
    synced: Instant,
    /// Whether the file was changed yet, by a reservation or an append.
    touched: bool,
    /// What was written, from the first change; `None` for a pipe or device.
    seal: Option<Seal>,
}

impl RecordFile {
    /// Creates a new file; a pipe or device is opened as it is.
    ///
    /// # Errors
    /// If it exists or cannot be created.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        Self::make(path, OpenOptions::new().create_new(true))
    }

    /// Creates a new file, or takes an empty one, such as a killed program leaves.
    ///
    /// # Errors
    /// If it has content or cannot be created, or another program is writing to it.
    pub fn begin(path: &Path) -> Result<Self, FileError> {
        loop {
            let exists = match Self::create(path) {
                Err(FileError::Io { cause, .. })
                    if cause.kind() == io::ErrorKind::AlreadyExists =>
                {
                    cause
                }
                created => return created,
            };
            let this = Self::overwrite(path)?;
            let found = this.file.metadata();
            if found.map_err(|cause| io_error(path, cause))?.len() > 0 {
                return Err(io_error(path, exists));
            }
            // The program that had it locked may have removed it.
            if leads_to(path, &this.file).map_err(|cause| io_error(path, cause))? {
                return Ok(this);
            }
        }
    }

    /// Creates a new file under a name that the program has chosen. A symbolic link is not
    /// followed.
    ///
    /// # Errors
    /// If anything has this name, or the file cannot be created.
    pub fn create_unlinked(path: &Path) -> Result<Self, FileError> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create_new(true);
        Self::make_free(path, path.to_path_buf(), options)
    }

    /// Creates a file or replaces an existing one, whose content is removed at the first
    /// append, not before.
    ///
    /// # Errors
    /// If it cannot be created, or another program is writing to it.
    pub fn overwrite(path: &Path) -> Result<Self, FileError> {
        let mut this = Self::make(path, OpenOptions::new().create(true))?;
        this.touched = false;
        Ok(this)
    }

    fn make(path: &Path, options: &mut OpenOptions) -> Result<Self, FileError> {
        let failed = |cause| io_error(path, cause);
        match Destination::of(path).map_err(failed)? {
            Destination::Stream(stream) => {
                let file = stream.open().map_err(failed)?;
                Ok(Self::new(file, path, true))
            }
            Destination::File(found) => {
                let file = options.read(true).write(true).open(found).map_err(failed)?;
                Self::locked(file, path)
            }
            Destination::Free(found) => {
                Self::make_free(path, found, options.read(true).write(true))
            }
        }
    }

    /// Creates the file `found`, to which `path` leads.
    fn make_free(path: &Path, found: PathBuf, options: &OpenOptions) -> Result<Self, FileError> {
        let file = options
            .open(&found)
            .map_err(|cause| io_error(path, cause))?;
        let mut this = Self::locked(file, path)?;
        sync_folder(folder_of(&found));
        this.created = Some(found);
        Ok(this)
    }

    /// Opens a file to append to it, and returns its entries. A damaged last line is cut
    /// off at the first append, not before. A missing file is created, and `None` is
    /// returned instead of entries. A pipe or device has no entries.
    ///
    /// # Errors
    /// If the file cannot be written, has an invalid line, or would have to be cut but does
    /// not begin like a file of records.
    pub fn resume(path: &Path) -> Result<(Self, Option<Vec<Entry>>), FileError> {
        let failed = |cause| io_error(path, cause);
        let found = match Destination::of(path).map_err(failed)? {
            Destination::File(path) => path,
            Destination::Free(_) => return Ok((Self::create(path)?, None)),
            Destination::Stream(_) => return Ok((Self::create(path)?, Some(Vec::new()))),
        };
        let file = OpenOptions::new().read(true).write(true).open(found);
        let mut this = Self::locked(file.map_err(failed)?, path)?;
        this.touched = false;
        let mut reader = Reader::new(BufReader::new(&this.file), path);
        let mut entries = Vec::new();
        let read = (reader.by_ref()).try_for_each(|entry| entry.map(|entry| entries.push(entry)));
        this.length = reader.whole_bytes();
        this.unended = !reader.is_ended();
        let end = this.file.metadata().map_err(failed)?.len();
        let is_whole = read.is_ok() && this.length == end;
        let is_unread = !is_whole && entries.is_empty();
        if is_unread && !this.begins_a_header().map_err(failed)? {
            return Err(FileError::Foreign(path.to_path_buf()));
        }
        read?;
        this.damaged = end.saturating_sub(this.length);
        Ok((this, Some(entries)))
    }

    /// The length in bytes of the damaged last line that will be cut off.
    pub fn damaged_bytes(&self) -> u64 {
        self.damaged
    }

    /// Whether the file begins like a header.
    fn begins_a_header(&mut self) -> io::Result<bool> {
        let beginning = format!("{{{HEADER_KEY:?}:");
        let mut head = Vec::new();
        self.file.rewind()?;
        let mut limited = (&self.file).take(beginning.len() as u64);
        limited.read_to_end(&mut head)?;
        Ok(head == beginning.as_bytes())
    }

    fn locked(file: File, path: &Path) -> Result<Self, FileError> {
        if !lock(&file).map_err(|cause| io_error(path, cause))? {
            return Err(FileError::Locked(path.to_path_buf()));
        }
        Ok(Self::new(file, path, false))
    }

    fn new(file: File, path: &Path, is_stream: bool) -> Self {
        Self {
            file,
            path: path.to_path_buf(),
            created: None,
            is_stream,
            length: 0,
            damaged: 0,
            unended: false,
            reserved: 0,
            synced: Instant::now(),
            touched: true,
            seal: None,
        }
    }

    /// Checks that no other program has changed the file since the first append.
    ///
    /// # Errors
    /// If one has.
    pub fn verify(&mut self) -> Result<(), FileError> {
        self.check(true)
    }

    /// Checks that no other program has changed the file; with `read`, all of it.
    fn check(&mut self, read: bool) -> Result<(), FileError> {
        let Some(seal) = &mut self.seal else {
            return Ok(());
        };
        match seal.holds(&self.file, &self.path, read) {
            Ok(true) => Ok(()),
            Ok(false) => {
                // What the other program wrote stays.
                self.seal = None;
                self.touched = false;
                Err(FileError::Changed(self.path.clone()))
            }
            Err(cause) => Err(io_error(&self.path, cause)),
        }
    }

    /// Takes the state of the file after a change by this program.
    fn update_seal(&mut self) {
        if let Some(seal) = &mut self.seal {
            seal.update(&self.file);
        }
    }

    /// Reserves disk space for the record of the next game.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn reserve(&mut self) -> Result<(), FileError> {
        self.check(false)?;
        let wanted = self.length + RESERVE;
        if !self.is_stream && self.reserved < self.length + RESERVE / 2 {
            let reserved = self.touch().and_then(|()| allocate(&self.file, wanted));
            reserved.map_err(|cause| io_error(&self.path, cause))?;
            self.reserved = wanted;
            self.update_seal();
        }
        Ok(())
    }

    /// Appends one line: a game record, or a header.
    ///
    /// # Errors
    /// If the line could not be written or synced; then nothing of it stays in the file. Also
    /// if another program has changed the file.
    pub fn append(&mut self, entry: &impl Serialize) -> Result<(), FileError> {
        self.check(false)?;
        let written = self.write_line(entry);
        if written.is_err() && self.touched {
            // The error of the write says more than an error of the clean-up.
            let _ = self.cut();
        }
        written.map_err(|cause| io_error(&self.path, cause))
    }

    fn write_line(&mut self, entry: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.touch()?;
        self.file.write_all(&line)?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        self.length += line.len() as u64;
        if let Some(seal) = &mut self.seal {
            seal.extend(&line);
            seal.update(&self.file);
        }
        Ok(())
    }

    /// Syncs the file to the disk.
    ///
    /// # Errors
    /// If the sync fails.
    pub fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        match self.file.sync_data() {
            // Pipes and devices cannot be synced, and need not be.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            done => done,
        }
    }

    /// Before the first change, cuts off a damaged last line and adds a missing newline.
    fn touch(&mut self) -> io::Result<()> {
        if !self.touched {
            self.cut()?;
            self.touched = true;
        }
        if self.unended {
            self.file.write_all(b"\n")?;
            self.length += 1;
            self.unended = false;
        }
        if self.seal.is_none() && !self.is_stream {
            self.seal = Some(Seal::of(&self.file, self.length)?);
        }
        Ok(())
    }

    /// Cuts off everything after the last good line, including reserved space.
    fn cut(&mut self) -> io::Result<()> {
        if self.is_stream {
            return Ok(());
        }
        self.reserved = self.length;
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.update_seal();
        Ok(())
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        if let Some(created) = self.created.take_if(|_| self.length == 0) {
            // Still locked, so no other program has begun to write to it. If this fails, an
            // empty file stays.
            if leads_to(&created, &self.file).is_ok_and(|leads| leads) {
                let _ = fs::remove_file(created);
            }
            return;
        }
        if self.touched {
            // The lines are written; only a power failure could lose them.
            let _ = self.cut();
            let _ = self.sync();
        }
    }
}

/// Reserves disk blocks for the file up to `end` bytes without changing its length. Does
/// nothing if the file system cannot do that.
#[cfg(target_os = "linux")]
fn allocate(file: &File, end: u64) -> io::Result<()> {
    use nix::errno::Errno;
    use nix::fcntl::{FallocateFlags, fallocate};

    let mode = FallocateFlags::FALLOC_FL_KEEP_SIZE;
    match fallocate(file, mode, 0, end as i64) {
        Err(full @ (Errno::ENOSPC | Errno::EDQUOT)) => Err(full.into()),
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::record::read_games;

    fn game(number: u64) -> Value {
        json!({"game": number, "players": ["A", "B"], "start": null, "turns": [],
               "winner": null, "ending": "interrupted"})
    }

    fn text_of(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    /// Resumes an existing file.
    fn resumed(path: &Path) -> (RecordFile, Vec<Entry>) {
        let (file, entries) = RecordFile::resume(path).unwrap();
        (file, entries.unwrap())
    }

    #[test]
    fn appended_lines_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut file = RecordFile::create(&path).unwrap();
        file.append(&json!({"tournament": {"seed": 1}})).unwrap();
        file.reserve().unwrap();
        file.append(&game(0)).unwrap();
        drop(file);
        let (mut file, entries) = resumed(&path);
        assert!(matches!(&entries[0], Entry::Header(header) if header["tournament"]["seed"] == 1));
        assert!(matches!(&entries[1], Entry::Game(record) if record.game == 0));
        file.append(&game(1)).unwrap();
        let numbers: Vec<u64> = read_games(&path).unwrap().iter().map(|g| g.game).collect();
        assert_eq!(numbers, [0, 1]);
        assert!(matches!(
            RecordFile::create(&path),
            Err(FileError::Io { .. })
        ));
        assert!(matches!(
            RecordFile::resume(&path),
            Err(FileError::Locked(_))
        ));
    }

    #[test]
    fn a_damaged_last_line_is_left_out_and_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let good = format!("{}\n\n{}\n", game(0), game(1));
        let whole = game(2).to_string();
        for end in [
            &whole[..20],
            &whole[..whole.len() - 1],
            "{\"game\":\n",
            "\u{0}\u{0}",
            &format!("{}\u{0}\u{0}\n", &whole[..20]),
            &format!("{whole}\u{0}\n"),
        ] {
            std::fs::write(&path, format!("{good}{end}")).unwrap();
            assert_eq!(read_games(&path).unwrap().len(), 2, "{end:?}");
            let mut reader = Reader::open(&path).unwrap();
            assert_eq!(reader.by_ref().count(), 2);
            assert!(reader.damaged());
            let (mut file, entries) = resumed(&path);
            assert_eq!(entries.len(), 2);
            // The damaged line stays until something is appended.
            assert_eq!(text_of(&path), format!("{good}{end}"));
            file.append(&game(2)).unwrap();
            assert_eq!(text_of(&path), format!("{good}{}\n", game(2)));
        }
    }

    #[test]
    fn a_whole_last_line_counts_without_its_newline() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let text = format!("{}\n{}", game(0), game(1));
        std::fs::write(&path, &text).unwrap();
        assert_eq!(read_games(&path).unwrap().len(), 2);
        let (mut file, entries) = resumed(&path);
        assert_eq!(entries.len(), 2);
        assert_eq!(text_of(&path), text);
        file.reserve().unwrap();
        file.append(&game(2)).unwrap();
        drop(file);
        assert_eq!(text_of(&path), format!("{text}\n{}\n", game(2)));
        // A file that ends with a newline gets no other.
        std::fs::write(&path, format!("{text}\n")).unwrap();
        resumed(&path).0.append(&game(2)).unwrap();
        assert_eq!(text_of(&path), format!("{text}\n{}\n", game(2)));
    }

    #[test]
    fn a_damaged_line_before_the_last_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let bad_winner = game(0)
            .to_string()
            .replace("\"winner\":null", "\"winner\":2");
        for bad in ["{\"game\":1", "[]", "null", "{\"game\":\"x\"}", &bad_winner] {
            std::fs::write(&path, format!("{}\n{bad}\n{}\n", game(0), game(1))).unwrap();
            let text = text_of(&path);
            let error = read_games(&path).unwrap_err().to_string();
            assert!(error.contains("line 2"), "{bad}: {error}");
            assert!(RecordFile::resume(&path).is_err());
            assert_eq!(text_of(&path), text);
        }
    }

    #[test]
    fn a_whole_last_line_that_is_no_record_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let array = format!("[{}]", game(1));
        for (bad, why) in [
            ("hello", "expected value"),
            ("5", "invalid"),
            (&array, "an array"),
        ] {
            for end in ["", "\n"] {
                let text = format!("{}\n{bad}{end}", game(0));
                std::fs::write(&path, &text).unwrap();
                let resumed = RecordFile::resume(&path).err().unwrap();
                for error in [read_games(&path).unwrap_err(), resumed] {
                    let error = error.to_string();
                    assert!(
                        error.contains("line 2: not a game record such as "),
                        "{error}"
                    );
                    assert!(error.contains(why), "{error}");
                }
                assert_eq!(text_of(&path), text);
            }
        }
    }

    #[test]
    fn files_of_other_kinds_are_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let foreign: [&[u8]; 5] = [
            b"a line\n",
            b"{\"key\":1}\n{\"cut",
            b"\x7fELF\0\0\x01",
            b"{",
            b"{\"tournaments",
        ];
        for bytes in foreign {
            std::fs::write(&path, bytes).unwrap();
            let error = RecordFile::resume(&path).err().unwrap();
            assert!(matches!(error, FileError::Foreign(_)), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        // A header that was cut short.
        std::fs::write(&path, "{\"tournament\":{\"pl").unwrap();
        let (mut file, entries) = resumed(&path);
        assert!(entries.is_empty());
        file.append(&game(0)).unwrap();
        drop(file);
        assert_eq!(text_of(&path), format!("{}\n", game(0)));
    }

    #[test]
    fn a_new_file_is_removed_if_it_stays_empty() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut file = RecordFile::create(&path).unwrap();
        file.reserve().unwrap();
        assert!(path.exists());
        drop(file);
        assert!(!path.exists());
        drop(RecordFile::resume(&path).unwrap());
        assert!(!path.exists());
        // One that was there before stays, and one that was put in its place.
        let file = RecordFile::create(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, "").unwrap();
        drop(file);
        drop(RecordFile::begin(&path).unwrap());
        assert!(path.exists());
    }

    #[test]
    fn a_tournament_begins_in_a_new_or_an_empty_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        drop(RecordFile::begin(&path).unwrap());
        std::fs::write(&path, "").unwrap();
        let mut file = RecordFile::begin(&path).unwrap();
        file.append(&game(0)).unwrap();
        drop(file);
        let exists = RecordFile::begin(&path).err().unwrap();
        assert!(
            matches!(&exists, FileError::Io { cause, .. } if cause.kind() == io::ErrorKind::AlreadyExists),
            "{exists}"
        );
        assert_eq!(text_of(&path), format!("{}\n", game(0)));
    }

    #[test]
    fn a_file_that_its_last_user_removes_is_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let last = RecordFile::create(&path).unwrap();
        let next = std::thread::spawn({
            let path = path.clone();
            move || RecordFile::begin(&path)
        });
        std::thread::sleep(Duration::from_millis(100));
        drop(last);
        let mut next = next.join().unwrap().unwrap();
        next.append(&game(0)).unwrap();
        assert_eq!(text_of(&path), format!("{}\n", game(0)));
    }

    #[test]
    fn a_missing_file_is_created_and_an_old_one_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut file, entries) = RecordFile::resume(&path).unwrap();
        assert_eq!(entries, None);
        file.append(&game(0)).unwrap();
        let locked = RecordFile::overwrite(&path).err().unwrap();
        assert!(matches!(locked, FileError::Locked(_)), "{locked}");
        drop(file);
        let mut file = RecordFile::overwrite(&path).unwrap();
        assert_eq!(text_of(&path), format!("{}\n", game(0)));
        file.append(&game(1)).unwrap();
        assert_eq!(text_of(&path), format!("{}\n", game(1)));
    }

    #[cfg(unix)]
    #[test]
    fn two_programs_may_write_to_one_device() {
        let null = Path::new("/dev/null");
        let _first = RecordFile::create(null).unwrap();
        let (_second, entries) = RecordFile::resume(null).unwrap();
        assert_eq!(entries, Some(Vec::new()));
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_is_an_error() {
        let path = Path::new("/dev/full");
        let mut file = RecordFile::create(path).unwrap();
        let error = file.append(&game(0)).unwrap_err().to_string();
        assert!(error.contains("/dev/full: No space left"), "{error}");
    }
}
