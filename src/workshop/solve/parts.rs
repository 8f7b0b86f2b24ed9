//! Files of a header and parts that are added one after the other, as solved games
//! and winners are kept: beginning one, adding to it, and an end that is torn.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::file::SolvedFileError;
use crate::files::{Kind, expect_regular, lock, open_regular};
use crate::fnv::Fnv;

/// The bytes of a checksum.
pub const CHECKSUM: u64 = 8;
/// The longest header that is read.
const LONGEST_HEADER: u32 = 4096;
/// What is read at a time.
const PIECE: usize = 1 << 20;

/// A failure with the file that it is about.
pub fn io_error(path: &Path, cause: io::Error) -> SolvedFileError {
    SolvedFileError::Io {
        path: path.to_path_buf(),
        cause,
    }
}

/// Adds to a file that ends at `end`; if that fails it ends there again.
///
/// # Errors
/// If it cannot be written.
pub fn append(
    path: &Path,
    mut file: &File,
    end: u64,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), SolvedFileError> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let written = file
        .seek(io::SeekFrom::Start(end))
        .and_then(|_| write(&mut out));
    let written = written.and_then(|()| out.flush());
    let _ = out.into_parts();
    written.map_err(|cause| {
        // What is half there would be cut off by the next program anyway.
        let _ = file.set_len(end);
        io_error(path, cause)
    })
}

/// Opens a file to read and to write, for this program alone. If it is empty it then
/// holds the header.
///
/// # Errors
/// If it cannot be written, or another program writes to it.
pub fn open_or_begin(
    path: &Path,
    magic: &[u8],
    header: &impl Serialize,
) -> Result<File, SolvedFileError> {
    let failed = |cause| io_error(path, cause);
    expect_regular(path).map_err(failed)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).map_err(failed)?;
    if !lock(&file).map_err(failed)? {
        return Err(SolvedFileError::InUse(path.to_path_buf()));
    }
    if file.metadata().map_err(failed)?.len() == 0 {
        write_header(&mut file, magic, header).map_err(failed)?;
    }
    Ok(file)
}

/// Opens a file to read in which something may have been begun; `None` if it does not
/// exist or is empty.
///
/// # Errors
/// If it cannot be read, or is no regular file.
pub fn find_begun(path: &Path) -> Result<Option<File>, SolvedFileError> {
    match fs::metadata(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(found) if found.is_file() && found.len() == 0 => return Ok(None),
        _ => {}
    }
    let file = open_regular(path).map_err(|cause| io_error(path, cause))?;
    Ok(Some(file))
}

/// Whether a file has nothing but zeros from a place on. Behind the header of a part
/// there is more, a checksum at least, so what has only zeros there was not written
/// to its end: the system had given the file its length already when it failed.
///
/// # Errors
/// If it cannot be read.
pub fn is_empty_from(file: &File, start: u64) -> io::Result<bool> {
    let mut piece = vec![0; PIECE];
    let mut at = start;
    loop {
        let read = file.read_at(&mut piece, at)?;
        if read == 0 {
            return Ok(true);
        }
        if piece[..read].iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        at += read as u64;
    }
}

/// Writes the header of a file.
///
/// # Errors
/// If that fails.
pub fn write_header(out: &mut dyn Write, magic: &[u8], header: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_vec(header)?;
    let mut bytes = magic.to_vec();
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(json);
    bytes.extend(Fnv::of(&bytes).to_le_bytes());
    out.write_all(&bytes)
}

/// The header of a file of a kind that begins with `magic`, and where it ends.
///
/// # Errors
/// If it cannot be read, or is none.
pub fn read_header<H: DeserializeOwned>(
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
