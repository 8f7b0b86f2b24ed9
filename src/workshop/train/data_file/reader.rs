//! Reading training data.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use super::{DataHeader, END_MARK, SUM, damaged, expect_size, link, read_bytes};
use crate::files::open_input;
use crate::train::data::Record;

/// The maximum number of records in a block.
const MAX_BLOCK: u32 = 1 << 20;

/// How a file ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataEnd {
    /// With its end mark.
    Marked,
    /// Without an end mark, after a complete block.
    Unmarked,
    /// After this many bytes of an incomplete block.
    Incomplete(u64),
}

/// Reads the blocks of a file.
pub struct DataReader {
    file: BufReader<File>,
    pub(super) header: DataHeader,
    /// The last checksum, if the file has any.
    pub(super) sum: Option<u64>,
    /// The number of bytes up to the end of the last complete block.
    pub(super) whole: u64,
    /// Known once all blocks are read.
    ending: Option<DataEnd>,
}

impl DataReader {
    /// Opens a data file.
    ///
    /// # Errors
    /// If it cannot be read or is not a data file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::new(open_input(path)?)
    }

    pub(super) fn new(file: File) -> io::Result<Self> {
        let mut file = BufReader::new(file);
        let (header, sum) = DataHeader::read(&mut file)?;
        Ok(Self {
            file,
            whole: header.to_bytes().0.len() as u64,
            header,
            sum,
            ending: None,
        })
    }

    /// The rows of the boards, 5 or 6.
    pub fn size(&self) -> usize {
        self.header.size
    }

    /// The settings of the games, as command-line options.
    pub fn settings(&self) -> &str {
        &self.header.settings
    }

    /// Checks that the boards have this size.
    ///
    /// # Errors
    /// If the boards have another size.
    pub fn expect_size(&self, size: usize) -> io::Result<()> {
        expect_size(self.header.size, size)
    }

    /// How the file ends; known once all blocks are read.
    pub fn ending(&self) -> Option<DataEnd> {
        self.ending
    }

    /// Warnings about a file that was read to its end: it may be damaged or incomplete.
    pub fn remarks(&self) -> Vec<String> {
        let unchecked = self.sum.is_none().then(|| {
            "training data of an earlier version, without checksums: damage may go unnoticed".into()
        });
        let end = match self.ending {
            Some(DataEnd::Incomplete(bytes)) => Some(format!(
                "its last block is incomplete: its {bytes} bytes are ignored"
            )),
            Some(DataEnd::Unmarked) if self.sum.is_some() => Some(
                "its end mark is missing: datagen was killed or is still writing, or the file \
                 was cut off"
                    .into(),
            ),
            _ => None,
        };
        unchecked.into_iter().chain(end).collect()
    }

    /// The next block; `None` at the end, or where the file is cut off.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn block(&mut self) -> io::Result<Option<Vec<Record>>> {
        if self.ending.is_some() {
            return Ok(None);
        }
        let sum_length = self.sum.map_or(0, |_| SUM);
        let head = read_bytes(&mut self.file, 4 + sum_length)?;
        if head.len() < 4 + sum_length {
            return Ok(self.end_after(head.len()));
        }
        self.expect_sum(&head)?;
        let count = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        if count == END_MARK && self.sum.is_some() {
            return self.end_marked();
        }
        if count > MAX_BLOCK {
            return Err(damaged(&format!("a block of {count} records")));
        }
        let length = count as usize * size_of::<Record>() + sum_length;
        let mut bytes = read_bytes(&mut self.file, length)?;
        if bytes.len() < length {
            return Ok(self.end_after(head.len() + bytes.len()));
        }
        self.expect_sum(&bytes)?;
        self.whole += (head.len() + bytes.len()) as u64;
        bytes.truncate(bytes.len() - sum_length);
        let block: Vec<Record> = bytemuck::pod_collect_to_vec(&bytes);
        let size = self.header.size;
        block.iter().try_for_each(|record| record.check(size))?;
        Ok(Some(block))
    }

    /// Checks the checksum at the end of `bytes`, if the file has checksums.
    fn expect_sum(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(before) = self.sum else {
            return Ok(());
        };
        let (body, sum) = bytes.split_at(bytes.len() - SUM);
        let expected = link(before, body);
        if sum == expected.to_le_bytes() {
            self.sum = Some(expected);
            return Ok(());
        }
        let whole = self.whole;
        Err(damaged(&format!(
            "the block at byte {whole} has a wrong checksum; the bytes before it are good \
             (`head -c {whole}` keeps them)"
        )))
    }

    /// Ends the file, with this many bytes after the last complete block.
    fn end_after(&mut self, bytes: usize) -> Option<Vec<Record>> {
        self.ending = Some(match bytes {
            0 => DataEnd::Unmarked,
            bytes => DataEnd::Incomplete(bytes as u64),
        });
        None
    }

    fn end_marked(&mut self) -> io::Result<Option<Vec<Record>>> {
        if !read_bytes(&mut self.file, 1)?.is_empty() {
            return Err(damaged("there are bytes after the end mark"));
        }
        self.ending = Some(DataEnd::Marked);
        Ok(None)
    }
}
