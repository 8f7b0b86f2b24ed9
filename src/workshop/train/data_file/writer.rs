//! Writing training data, and resuming a file.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use super::{DataEnd, DataHeader, DataReader, END_MARK, link, wrong};
use crate::files::{Destination, open_locked};
use crate::train::data::Record;

/// Writes blocks of records.
pub struct DataWriter<W: Write> {
    out: BufWriter<W>,
    /// The last checksum.
    sum: u64,
    /// Whether the end mark was written.
    is_ended: bool,
}

impl<W: Write> DataWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(mut out: W, header: &DataHeader) -> io::Result<Self> {
        let (bytes, sum) = header.to_bytes();
        out.write_all(&bytes)?;
        Ok(Self {
            out: BufWriter::new(out),
            sum,
            is_ended: false,
        })
    }

    /// Appends a block and hands it to the operating system.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, block: &[Record]) -> io::Result<()> {
        self.is_ended = false;
        self.write_summed(&(block.len() as u32).to_le_bytes())?;
        self.write_summed(bytemuck::cast_slice(block))?;
        self.out.flush()
    }

    /// Appends the end mark, unless it was already written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self) -> io::Result<()> {
        if !self.is_ended {
            self.write_summed(&END_MARK.to_le_bytes())?;
            self.out.flush()?;
            self.is_ended = true;
        }
        Ok(())
    }

    fn write_summed(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum = link(self.sum, bytes);
        self.out.write_all(bytes)?;
        self.out.write_all(&self.sum.to_le_bytes())
    }
}

/// Writes to a file from an offset on. The first write truncates the file there; until then
/// the file is unchanged.
pub struct Tail {
    file: File,
    cut_at: Option<u64>,
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(end) = self.cut_at {
            self.file.set_len(end)?;
            self.file.seek(SeekFrom::Start(end))?;
            self.cut_at = None;
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file to resume.
pub struct Resumed {
    /// Appends after the last complete block.
    pub writer: DataWriter<Tail>,
    /// The blocks in the file, in order.
    pub blocks: Vec<Vec<Record>>,
    /// The bytes of an incomplete last block, which the next one replaces.
    pub incomplete: u64,
}

impl From<DataWriter<Tail>> for Resumed {
    /// A new or empty file.
    fn from(writer: DataWriter<Tail>) -> Self {
        Self {
            writer,
            blocks: Vec::new(),
            incomplete: 0,
        }
    }
}

impl DataWriter<Tail> {
    /// Opens the file to resume it after its last complete block, or creates it. A pipe or
    /// device has no blocks. The whole file is checked, and not changed until something is
    /// written.
    ///
    /// # Errors
    /// If the file cannot be read and written, is not a data file of this version, is
    /// damaged, or has another header.
    pub fn resume(path: &Path, header: &DataHeader) -> io::Result<Resumed> {
        let begun = |file| Self::begin(Tail { file, cut_at: None }, header).map(Resumed::from);
        if let Destination::Stream(stream) = Destination::of(path)? {
            return begun(stream.open()?);
        }
        let file = open_own(path)?;
        if file.metadata()?.len() == 0 {
            return begun(file);
        }
        let mut reader = DataReader::new(file.try_clone()?)?;
        let Some(mut sum) = reader.sum else {
            return Err(wrong(
                "training data of an earlier version, without checksums: it can be learned \
                 from but not resumed; name another file"
                    .into(),
            ));
        };
        reader.header.expect(header)?;
        let mut blocks = Vec::new();
        while let Some(block) = reader.block()? {
            blocks.push(block);
            sum = reader.sum.unwrap_or(sum);
        }
        let end = Some(reader.whole);
        Ok(Resumed {
            writer: Self {
                out: BufWriter::new(Tail { file, cut_at: end }),
                sum,
                is_ended: reader.ending() == Some(DataEnd::Marked),
            },
            blocks,
            incomplete: match reader.ending() {
                Some(DataEnd::Incomplete(bytes)) => bytes,
                _ => 0,
            },
        })
    }

    /// Creates the file, replacing an existing one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn overwrite(path: &Path, header: &DataHeader) -> io::Result<Self> {
        let file = match Destination::of(path)? {
            Destination::Stream(stream) => stream.open()?,
            _ => {
                let file = open_own(path)?;
                file.set_len(0)?;
                file
            }
        };
        Self::begin(Tail { file, cut_at: None }, header)
    }
}

/// Opens a file that no other program writes to.
fn open_own(path: &Path) -> io::Result<File> {
    let cause = || {
        io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another program is writing to this file",
        )
    };
    open_locked(path)?.ok_or_else(cause)
}
