//! The file of a solved game: its parts in the order in which they are solved.
//!
//! Parts are layers of values, or slabs of winners. All numbers are little-endian:
//!
//! ```text
//! "SANTORINI-SOLVED\n" or "SANTORINI-WINNERS\n"
//! length                 u32, of the header
//! header                 JSON: the game, and the highest layer that is kept
//! checksum               u64, FNV-1a of all bytes before it
//! then parts:
//!   total                u32, the sum of all levels
//!   frames               u32, the sum of the levels on the frame; only of winners
//!   length               u64, of its bytes
//!   checksum             u64, of these numbers
//!   blocks of bytes, each with
//!   checksum             u64, of the block
//! ```
//!
//! A layer has blocks of 65,536 bytes, the last one shorter; a slab is one block.
//!
//! Parts are appended as soon as they are solved, so the complete parts of an unfinished
//! file are valid. Bytes after the empty board are ignored. Every block is checked when it
//! is read, and the whole file before it is resumed. Only the last part may be incomplete;
//! it is solved again.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::game::SmallGame;
use super::header::{
    CHECKSUM, SolvedFileError, damaged, find_begun, io_error, open_or_begin, read_header,
    write_header,
};
use super::layer::LayerIndex;
use super::parts::{Part, PartIndex, PartName};
use super::run::SolveError;
use super::storage::Storage;
use super::winners::SlabIndex;
use crate::files::{open_regular, read_at, read_exact_at, write_whole_with};
use crate::fnv::Fnv;

/// The maximum number of bytes read at once.
const PIECE: u64 = 1 << 20;

/// The location of a part in a file.
#[derive(Clone, Copy)]
struct Section<N> {
    name: N,
    start: u64,
    length: u64,
}

/// An open file of solved parts.
pub struct PartFile<I: PartIndex> {
    path: PathBuf,
    file: File,
    game: SmallGame,
    kept: usize,
    /// Where the header ends.
    begin: u64,
    sections: Vec<Section<I::Name>>,
}

/// A file of values.
pub type SolvedFile = PartFile<LayerIndex>;

/// A file of winners.
pub type WinnersFile = PartFile<SlabIndex>;

impl<I: PartIndex> PartFile<I> {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// If it cannot be read, or is something else.
    pub fn open(path: &Path) -> Result<Self, SolvedFileError> {
        let file = open_regular(path).map_err(|cause| io_error(path, cause))?;
        Self::read(path, file)
    }

    /// Opens a file for reading and checks that it can be resumed; `None` if it does not
    /// exist or is empty. An incomplete last part counts as missing.
    ///
    /// # Errors
    /// If it cannot be read, holds something else, or is damaged.
    pub fn begun(
        path: &Path,
        game: &SmallGame,
        kept: usize,
    ) -> Result<Option<Self>, SolvedFileError> {
        let Some(file) = find_begun(path)? else {
            return Ok(None);
        };
        let file = Self::read(path, file)?;
        file.expect(game, kept)?.checked().map(Some)
    }

    /// Opens or creates a file to resume it, and checks it. An incomplete last part is cut
    /// off.
    ///
    /// # Errors
    /// If it cannot be written, holds something else, or is damaged. It is not changed
    /// then.
    pub fn resume(path: &Path, game: &SmallGame, kept: usize) -> Result<Self, SolvedFileError> {
        let file = open_or_begin::<I>(path, game, kept)?;
        let found = Self::read(path, file)?.expect(game, kept)?.checked()?;
        let cut = found.file.set_len(found.length());
        cut.map_err(|cause| io_error(path, cause))?;
        Ok(found)
    }

    /// Checks that the file holds this game up to `kept` levels.
    fn expect(self, game: &SmallGame, kept: usize) -> Result<Self, SolvedFileError> {
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

    /// Checks all parts. If the last one has a wrong checksum, its writing was
    /// interrupted, and it counts as missing.
    fn checked(mut self) -> Result<Self, SolvedFileError> {
        for (index, section) in self.sections.iter().enumerate() {
            let is_last = index + 1 == self.sections.len();
            match self.read_blocks(section, 0..blocks::<I>(section.length), |_| {}) {
                Err(SolvedFileError::Damaged { .. }) if is_last => {
                    self.sections.pop();
                    break;
                }
                checked => checked?,
            }
        }
        Ok(self)
    }

    /// Reads the header and locates the complete parts.
    fn read(path: &Path, file: File) -> Result<Self, SolvedFileError> {
        let failed = |cause| io_error(path, cause);
        let (game, kept, begin) = read_header::<I>(path, &file)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut found = Self {
            path: path.to_path_buf(),
            file,
            game,
            kept,
            begin,
            sections: Vec::new(),
        };
        let head_length = head_length::<I>();
        while !found.is_finished() && found.length() + head_length <= length {
            let end = found.length();
            let mut head = vec![0; head_length as usize];
            found.read_at(&mut head, end)?;
            let start = end + head_length;
            let section = read_head::<I>(&head, start);
            if section.is_none() && is_empty_from(&found.file, start).map_err(failed)? {
                break;
            }
            let section =
                section.filter(|section| section.name.can_follow(found.lowest(), found.kept));
            let section =
                section.ok_or_else(|| damaged(path, format!("no part begins at byte {end}")))?;
            if end_of::<I>(&section) > length {
                break;
            }
            found.sections.push(section);
        }
        Ok(found)
    }

    /// The solved game.
    pub const fn game(&self) -> &SmallGame {
        &self.game
    }

    /// The sum of levels of the highest layer kept.
    pub const fn kept(&self) -> usize {
        self.kept
    }

    /// The last part added.
    fn lowest(&self) -> Option<I::Name> {
        self.sections.last().map(|section| section.name)
    }

    /// Whether the file has a part.
    pub fn has(&self, name: I::Name) -> bool {
        self.section(name).is_some()
    }

    fn section(&self, name: I::Name) -> Option<&Section<I::Name>> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The length of the header and all complete parts.
    pub fn length(&self) -> u64 {
        self.sections.last().map_or(self.begin, end_of::<I>)
    }

    /// The number of bytes after the last complete part: the start of the next part or,
    /// after the empty board, foreign data.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn behind(&self) -> Result<u64, SolvedFileError> {
        let found = self.file.metadata();
        let length = found.map_err(|cause| io_error(&self.path, cause))?.len();
        Ok(length.saturating_sub(self.length()))
    }

    /// Whether the file has the empty board, the last part.
    pub fn is_finished(&self) -> bool {
        self.lowest().is_some_and(|name| name.total() == 0)
    }

    /// Checks that the file is finished.
    ///
    /// # Errors
    /// If it is not finished.
    pub fn check_finished(&self) -> Result<(), SolvedFileError> {
        if self.is_finished() {
            return Ok(());
        }
        let SmallGame { shape, workers, .. } = self.game;
        let winners = if I::ONLY_WINNERS { " --winners" } else { "" };
        let cards = self.game.cards.map_or(String::new(), |[first, second]| {
            format!(" --cards {first} {second}")
        });
        let path = self.path.display();
        Err(SolvedFileError::Unfinished {
            path: self.path.clone(),
            total: self.lowest().map_or(self.kept + 1, PartName::total),
            command: format!(
                "`santorini solve{winners} --board {shape} --workers {workers}{cards} {path}`"
            ),
        })
    }

    /// Adds the next part.
    ///
    /// # Errors
    /// If it cannot be written. The file then ends with the previous part.
    pub fn add(&mut self, part: &Part<I>) -> Result<(), SolvedFileError> {
        let (end, name) = (self.length(), part.index.name());
        debug_assert!(name.can_follow(self.lowest(), self.kept));
        let mut file = &self.file;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        let written = file
            .seek(io::SeekFrom::Start(end))
            .and_then(|_| write_part(&mut out, part));
        let written = written.and_then(|()| out.flush());
        let _ = out.into_parts();
        written.map_err(|cause| {
            // If this fails, the next run cuts off the torn part.
            let _ = file.set_len(end);
            io_error(&self.path, cause)
        })?;
        self.sections.push(Section {
            name,
            start: end + head_length::<I>(),
            length: part.bytes.filled().len() as u64,
        });
        Ok(())
    }

    /// Writes everything to disk, so that it survives a power failure.
    ///
    /// # Errors
    /// If the system reports a failure.
    pub fn sync(&self) -> Result<(), SolvedFileError> {
        let synced = self.file.sync_all();
        synced.map_err(|cause| io_error(&self.path, cause))
    }

    /// Reads bytes of a part from an offset.
    ///
    /// # Errors
    /// If they cannot be read, or their checksum is wrong.
    pub fn bytes(
        &self,
        name: I::Name,
        start: u64,
        length: usize,
    ) -> Result<Vec<u8>, SolvedFileError> {
        let end = start + length as u64;
        let section = self.section(name);
        let section = section.filter(|section| end <= section.length);
        let section = section.ok_or_else(|| self.damaged(name, "too short"))?;
        let block = I::BLOCK.unwrap_or(u64::MAX);
        let (first, last) = (start / block, end.div_ceil(block));
        let mut bytes = Vec::new();
        self.read_blocks(section, first..last, |piece| bytes.extend(piece))?;
        bytes.drain(..(start - first * block) as usize);
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Reads a whole part into `storage`.
    ///
    /// # Errors
    /// If there is no space, the part cannot be read, its length differs from its index, or
    /// a checksum is wrong.
    pub fn part(&self, index: I, storage: &Storage) -> Result<Part<I>, SolveError> {
        let name = index.name();
        let section = self.section(name);
        let section = section.filter(|section| section.length == index.length());
        let section = section.ok_or_else(|| self.damaged(name, "missing or of another length"))?;
        let mut bytes = storage.bytes(section.length)?;
        let all = 0..blocks::<I>(section.length);
        self.read_blocks(section, all, |piece| bytes.add(piece))?;
        Ok(Part { index, bytes })
    }

    fn damaged(&self, name: I::Name, what: &str) -> SolvedFileError {
        let [total, frames] = name.numbers();
        let frames = match I::Name::NUMBERS {
            1 => String::new(),
            _ => format!(", {frames} on the frame"),
        };
        damaged(
            &self.path,
            format!("part of {total} levels{frames}: {what}"),
        )
    }

    /// Reads and checks blocks of a part, piece by piece.
    fn read_blocks(
        &self,
        section: &Section<I::Name>,
        blocks: Range<u64>,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), SolvedFileError> {
        let size = I::BLOCK.unwrap_or(section.length);
        let mut piece = vec![0; size.min(section.length).min(PIECE) as usize];
        for block in blocks {
            let mut at = section.start + block * (size + CHECKSUM);
            let mut left = size.min(section.length - block * size);
            let mut sum = Fnv::default();
            while left > 0 {
                let piece = &mut piece[..left.min(PIECE) as usize];
                self.read_at(piece, at)?;
                sum.add(piece);
                take(piece);
                at += piece.len() as u64;
                left -= piece.len() as u64;
            }
            let mut written = [0; CHECKSUM as usize];
            self.read_at(&mut written, at)?;
            if sum.value().to_le_bytes() != written {
                let what = format!("wrong checksum of block {block}");
                return Err(self.damaged(section.name, &what));
            }
        }
        Ok(())
    }

    fn read_at(&self, bytes: &mut [u8], start: u64) -> Result<(), SolvedFileError> {
        let read = read_exact_at(&self.file, bytes, start);
        read.map_err(|cause| io_error(&self.path, cause))
    }
}

/// Writes a file with these parts, the highest first, replacing it atomically.
///
/// # Errors
/// If it cannot be written. The old file is unchanged then.
pub(super) fn write_parts<'a, I: PartIndex + 'a>(
    path: &Path,
    game: &SmallGame,
    parts: impl DoubleEndedIterator<Item = &'a Part<I>> + Clone,
) -> Result<(), SolvedFileError> {
    let totals = parts.clone().map(|part| part.index.name().total());
    let kept = totals.max().unwrap_or(0);
    let write = |out: &mut dyn Write| {
        write_header::<I>(out, game, kept)?;
        parts.rev().try_for_each(|part| write_part(out, part))
    };
    write_whole_with(path, write).map_err(|cause| io_error(path, cause))
}

fn write_part<I: PartIndex>(out: &mut dyn Write, part: &Part<I>) -> io::Result<()> {
    let rows = part.bytes.filled();
    let numbers = &part.index.name().numbers()[..I::Name::NUMBERS];
    let numbers = numbers.iter().map(|&number| (number as u32).to_le_bytes());
    let mut head: Vec<u8> = numbers.flatten().collect();
    head.extend((rows.len() as u64).to_le_bytes());
    head.extend(Fnv::of(&head).to_le_bytes());
    out.write_all(&head)?;
    let size = I::BLOCK.map_or(rows.len(), |block| block as usize);
    for block in 0..blocks::<I>(rows.len() as u64) as usize {
        let block = &rows[block * size..rows.len().min((block + 1) * size)];
        out.write_all(block)?;
        out.write_all(&Fnv::of(block).to_le_bytes())?;
    }
    Ok(())
}

/// The number of blocks of a part of this length.
fn blocks<I: PartIndex>(length: u64) -> u64 {
    I::BLOCK.map_or(1, |block| length.div_ceil(block))
}

/// The length of the head of a part.
fn head_length<I: PartIndex>() -> u64 {
    4 * I::Name::NUMBERS as u64 + 8 + CHECKSUM
}

/// The end of a part.
fn end_of<I: PartIndex>(section: &Section<I::Name>) -> u64 {
    section.start + section.length + blocks::<I>(section.length) * CHECKSUM
}

/// The part that begins at `start`, after its head; `None` if that is damaged.
fn read_head<I: PartIndex>(head: &[u8], start: u64) -> Option<Section<I::Name>> {
    let (head, sum) = head.split_at_checked(4 * I::Name::NUMBERS + 8)?;
    if sum != Fnv::of(head).to_le_bytes() {
        return None;
    }
    let (names, length) = head.split_at(4 * I::Name::NUMBERS);
    let mut numbers = [0; 2];
    for (number, bytes) in numbers.iter_mut().zip(names.as_chunks().0) {
        *number = u32::from_le_bytes(*bytes) as usize;
    }
    let section = Section {
        name: I::Name::of(numbers),
        start,
        length: u64::from_le_bytes(length.try_into().ok()?),
    };
    // Limited to more than any disk can hold, so that sums do not overflow.
    (section.length < 1 << 48).then_some(section)
}

/// Whether a file has only zeros from an offset on. A part ends with a checksum, so zeros
/// mean that writing was interrupted after the system had set the length.
fn is_empty_from(file: &File, start: u64) -> io::Result<bool> {
    let mut piece = vec![0; PIECE as usize];
    let mut at = start;
    loop {
        let read = read_at(file, &mut piece, at)?;
        if read == 0 {
            return Ok(true);
        }
        if piece[..read].iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        at += read as u64;
    }
}
