//! The files of training data: a header, blocks of records, and an end mark.
//!
//! All numbers are little-endian. A block is the output of one batch of games.
//!
//! | bytes | header |
//! |---|---|
//! | 7 | `SANTOD4` |
//! | 1 | the size of the board |
//! | 2 | the length of the settings |
//! | | the settings of the games, as command-line options |
//! | 8 | checksum |
//!
//! | bytes | block |
//! |---|---|
//! | 4 | the number of records; `u32::MAX` and its checksum are the end mark |
//! | 8 | checksum |
//! | 28 each | records |
//! | 8 | checksum |
//!
//! A checksum is the FNV-1a hash of the previous checksum and all bytes since, so damaged,
//! missing and moved blocks are detected.
//!
//! If the program is killed, the file lacks the end mark and may end with an incomplete
//! block. Its complete blocks are used, and [`DataReader::remarks`] reports it. Any other
//! damage is an error.
//!
//! Files of `SANTOD3` have no checksums and no end mark: a block is the number of its
//! records and the records. They can be read, but not resumed. Older files are refused.
//!
//! | to see or change | look at |
//! |---|---|
//! | the header | `mod.rs` (here) |
//! | reading blocks | `reader.rs` |
//! | writing blocks, resuming | `writer.rs` |

mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::io::{self, Read};

use crate::files::{Kind, waiting};
use crate::fnv::Fnv;
pub use reader::{DataEnd, DataReader};
pub use writer::{DataWriter, Resumed, Tail};

/// A file of training data.
pub const DATA_FILE: Kind = Kind {
    name: "a file of training data",
    begins: |head| head.starts_with(b"SANTOD"),
};

/// The first bytes of a file, followed by the size of the board.
const MAGIC: [u8; 7] = *b"SANTOD4";

/// The first bytes of a file without checksums.
const MAGIC_UNCHECKED: [u8; 7] = *b"SANTOD3";

/// The number of records that marks the end of the file.
const END_MARK: u32 = u32::MAX;

/// The length of a checksum in bytes.
const SUM: usize = 8;

fn damaged(what: &str) -> io::Error {
    wrong(format!("damaged training data: {what}"))
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The checksum of bytes and the previous checksum.
fn link(before: u64, bytes: &[u8]) -> u64 {
    let mut sum = Fnv::default();
    sum.add(&before.to_le_bytes());
    sum.add(bytes);
    sum.value()
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataHeader {
    /// The rows of the board, 5 or 6.
    pub size: usize,
    /// The settings of the games, as command-line options.
    pub settings: String,
}

impl DataHeader {
    /// The header in a file, with its checksum.
    fn to_bytes(&self) -> (Vec<u8>, u64) {
        let settings = self.settings.as_bytes();
        let length = (settings.len() as u16).to_le_bytes();
        let size = [self.size as u8];
        let bytes = [&MAGIC, &size[..], &length, settings].concat();
        let sum = link(0, &bytes);
        ([&bytes[..], &sum.to_le_bytes()].concat(), sum)
    }

    /// Reads a header, and its checksum if the file has any.
    fn read(reader: &mut impl Read) -> io::Result<(Self, Option<u64>)> {
        let foreign = || wrong("not a file of training data".into());
        let head: Result<[u8; 8], _> = read_bytes(reader, 8)?.try_into();
        let Ok([magic @ .., size @ 5..=6]) = head else {
            return Err(foreign());
        };
        if !(DATA_FILE.begins)(&magic) {
            return Err(foreign());
        }
        if ![MAGIC, MAGIC_UNCHECKED].contains(&magic) {
            return Err(wrong(
                "training data of a version that is no longer read; generate it again".into(),
            ));
        }
        let header = Self {
            size: usize::from(size),
            settings: read_settings(reader)?,
        };
        if magic != MAGIC {
            return Ok((header, None));
        }
        let (_, expected) = header.to_bytes();
        match read_bytes(reader, SUM)? == expected.to_le_bytes() {
            true => Ok((header, Some(expected))),
            false => Err(damaged("wrong checksum of the header")),
        }
    }

    /// Checks that a file with this header can be resumed with `wanted`.
    fn expect(&self, wanted: &Self) -> io::Result<()> {
        expect_size(self.size, wanted.size)?;
        if self.settings == wanted.settings {
            return Ok(());
        }
        Err(wrong(format!(
            "started with `{}`, not with `{}`; \
             use the same options to resume it, or name another file",
            self.settings, wanted.settings
        )))
    }
}

fn read_settings(reader: &mut impl Read) -> io::Result<String> {
    let cut_off = || damaged("it ends in its header");
    let length: Result<[u8; 2], _> = read_bytes(reader, 2)?.try_into();
    let length = u16::from_le_bytes(length.map_err(|_| cut_off())?);
    let text = read_bytes(reader, length.into())?;
    match text.len() == usize::from(length) {
        true => String::from_utf8(text).map_err(|_| damaged("its header is not text")),
        false => Err(cut_off()),
    }
}

fn expect_size(found: usize, wanted: usize) -> io::Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(wrong(format!(
        "training data of {found}x{found} boards, not of {wanted}x{wanted}"
    )))
}

/// Reads this many bytes, fewer only if the input ends.
fn read_bytes(reader: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    waiting(|| reader.take(length as u64).read_to_end(&mut bytes))?;
    Ok(bytes)
}
