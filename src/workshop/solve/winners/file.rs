//! The file of a game of which it is known who wins: slabs of bits, the highest
//! layers and frames first.
//!
//! All numbers are little-endian:
//!
//! ```text
//! "SANTORINI-WINNERS\n"  18 bytes
//! length                 u32, of the header
//! header                 JSON: the board, and the highest layer that is kept
//! checksum               u64, FNV-1a of all bytes before it
//! then slabs:
//!   total                u32, the sum of all levels
//!   frames               u32, the sum of those of the frame
//!   length               u64, of its bits in bytes
//!   checksum             u64, of these three
//!   the bits
//!   checksum             u64, of the bits
//! ```
//!
//! A slab is added when it is solved, so a file that a program did not finish is
//! good for its whole slabs. What is behind the empty board is not used. A file is checked
//! as a whole before it is gone on with. Only its last slab may be incomplete; that is
//! solved again.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::slab::{Slab, SlabIndex, SlabName};
use crate::files::{Kind, open_regular, write_whole_with};
use crate::fnv::Fnv;
use crate::solve::bytes::Bytes;
use crate::solve::file::SolvedFileError;
use crate::solve::game::SmallGame;
use crate::solve::parts::{
    CHECKSUM, append, find_begun, io_error, is_empty_from, open_or_begin, read_header, write_header,
};

const MAGIC: &[u8; 18] = b"SANTORINI-WINNERS\n";
const VERSION: u32 = 1;
const SLAB_HEADER: u64 = 4 + 4 + 8 + CHECKSUM;
/// What is read at a time.
const PIECE: usize = 1 << 20;

/// The file of `santorini solve --winners`.
pub const WINNERS_FILE: Kind = Kind {
    name: "a file of `santorini solve --winners`",
    begins: |head| head.starts_with(MAGIC),
};

/// What a file is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    version: u32,
    board: String,
    workers: usize,
    /// The sum of levels of the highest layer that is kept.
    kept: usize,
}

impl Header {
    fn new(game: &SmallGame, kept: usize) -> Self {
        Self {
            version: VERSION,
            board: game.shape.to_string(),
            workers: game.workers,
            kept,
        }
    }

    fn game(&self) -> Option<SmallGame> {
        let shape = self.board.parse().ok()?;
        let game = SmallGame::new(shape, 1, None);
        let is_right = self.version == VERSION && self.workers == 1;
        (is_right && game.has_room() && self.kept <= game.highest_total()).then_some(game)
    }
}

/// Where a slab is in a file.
#[derive(Clone, Copy, Debug)]
struct Section {
    name: SlabName,
    start: u64,
    length: u64,
}

impl Section {
    const fn end(&self) -> u64 {
        self.start + self.length + CHECKSUM
    }
}

/// A file of slabs that is open.
pub struct WinnersFile {
    path: PathBuf,
    file: File,
    kept: usize,
    game: SmallGame,
    /// Where the header ends.
    begin: u64,
    sections: Vec<Section>,
}

impl WinnersFile {
    /// Opens a file to read.
    ///
    /// # Errors
    /// If it cannot be read, or is something else.
    pub fn open(path: &Path) -> Result<Self, SolvedFileError> {
        let file = open_regular(path).map_err(|cause| io_error(path, cause))?;
        Self::read(path, file)
    }

    /// Opens a file to read that can be gone on with, and checks it; `None` if there is
    /// nothing yet. A last slab that is not whole counts as not there.
    ///
    /// # Errors
    /// If it cannot be read, is about something else, or damaged.
    pub fn begun(
        path: &Path,
        game: &SmallGame,
        kept: usize,
    ) -> Result<Option<Self>, SolvedFileError> {
        let Some(file) = find_begun(path)? else {
            return Ok(None);
        };
        Self::read(path, file)?.of(game, kept)?.checked().map(Some)
    }

    /// Opens a file to go on with, or makes it, for a game with the layers up to
    /// `kept`, and checks it.
    ///
    /// # Errors
    /// If it cannot be written, is about something else, or damaged.
    pub fn resume(path: &Path, game: &SmallGame, kept: usize) -> Result<Self, SolvedFileError> {
        let file = open_or_begin(path, MAGIC, &Header::new(game, kept))?;
        Self::read(path, file)?.of(game, kept)?.checked()
    }

    /// Checks all slabs. If the last one has a wrong checksum it was not written to its
    /// end, and counts as not there.
    fn checked(mut self) -> Result<Self, SolvedFileError> {
        for (index, section) in self.sections.iter().enumerate() {
            let is_last = index + 1 == self.sections.len();
            match self.read_section(section, |_| {}) {
                Err(SolvedFileError::Damaged { .. }) if is_last => {
                    self.sections.pop();
                    break;
                }
                checked => checked?,
            }
        }
        Ok(self)
    }

    /// The bytes behind the last whole slab: a part of the next one or, behind the empty
    /// board, something else.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn behind(&self) -> Result<u64, SolvedFileError> {
        let found = self.file.metadata();
        let length = found.map_err(|cause| io_error(&self.path, cause))?.len();
        Ok(length.saturating_sub(self.length()))
    }

    /// Makes sure that the file is about this.
    fn of(self, game: &SmallGame, kept: usize) -> Result<Self, SolvedFileError> {
        let name = |game: &SmallGame, kept: usize| format!("{game} up to {kept} levels");
        let [holds, wanted] = [name(&self.game, self.kept), name(game, kept)];
        if holds == wanted {
            return Ok(self);
        }
        Err(SolvedFileError::Other {
            path: self.path,
            holds,
            wanted,
        })
    }

    /// Reads the header and finds the slabs that are whole.
    fn read(path: &Path, file: File) -> Result<Self, SolvedFileError> {
        let failed = |cause| io_error(path, cause);
        let damaged = |what: String| SolvedFileError::Damaged {
            path: path.to_path_buf(),
            what,
        };
        let (header, begin) = read_header::<Header>(path, MAGIC, WINNERS_FILE, &file)?;
        let game = header.game();
        let game = game.ok_or_else(|| damaged("its header names no game".into()))?;
        let length = file.metadata().map_err(failed)?.len();
        let (mut end, mut sections) = (begin, Vec::new());
        while !ends_with_empty_board(&sections) && end + SLAB_HEADER <= length {
            let mut head = [0; SLAB_HEADER as usize];
            file.read_exact_at(&mut head, end).map_err(failed)?;
            let start = end + SLAB_HEADER;
            let section = section(&head, start);
            if section.is_none() && is_empty_from(&file, start).map_err(failed)? {
                break;
            }
            let section = section.ok_or_else(|| damaged(format!("no slab at byte {end}")))?;
            if section.end() > length {
                break;
            }
            end = section.end();
            sections.push(section);
        }
        Ok(Self {
            path: path.to_path_buf(),
            file,
            kept: header.kept,
            game,
            begin,
            sections,
        })
    }

    /// The game that is solved.
    pub const fn game(&self) -> &SmallGame {
        &self.game
    }

    /// The highest layer that is kept.
    pub const fn kept(&self) -> usize {
        self.kept
    }

    /// The length of its whole slabs and of what is before them.
    pub fn length(&self) -> u64 {
        self.sections.last().map_or(self.begin, Section::end)
    }

    /// Whether a slab is there.
    pub fn has(&self, name: SlabName) -> bool {
        self.section(name).is_some()
    }

    fn section(&self, name: SlabName) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Cuts off all but the first slabs.
    ///
    /// # Errors
    /// If that fails.
    pub fn keep_first(&mut self, count: usize) -> Result<(), SolvedFileError> {
        self.sections.truncate(count);
        let cut = self.file.set_len(self.length());
        cut.map_err(|cause| io_error(&self.path, cause))
    }

    /// Whether the empty board is there.
    pub fn is_finished(&self) -> bool {
        ends_with_empty_board(&self.sections)
    }

    /// Makes sure that the empty board is there.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_finished(&self) -> Result<(), SolvedFileError> {
        if self.is_finished() {
            return Ok(());
        }
        let lowest = self.sections.last().map(|section| section.name.total);
        Err(SolvedFileError::Unfinished {
            path: self.path.clone(),
            total: lowest.unwrap_or(self.kept + 1),
            command: format!(
                "`santorini solve --winners --board {} --workers 1 {}`",
                self.game.shape,
                self.path.display()
            ),
        })
    }

    /// Adds the next slab.
    ///
    /// # Errors
    /// If it cannot be written; then the file ends with the slab before.
    pub fn add(&mut self, slab: &Slab) -> Result<(), SolvedFileError> {
        let end = self.length();
        append(&self.path, &self.file, end, |out| write_slab(out, slab))?;
        self.sections.push(Section {
            name: slab.index.name,
            start: end + SLAB_HEADER,
            length: slab.bytes.filled().len() as u64,
        });
        Ok(())
    }

    /// Makes sure that what was added survives a power failure.
    ///
    /// # Errors
    /// If the system cannot promise that.
    pub fn sync(&self) -> Result<(), SolvedFileError> {
        let synced = self.file.sync_all();
        synced.map_err(|cause| io_error(&self.path, cause))
    }

    /// Reads a slab into `bytes`, which are as long as it must be.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written.
    pub fn slab(&self, index: SlabIndex, mut bytes: Bytes) -> Result<Slab, SolvedFileError> {
        let section = self.section(index.name);
        let section = section.filter(|section| section.length == index.bytes());
        let section = section
            .ok_or_else(|| self.damaged(index.name, "no slab, or one of another length,"))?;
        self.read_section(section, |piece| bytes.add(piece))?;
        Ok(Slab { index, bytes })
    }

    fn damaged(&self, name: SlabName, what: &str) -> SolvedFileError {
        SolvedFileError::Damaged {
            path: self.path.clone(),
            what: format!(
                "{what} of {} levels, {} on the frame",
                name.total, name.frames
            ),
        }
    }

    /// Reads a slab piece by piece and checks it.
    fn read_section(
        &self,
        section: &Section,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), SolvedFileError> {
        let (mut sum, mut piece) = (Fnv::default(), vec![0; PIECE]);
        let mut left = section.length;
        while left > 0 {
            let piece = &mut piece[..left.min(PIECE as u64) as usize];
            self.read_at(piece, section.start + section.length - left)?;
            sum.add(piece);
            take(piece);
            left -= piece.len() as u64;
        }
        let mut written = [0; CHECKSUM as usize];
        self.read_at(&mut written, section.start + section.length)?;
        if sum.value().to_le_bytes() != written {
            return Err(self.damaged(section.name, "wrong checksum of the slab"));
        }
        Ok(())
    }

    fn read_at(&self, bytes: &mut [u8], start: u64) -> Result<(), SolvedFileError> {
        let read = self.file.read_exact_at(bytes, start);
        read.map_err(|cause| io_error(&self.path, cause))
    }
}

fn ends_with_empty_board(sections: &[Section]) -> bool {
    let last = sections.last();
    last.is_some_and(|section| section.name.total == 0)
}

/// Writes a file with some slabs as a whole.
///
/// # Errors
/// If that fails; then what was there is as it was.
pub fn write_slabs<'a>(
    path: &Path,
    game: &SmallGame,
    slabs: impl Iterator<Item = &'a Slab>,
) -> Result<(), SolvedFileError> {
    let header = Header::new(game, game.highest_total());
    let write = |out: &mut dyn Write| {
        write_header(out, MAGIC, &header)?;
        let mut slabs = slabs;
        slabs.try_for_each(|slab| write_slab(out, slab))
    };
    write_whole_with(path, write).map_err(|cause| io_error(path, cause))
}

fn write_slab(out: &mut dyn Write, slab: &Slab) -> io::Result<()> {
    let (name, bits) = (slab.index.name, slab.bytes.filled());
    let mut head = (name.total as u32).to_le_bytes().to_vec();
    head.extend((name.frames as u32).to_le_bytes());
    head.extend((bits.len() as u64).to_le_bytes());
    head.extend(Fnv::of(&head).to_le_bytes());
    out.write_all(&head)?;
    out.write_all(bits)?;
    out.write_all(&Fnv::of(bits).to_le_bytes())
}

/// The slab that begins at `start`, after its header; `None` if that is damaged.
fn section(head: &[u8; SLAB_HEADER as usize], start: u64) -> Option<Section> {
    let (head, sum) = head.split_at(16);
    if sum != Fnv::of(head).to_le_bytes() {
        return None;
    }
    let number = |at: usize| head[at..at + 4].try_into().map(u32::from_le_bytes).ok();
    let section = Section {
        name: SlabName {
            total: number(0)? as usize,
            frames: number(4)? as usize,
        },
        start,
        length: u64::from_le_bytes(head[8..].try_into().ok()?),
    };
    // No more than a disk can hold, so that no sum of these overflows.
    (section.length < 1 << 48).then_some(section)
}
