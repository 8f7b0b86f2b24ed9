//! Files that game records are appended to.
//!
//! Each line is written at once and whole, so that a killed program loses no finished game.
//! It is also synced to the disk, unless the last sync was less than a second ago: then the next
//! line syncs it, or the end of the program. So a power failure loses little. A damaged last line
//! is cut off before anything is appended, but only in a file that begins like a file of records.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use super::game::GameRecord;
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

/// The error of a file of records, with the finished games that are not in it.
#[derive(Debug, thiserror::Error)]
#[error("{cause}{}", not_saved(.lost))]
pub struct SaveError {
    /// The error of the file.
    pub cause: FileError,
    /// The finished games that are not in the file.
    pub lost: Vec<GameRecord>,
}

/// The games that are not in the file, for an error message; empty without any.
fn not_saved(lost: &[GameRecord]) -> String {
    if lost.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lost.iter().map(|game| json!(game).to_string()).collect();
    format!("\nnot saved in the file:\n{}", lines.join("\n"))
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
        Err(full @ (Errno::ENOSPC | Errno::EDQUOT)) => {
            let full = io::Error::from(full);
            let why = format!("{full}; games need {} KiB of free space", RESERVE >> 10);
            Err(io::Error::new(full.kind(), why))
        }
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
