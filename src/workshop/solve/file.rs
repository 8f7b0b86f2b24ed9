//! The file of a solved game: its layers from the highest that is kept down to the
//! empty board.
//!
//! All numbers are little-endian:
//!
//! ```text
//! "SANTORINI-SOLVED\n"   17 bytes
//! length                 u32, of the header
//! header                 JSON: the game, and the highest layer that is kept
//! checksum               u64, FNV-1a of all bytes before it
//! then layers:
//!   total                u32, the sum of levels
//!   length               u64, of its rows
//!   checksum             u64, of these two
//!   blocks of 65,536 bytes of rows, the last one shorter, each with
//!   checksum             u64, of the block
//! ```
//!
//! A layer is added when it is solved, so a file that a program did not finish
//! is good for its whole layers. What is behind the empty board is not used.
//! What is read is not believed: every block that is looked at must have its
//! checksum, and a file is checked as a whole before it is gone on with. Only its last
//! layer may be incomplete; that is solved again.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use super::game::SmallGame;
use super::layer::{Layer, LayerIndex};
use super::parts::{
    CHECKSUM, append, find_begun, io_error, is_empty_from, open_or_begin, read_header, write_header,
};
use super::winners::WINNERS_FILE;
use crate::files::{Kind, open_regular, write_whole_with};
use crate::fnv::Fnv;
use crate::rules::Card;

const MAGIC: &[u8; 17] = b"SANTORINI-SOLVED\n";
const VERSION: u32 = 1;
const LAYER_HEADER: u64 = 4 + 8 + CHECKSUM;
const BLOCK: u64 = 1 << 16;

/// The file of a solved game.
pub const SOLVED_FILE: Kind = Kind {
    name: "a file of `santorini solve`",
    begins: |head| head.starts_with(MAGIC),
};

/// What a file is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SolvedHeader {
    version: u32,
    board: String,
    workers: usize,
    cards: Option<[Card; 2]>,
    /// The sum of levels of the highest layer that is kept.
    pub kept: usize,
}

impl SolvedHeader {
    /// For a game, with the layers up to this sum of levels.
    pub fn new(game: &SmallGame, kept: usize) -> Self {
        Self {
            version: VERSION,
            board: game.shape.to_string(),
            workers: game.workers,
            cards: game.cards,
            kept,
        }
    }

    /// The game that is solved.
    fn game(&self) -> Option<SmallGame> {
        let shape = self.board.parse().ok()?;
        let is_right = self.version == VERSION && (1..=2).contains(&self.workers);
        let differ = self.cards.is_none_or(|[first, second]| first != second);
        let game = SmallGame::new(shape, self.workers.clamp(1, 2), self.cards);
        (is_right && differ && self.kept <= game.highest_total()).then_some(game)
    }
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SolvedFileError {
    #[error("{path}: {cause}")]
    Io { path: PathBuf, cause: io::Error },
    #[error("{path}: not {kind}; name another file")]
    Foreign { path: PathBuf, kind: &'static str },
    #[error(
        "{0}: it tells who wins, but not in how many turns: it is a file of `santorini solve \
         --winners`; name another file"
    )]
    OnlyWinners(PathBuf),
    #[error("{path}: it holds {holds}, not {wanted}; name another file")]
    Other {
        path: PathBuf,
        holds: String,
        wanted: String,
    },
    #[error("{path}: damaged: {what}; solve the game again into another file")]
    Damaged { path: PathBuf, what: String },
    #[error("{0}: another program writes to it")]
    InUse(PathBuf),
    #[error(
        "{path}: it is not finished: its lowest layer has {total} levels; {command} goes on with it"
    )]
    Unfinished {
        path: PathBuf,
        total: usize,
        command: String,
    },
}

impl SolvedFileError {
    /// Whether the file holds something else, which can be overwritten.
    pub const fn is_other(&self) -> bool {
        matches!(
            self,
            Self::Foreign { .. } | Self::OnlyWinners(_) | Self::Other { .. }
        )
    }
}

/// Where a layer is in a file.
#[derive(Clone, Copy, Debug)]
struct Section {
    total: usize,
    start: u64,
    length: u64,
}

impl Section {
    /// Where it ends.
    const fn end(&self) -> u64 {
        self.start + self.length + self.length.div_ceil(BLOCK) * CHECKSUM
    }
}

/// A file of solved layers that is open.
pub struct SolvedFile {
    path: PathBuf,
    file: File,
    header: SolvedHeader,
    game: SmallGame,
    /// Where the header ends.
    begin: u64,
    /// The highest first.
    sections: Vec<Section>,
}

impl SolvedFile {
    /// Opens a file to read.
    ///
    /// # Errors
    /// If it cannot be read, or is something else.
    pub fn open(path: &Path) -> Result<Self, SolvedFileError> {
        let file = open_regular(path).map_err(|cause| io_error(path, cause))?;
        Self::read(path, file)
    }

    /// Opens a file to read that can be gone on with, and checks it; `None` if there is
    /// nothing yet. A last layer that is not whole counts as not there.
    ///
    /// # Errors
    /// If it cannot be read, is about something else, or damaged.
    pub fn begun(path: &Path, header: &SolvedHeader) -> Result<Option<Self>, SolvedFileError> {
        let Some(file) = find_begun(path)? else {
            return Ok(None);
        };
        Self::read(path, file)?.of(header)?.checked().map(Some)
    }

    /// Opens a file to go on with, or makes it, and checks it. A layer at the end that is
    /// not whole is cut off.
    ///
    /// # Errors
    /// If it cannot be written, is about something else, or damaged. Then it stays as it
    /// is.
    pub fn resume(path: &Path, header: &SolvedHeader) -> Result<Self, SolvedFileError> {
        let file = open_or_begin(path, MAGIC, header)?;
        let solved = Self::read(path, file)?.of(header)?.checked()?;
        let cut = solved.file.set_len(solved.length());
        cut.map_err(|cause| io_error(path, cause))?;
        Ok(solved)
    }

    /// Makes sure that the file is about this.
    fn of(self, header: &SolvedHeader) -> Result<Self, SolvedFileError> {
        if self.header == *header {
            return Ok(self);
        }
        let name = |header: &SolvedHeader, game: &SmallGame| {
            format!("{game} up to {} levels", header.kept)
        };
        Err(SolvedFileError::Other {
            holds: name(&self.header, &self.game),
            wanted: header
                .game()
                .map_or(String::new(), |game| name(header, &game)),
            path: self.path,
        })
    }

    /// Checks all layers. If the last one has a wrong checksum it was not written to its
    /// end, and counts as not there.
    fn checked(mut self) -> Result<Self, SolvedFileError> {
        for (index, section) in self.sections.iter().enumerate() {
            let is_last = index + 1 == self.sections.len();
            match self.check(section) {
                Err(SolvedFileError::Damaged { .. }) if is_last => {
                    self.sections.pop();
                    break;
                }
                checked => checked?,
            }
        }
        Ok(self)
    }

    /// Checks all blocks of a layer.
    fn check(&self, section: &Section) -> Result<(), SolvedFileError> {
        for start in (0..section.length).step_by(BLOCK as usize) {
            let length = BLOCK.min(section.length - start);
            self.bytes(section.total, start, length as usize)?;
        }
        Ok(())
    }

    /// Reads the header and finds the layers that are whole.
    fn read(path: &Path, file: File) -> Result<Self, SolvedFileError> {
        let failed = |cause| io_error(path, cause);
        let damaged = |what: String| SolvedFileError::Damaged {
            path: path.to_path_buf(),
            what,
        };
        let header = read_header::<SolvedHeader>(path, MAGIC, SOLVED_FILE, &file);
        let (header, begin) = header.map_err(|error| winners_or(error, path, &file))?;
        let game = header.game();
        let game = game.ok_or_else(|| damaged("its header names no game".into()))?;
        let length = file.metadata().map_err(failed)?.len();
        let mut sections: Vec<Section> = Vec::new();
        let (mut end, mut left) = (begin, header.kept + 1);
        while left > 0 && end + LAYER_HEADER <= length {
            let mut head = [0; LAYER_HEADER as usize];
            file.read_exact_at(&mut head, end).map_err(failed)?;
            let start = end + LAYER_HEADER;
            let found = section(&head, start);
            if found.is_none() && is_empty_from(&file, start).map_err(failed)? {
                break;
            }
            let section = found.filter(|section| section.total == left - 1);
            let section = section
                .ok_or_else(|| damaged(format!("no layer of {} levels at byte {end}", left - 1)))?;
            if section.end() > length {
                break;
            }
            end = section.end();
            left = section.total;
            sections.push(section);
        }
        Ok(Self {
            path: path.to_path_buf(),
            file,
            header,
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
        self.header.kept
    }

    /// The lowest layer that is there.
    pub fn lowest(&self) -> Option<usize> {
        self.sections.last().map(|section| section.total)
    }

    /// Whether a layer is there.
    pub fn has(&self, total: usize) -> bool {
        self.section(total).is_some()
    }

    fn section(&self, total: usize) -> Option<Section> {
        let index = self.header.kept.checked_sub(total)?;
        self.sections.get(index).copied()
    }

    /// The length of its whole layers and of what is before them.
    pub fn length(&self) -> u64 {
        self.sections.last().map_or(self.begin, Section::end)
    }

    /// The bytes behind the last whole layer: a part of the next one or, behind the empty
    /// board, something else.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn behind(&self) -> Result<u64, SolvedFileError> {
        let found = self.file.metadata();
        let length = found.map_err(|cause| io_error(&self.path, cause))?.len();
        Ok(length.saturating_sub(self.length()))
    }

    /// Makes sure that all layers are there.
    ///
    /// # Errors
    /// If they are not.
    pub fn check_finished(&self) -> Result<(), SolvedFileError> {
        if self.has(0) {
            return Ok(());
        }
        let cards = self.game.cards.map_or(String::new(), |[first, second]| {
            format!(" --cards {first} {second}")
        });
        Err(SolvedFileError::Unfinished {
            path: self.path.clone(),
            total: self.lowest().unwrap_or(self.header.kept + 1),
            command: format!(
                "`santorini solve --board {} --workers {}{cards} {}`",
                self.game.shape,
                self.game.workers,
                self.path.display()
            ),
        })
    }

    /// Adds the next layer.
    ///
    /// # Errors
    /// If it cannot be written; then the file ends with the layer before.
    pub fn add(&mut self, layer: &Layer) -> Result<(), SolvedFileError> {
        let end = self.length();
        let total = layer.index.total;
        debug_assert_eq!(
            total,
            self.lowest().map_or(self.header.kept, |lowest| lowest - 1)
        );
        append(&self.path, &self.file, end, |out| write_layer(out, layer))?;
        self.sections.push(Section {
            total,
            start: end + LAYER_HEADER,
            length: layer.bytes.filled().len() as u64,
        });
        Ok(())
    }

    /// Makes sure that what was added survives a power failure.
    ///
    /// # Errors
    /// If the system cannot promise that.
    pub fn sync(&self) -> Result<(), SolvedFileError> {
        self.file
            .sync_all()
            .map_err(|cause| io_error(&self.path, cause))
    }

    /// Bytes of a layer, from a place in it.
    ///
    /// # Errors
    /// If they cannot be read, or are not those that were written.
    pub fn bytes(
        &self,
        total: usize,
        start: u64,
        length: usize,
    ) -> Result<Vec<u8>, SolvedFileError> {
        let damaged = |what: String| SolvedFileError::Damaged {
            path: self.path.clone(),
            what,
        };
        let section = self.section(total);
        let section = section.filter(|section| start + length as u64 <= section.length);
        let section = section.ok_or_else(|| damaged(format!("layer {total} is too short")))?;
        let mut bytes = Vec::with_capacity(length + BLOCK as usize);
        let first = start / BLOCK;
        let last = (start + length as u64).div_ceil(BLOCK).max(first);
        for block in first..last {
            let size = BLOCK.min(section.length - block * BLOCK);
            let mut read = vec![0; (size + CHECKSUM) as usize];
            let at = section.start + block * (BLOCK + CHECKSUM);
            let done = self.file.read_exact_at(&mut read, at);
            done.map_err(|cause| io_error(&self.path, cause))?;
            let sum = read.split_off(size as usize);
            if sum != Fnv::of(&read).to_le_bytes() {
                return Err(damaged(format!(
                    "layer {total}, block {block}: wrong checksum"
                )));
            }
            bytes.extend(read);
        }
        let skipped = (start - first * BLOCK) as usize;
        bytes.drain(..skipped);
        bytes.truncate(length);
        Ok(bytes)
    }

    /// A whole layer.
    ///
    /// # Errors
    /// As [`Self::bytes`], and if it has not the length that the index says.
    pub fn layer(&self, index: LayerIndex) -> Result<Layer, SolvedFileError> {
        let total = index.total;
        let length = self.section(total).map(|section| section.length);
        if length != Some(index.bytes()) {
            return Err(SolvedFileError::Damaged {
                path: self.path.clone(),
                what: format!("layer {total} has {length:?} bytes, not {}", index.bytes()),
            });
        }
        let room = Bytes::in_memory(index.bytes() as usize);
        let mut bytes = room.map_err(|cause| io_error(&self.path, cause))?;
        for start in (0..index.bytes()).step_by(BLOCK as usize) {
            let length = BLOCK.min(index.bytes() - start);
            bytes.add(&self.bytes(total, start, length as usize)?);
        }
        Ok(Layer { index, bytes })
    }
}

/// Writes a file with some layers, the highest first, as a whole.
///
/// # Errors
/// If that fails; then what was there is as it was.
pub fn write_layers<'a>(
    path: &Path,
    game: &SmallGame,
    layers: impl DoubleEndedIterator<Item = &'a Layer> + Clone,
) -> Result<(), SolvedFileError> {
    let highest = layers.clone().map(|layer| layer.index.total).max();
    let header = SolvedHeader::new(game, highest.unwrap_or(0));
    let write = |out: &mut dyn Write| {
        write_header(out, MAGIC, &header)?;
        layers.rev().try_for_each(|layer| write_layer(out, layer))
    };
    write_whole_with(path, write).map_err(|cause| io_error(path, cause))
}

/// The error of a file that begins in another way, or that it is one of winners.
fn winners_or(error: SolvedFileError, path: &Path, file: &File) -> SolvedFileError {
    let mut head = [0; 64];
    let length = file.read_at(&mut head, 0).unwrap_or(0);
    match error {
        SolvedFileError::Foreign { .. } if (WINNERS_FILE.begins)(&head[..length]) => {
            SolvedFileError::OnlyWinners(path.to_path_buf())
        }
        error => error,
    }
}

fn write_layer(out: &mut dyn Write, layer: &Layer) -> io::Result<()> {
    let rows = layer.bytes.filled();
    let mut head = (layer.index.total as u32).to_le_bytes().to_vec();
    head.extend((rows.len() as u64).to_le_bytes());
    head.extend(Fnv::of(&head).to_le_bytes());
    out.write_all(&head)?;
    for block in rows.chunks(BLOCK as usize) {
        out.write_all(block)?;
        out.write_all(&Fnv::of(block).to_le_bytes())?;
    }
    Ok(())
}

/// The layer that begins at `start`, after its header; `None` if that is damaged.
fn section(head: &[u8; LAYER_HEADER as usize], start: u64) -> Option<Section> {
    let (head, sum) = head.split_at(12);
    if sum != Fnv::of(head).to_le_bytes() {
        return None;
    }
    let section = Section {
        total: u32::from_le_bytes(head[..4].try_into().ok()?) as usize,
        start,
        length: u64::from_le_bytes(head[4..].try_into().ok()?),
    };
    // No more than a disk can hold, so that no sum of these overflows.
    (section.length < 1 << 48).then_some(section)
}
