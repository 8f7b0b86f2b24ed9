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
//! is good for its whole layers. What is read is not believed: every block that is
//! looked at must have its checksum.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use super::game::SmallGame;
use super::layer::{Layer, LayerIndex};
use crate::files::{Kind, lock, write_whole_with};
use crate::fnv::Fnv;
use crate::rules::Card;

const MAGIC: &[u8; 17] = b"SANTORINI-SOLVED\n";
const VERSION: u32 = 1;
/// The longest header that is read.
const LONGEST_HEADER: u32 = 4096;
const LAYER_HEADER: u64 = 4 + 8 + CHECKSUM;
const BLOCK: u64 = 1 << 16;
const CHECKSUM: u64 = 8;

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
        matches!(self, Self::Foreign { .. } | Self::Other { .. })
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
    /// The highest first.
    sections: Vec<Section>,
}

impl SolvedFile {
    /// Opens a file to read.
    ///
    /// # Errors
    /// If it cannot be read, or is something else.
    pub fn open(path: &Path) -> Result<Self, SolvedFileError> {
        let file = File::open(path).map_err(|cause| io_error(path, cause))?;
        let (solved, _) = Self::read(path, file)?;
        Ok(solved)
    }

    /// Opens a file to go on with, or makes it. With `force` whatever is there is
    /// overwritten. A layer at the end that is not whole is cut off.
    ///
    /// # Errors
    /// If it cannot be written, or is about something else.
    pub fn resume(
        path: &Path,
        header: &SolvedHeader,
        force: bool,
    ) -> Result<Self, SolvedFileError> {
        let file = open_or_begin(path, MAGIC, header, force)?;
        let (solved, end) = Self::read(path, file)?;
        if solved.header != *header {
            let name = |header: &SolvedHeader, game: &SmallGame| {
                format!("{game} up to {} levels", header.kept)
            };
            return Err(SolvedFileError::Other {
                path: path.to_path_buf(),
                holds: name(&solved.header, &solved.game),
                wanted: header
                    .game()
                    .map_or(String::new(), |game| name(header, &game)),
            });
        }
        let cut = solved.file.set_len(end);
        cut.map_err(|cause| io_error(path, cause))?;
        Ok(solved)
    }

    /// Reads the header and finds the layers; also returns where the last whole
    /// one ends.
    fn read(path: &Path, file: File) -> Result<(Self, u64), SolvedFileError> {
        let failed = |cause| io_error(path, cause);
        let (header, mut end) = read_header::<SolvedHeader>(path, MAGIC, SOLVED_FILE, &file)?;
        let game = header.game().ok_or_else(|| SolvedFileError::Damaged {
            path: path.to_path_buf(),
            what: "its header names no game".into(),
        })?;
        let length = file.metadata().map_err(failed)?.len();
        let mut sections: Vec<Section> = Vec::new();
        while end + LAYER_HEADER <= length {
            let mut head = [0; LAYER_HEADER as usize];
            file.read_exact_at(&mut head, end).map_err(failed)?;
            let expected = sections
                .last()
                .map_or(header.kept, |last| last.total.wrapping_sub(1));
            let section = section(&head, end + LAYER_HEADER).filter(|it| it.total == expected);
            let Some(section) = section else {
                return Err(SolvedFileError::Damaged {
                    path: path.to_path_buf(),
                    what: format!("no layer of {expected} levels at byte {end}"),
                });
            };
            if section.end() > length {
                break;
            }
            end = section.end();
            sections.push(section);
        }
        let path = path.to_path_buf();
        let solved = Self {
            path,
            file,
            header,
            game,
            sections,
        };
        Ok((solved, end))
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

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.sections.last().map_or(0, Section::end)
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
        let failed = |cause| io_error(&self.path, cause);
        let end = self.file.metadata().map_err(failed)?.len();
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

pub(super) fn io_error(path: &Path, cause: io::Error) -> SolvedFileError {
    SolvedFileError::Io {
        path: path.to_path_buf(),
        cause,
    }
}

/// Adds to a file that ends at `end`; if that fails it ends there again.
pub(super) fn append(
    path: &Path,
    mut file: &File,
    end: u64,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), SolvedFileError> {
    use std::io::Seek as _;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let written = file
        .seek(io::SeekFrom::End(0))
        .and_then(|_| write(&mut out));
    let written = written.and_then(|()| out.flush());
    let _ = out.into_parts();
    written.map_err(|cause| {
        // What is half there would be cut off by the next program anyway.
        let _ = file.set_len(end);
        io_error(path, cause)
    })
}

/// Opens a file to read and to write, for this program alone. If it is empty, or with
/// `force`, it then holds the header and nothing else.
pub(super) fn open_or_begin(
    path: &Path,
    magic: &[u8],
    header: &impl Serialize,
    force: bool,
) -> Result<File, SolvedFileError> {
    let failed = |cause| io_error(path, cause);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).map_err(failed)?;
    if !lock(&file).map_err(failed)? {
        return Err(SolvedFileError::InUse(path.to_path_buf()));
    }
    if force || file.metadata().map_err(failed)?.len() == 0 {
        file.set_len(0).map_err(failed)?;
        write_header(&mut file, magic, header).map_err(failed)?;
    }
    Ok(file)
}

pub(super) fn write_header(
    out: &mut dyn Write,
    magic: &[u8],
    header: &impl Serialize,
) -> io::Result<()> {
    let json = serde_json::to_vec(header)?;
    let mut bytes = magic.to_vec();
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(json);
    bytes.extend(Fnv::of(&bytes).to_le_bytes());
    out.write_all(&bytes)
}

/// The header of a file of a kind that begins with `magic`, and where it ends.
pub(super) fn read_header<H: DeserializeOwned>(
    path: &Path,
    magic: &[u8],
    kind: Kind,
    mut file: &File,
) -> Result<(H, u64), SolvedFileError> {
    let foreign = || SolvedFileError::Foreign {
        path: path.to_path_buf(),
        kind: kind.name,
    };
    let failed = |cause: io::Error| match cause.kind() {
        io::ErrorKind::UnexpectedEof => foreign(),
        _ => io_error(path, cause),
    };
    use std::io::Seek as _;
    file.rewind().map_err(failed)?;
    let mut bytes = vec![0; magic.len() + 4];
    file.read_exact(&mut bytes).map_err(failed)?;
    let length = bytes[magic.len()..].try_into().map(u32::from_le_bytes);
    let length = length.unwrap_or(u32::MAX);
    if !bytes.starts_with(magic) || length > LONGEST_HEADER {
        return Err(foreign());
    }
    let start = bytes.len();
    bytes.resize(start + length as usize, 0);
    file.read_exact(&mut bytes[start..]).map_err(failed)?;
    let mut sum = [0; CHECKSUM as usize];
    file.read_exact(&mut sum).map_err(failed)?;
    let damaged = |what: String| SolvedFileError::Damaged {
        path: path.to_path_buf(),
        what,
    };
    if sum != Fnv::of(&bytes).to_le_bytes() {
        return Err(damaged("the header has a wrong checksum".into()));
    }
    let header = serde_json::from_slice(&bytes[start..]);
    let header = header.map_err(|cause| damaged(format!("its header: {cause}")))?;
    Ok((header, bytes.len() as u64 + CHECKSUM))
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
    Some(Section {
        total: u32::from_le_bytes(head[..4].try_into().ok()?) as usize,
        start,
        length: u64::from_le_bytes(head[4..].try_into().ok()?),
    })
}
