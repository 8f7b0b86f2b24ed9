//! The header of a file of a solved game, and the errors of such files.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::game::SmallGame;
use super::parts::PartIndex;
use crate::files::{Kind, expect_regular, open_locked, open_regular};
use crate::fnv::Fnv;
use crate::rules::Card;

pub(super) const SOLVED_MAGIC: &[u8] = b"SANTORINI-SOLVED\n";
pub(super) const WINNERS_MAGIC: &[u8] = b"SANTORINI-WINNERS\n";
const VERSION: u32 = 1;
/// The bytes of a checksum.
pub(super) const CHECKSUM: u64 = 8;
/// The maximum length of a header.
const LONGEST_HEADER: u32 = 4096;

/// A file with values of all positions.
pub const SOLVED_FILE: Kind = Kind {
    name: "a file of `santorini solve`",
    begins: |head| head.starts_with(SOLVED_MAGIC),
};

/// A file with the winners of all positions.
pub const WINNERS_FILE: Kind = Kind {
    name: "a file of `santorini solve --winners`",
    begins: |head| head.starts_with(WINNERS_MAGIC),
};

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SolvedFileError {
    /// The system refused to open, read or write the file.
    #[error("{path}: {cause}")]
    Io {
        /// The path as given.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The file has other contents.
    #[error("{path}: not {kind}; name another file")]
    Foreign {
        /// The path as given.
        path: PathBuf,
        /// The kind expected, after "not".
        kind: &'static str,
    },
    /// The file stores winners, not the distances wanted.
    #[error(
        "{0}: a file of `santorini solve --winners`, which has no distances; name another file"
    )]
    OnlyWinners(PathBuf),
    /// The file holds another game.
    #[error("{path}: it holds {holds}, not {wanted}; name another file")]
    Other {
        /// The path as given.
        path: PathBuf,
        /// The game in the file.
        holds: String,
        /// The game wanted.
        wanted: String,
    },
    /// The contents contradict the header or a checksum.
    #[error("{path}: damaged: {what}; solve the game again into another file")]
    Damaged {
        /// The path as given.
        path: PathBuf,
        /// The contradiction.
        what: String,
    },
    /// Another process holds the lock on the file.
    #[error("{0}: another program is writing to this file")]
    InUse(PathBuf),
    /// Solving stopped before the starting position was reached.
    #[error("{path}: not finished: its lowest layer has {total} levels; {command} resumes it")]
    Unfinished {
        /// The path as given.
        path: PathBuf,
        /// The sum of levels of the last layer solved.
        total: usize,
        /// The command to continue with.
        command: String,
    },
}

impl SolvedFileError {
    /// Whether the file holds something else, so that `--force` would help.
    pub const fn is_other(&self) -> bool {
        matches!(
            self,
            Self::Foreign { .. } | Self::OnlyWinners(_) | Self::Other { .. }
        )
    }
}

/// An I/O error of a file.
pub(super) fn io_error(path: &Path, cause: io::Error) -> SolvedFileError {
    SolvedFileError::Io {
        path: path.to_path_buf(),
        cause,
    }
}

/// An error for a damaged file.
pub(super) fn damaged(path: &Path, what: String) -> SolvedFileError {
    SolvedFileError::Damaged {
        path: path.to_path_buf(),
        what,
    }
}

/// The JSON at the beginning of a file.
#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    board: String,
    workers: usize,
    /// `null` without cards. A file of winners lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cards: Option<Option<[Card; 2]>>,
    /// The sum of levels of the highest layer in the file.
    kept: usize,
}

impl Header {
    fn new<I: PartIndex>(game: &SmallGame, kept: usize) -> Self {
        Self {
            version: VERSION,
            board: game.shape.to_string(),
            workers: game.workers,
            cards: (!I::ONLY_WINNERS).then_some(game.cards),
            kept,
        }
    }

    /// The game, if a file of this kind can hold it.
    fn game<I: PartIndex>(&self) -> Option<SmallGame> {
        let shape = self.board.parse().ok()?;
        let cards = self.cards.flatten();
        let workers = if I::ONLY_WINNERS { 1..=1 } else { 1..=2 };
        if self.version != VERSION
            || !workers.contains(&self.workers)
            || cards.is_some_and(|[first, second]| first == second || I::ONLY_WINNERS)
        {
            return None;
        }
        let game = SmallGame::new(shape, self.workers, cards);
        (game.has_room() && self.kept <= game.highest_total()).then_some(game)
    }
}

/// Opens a file for reading and writing, and locks it. Writes the header if the file is
/// empty.
///
/// # Errors
/// If it cannot be written, or another program writes to it.
pub(super) fn open_or_begin<I: PartIndex>(
    path: &Path,
    game: &SmallGame,
    kept: usize,
) -> Result<File, SolvedFileError> {
    let failed = |cause| io_error(path, cause);
    expect_regular(path).map_err(failed)?;
    let opened = open_locked(path).map_err(failed)?;
    let mut file = opened.ok_or_else(|| SolvedFileError::InUse(path.to_path_buf()))?;
    if file.metadata().map_err(failed)?.len() == 0 {
        write_header::<I>(&mut file, game, kept).map_err(failed)?;
    }
    Ok(file)
}

/// Opens a file for reading; `None` if it does not exist or is empty.
///
/// # Errors
/// If it cannot be read, or is no regular file.
pub(super) fn find_begun(path: &Path) -> Result<Option<File>, SolvedFileError> {
    match fs::metadata(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(found) if found.is_file() && found.len() == 0 => return Ok(None),
        _ => {}
    }
    let file = open_regular(path).map_err(|cause| io_error(path, cause))?;
    Ok(Some(file))
}

/// Writes the header of a file.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_header<I: PartIndex>(
    out: &mut dyn Write,
    game: &SmallGame,
    kept: usize,
) -> io::Result<()> {
    let json = serde_json::to_vec(&Header::new::<I>(game, kept))?;
    let mut bytes = I::MAGIC.to_vec();
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(json);
    bytes.extend(Fnv::of(&bytes).to_le_bytes());
    out.write_all(&bytes)
}

/// The game of a file, its highest layer, and the length of the header.
///
/// # Errors
/// If the header cannot be read, or belongs to another kind of file.
pub(super) fn read_header<I: PartIndex>(
    path: &Path,
    mut file: &File,
) -> Result<(SmallGame, usize, u64), SolvedFileError> {
    let foreign = || SolvedFileError::Foreign {
        path: path.to_path_buf(),
        kind: I::KIND.name,
    };
    let failed = |cause: io::Error| match cause.kind() {
        io::ErrorKind::UnexpectedEof => foreign(),
        _ => io_error(path, cause),
    };
    file.rewind().map_err(failed)?;
    let mut bytes = vec![0; I::MAGIC.len() + 4];
    file.read_exact(&mut bytes).map_err(failed)?;
    let length = bytes[I::MAGIC.len()..].try_into().map(u32::from_le_bytes);
    let length = length.unwrap_or(u32::MAX);
    if !I::ONLY_WINNERS && bytes.starts_with(WINNERS_MAGIC) {
        return Err(SolvedFileError::OnlyWinners(path.to_path_buf()));
    }
    if !bytes.starts_with(I::MAGIC) || length > LONGEST_HEADER {
        return Err(foreign());
    }
    let start = bytes.len();
    bytes.resize(start + length as usize, 0);
    file.read_exact(&mut bytes[start..]).map_err(failed)?;
    let mut sum = [0; CHECKSUM as usize];
    file.read_exact(&mut sum).map_err(failed)?;
    if sum != Fnv::of(&bytes).to_le_bytes() {
        return Err(damaged(path, "the header has a wrong checksum".into()));
    }
    let header: Header = serde_json::from_slice(&bytes[start..])
        .map_err(|cause| damaged(path, format!("its header: {cause}")))?;
    let game = header.game::<I>();
    let game = game.ok_or_else(|| damaged(path, "its header is not of a game".into()))?;
    Ok((game, header.kept, bytes.len() as u64 + CHECKSUM))
}
