//! The files of training data: a header, blocks of records, and an end mark.
//!
//! All numbers are little-endian. A block is the output of one batch of games.
//!
//! | bytes | header |
//! |---|---|
//! | 7 | `SANTOD4` |
//! | 1 | the size of the board |
//! | 2 | the length of the settings |
//! | | the settings that the games were played with, as options |
//! | 8 | checksum |
//!
//! | bytes | block |
//! |---|---|
//! | 4 | the number of records; `u32::MAX` is the end mark, of which only this and the next line are there |
//! | 8 | checksum |
//! | 28 each | records |
//! | 8 | checksum |
//!
//! A checksum is the FNV-1a of the checksum before it and all bytes between. So a block
//! that is damaged, missing or in another place is found.
//!
//! A program that is killed leaves a file without an end mark, perhaps with a part of a
//! block behind the last whole one. Such a file is used up to there, and
//! [`DataReader::remarks`] tells it. Everything else that is wrong is an error.
//!
//! Files of earlier versions have no checksums and no end mark: a block is the number of
//! its records and the records. `SANTOD2` has no settings either: its header ends after
//! the size. Both can be read, but not resumed.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::data::Record;
use crate::files::{Destination, Kind, lock, open_input, waiting};
use crate::fnv::Fnv;

/// A file of training data.
pub const DATA_FILE: Kind = Kind {
    name: "a file of training data",
    begins: |head| head.starts_with(b"SANTOD"),
};

/// The first bytes of a file.
const MAGIC: [u8; 7] = *b"SANTOD4";

/// Those of a file without checksums, and of one without settings too.
const MAGIC_UNCHECKED: [u8; 7] = *b"SANTOD3";
const MAGIC_OLDEST: [u8; 7] = *b"SANTOD2";

/// The most records a block may announce.
const MAX_BLOCK: u32 = 1 << 20;

/// The number of records that stands for the end of the file.
const END_MARK: u32 = u32::MAX;

/// The length of a checksum in bytes.
const SUM: usize = 8;

fn damaged(what: &str) -> io::Error {
    wrong(format!("damaged training data: {what}"))
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The checksum of some bytes that follow a checksum.
fn link(before: u64, bytes: &[u8]) -> u64 {
    let mut sum = Fnv::default();
    sum.add(&before.to_le_bytes());
    sum.add(bytes);
    sum.value()
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataHeader {
    /// The spaces a side of the board.
    pub size: usize,
    /// What the games were played with, as options; `None` in a file of the oldest
    /// version.
    pub settings: Option<String>,
}

impl DataHeader {
    /// The header in a file, with its checksum.
    fn to_bytes(&self) -> (Vec<u8>, u64) {
        let settings = self.settings.as_deref().unwrap_or_default();
        let length = (settings.len() as u16).to_le_bytes();
        let size = [self.size as u8];
        let bytes = [&MAGIC, &size[..], &length, settings.as_bytes()].concat();
        let sum = link(0, &bytes);
        ([&bytes[..], &sum.to_le_bytes()].concat(), sum)
    }

    /// Reads a header, and its checksum if the file has any.
    fn read(reader: &mut impl Read) -> io::Result<(Self, Option<u64>)> {
        let foreign =
            || wrong("not a file of training data as this version of datagen writes it".into());
        let mut head = [0; MAGIC.len() + 1];
        let whole = fill(reader, &mut head)? == head.len();
        let [magic @ .., size @ 5..=6] = head else {
            return Err(foreign());
        };
        let settings = match magic {
            MAGIC | MAGIC_UNCHECKED => Some(read_settings(reader)?),
            MAGIC_OLDEST => None,
            _ => return Err(foreign()),
        };
        let size = usize::from(size);
        let header = whole.then_some(Self { size, settings });
        let header = header.ok_or_else(foreign)?;
        if magic != MAGIC {
            return Ok((header, None));
        }
        let (_, expected) = header.to_bytes();
        let mut sum = [0; SUM];
        fill(reader, &mut sum)?;
        match u64::from_le_bytes(sum) == expected {
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
        let name = |header: &Self| header.settings.clone().unwrap_or_default();
        Err(wrong(format!(
            "begun with `{}`, which is not what is asked for now (`{}`); \
             say the same, or another file",
            name(self),
            name(wanted)
        )))
    }
}

fn read_settings(reader: &mut impl Read) -> io::Result<String> {
    let mut length = [0; 2];
    let mut text = Vec::new();
    if fill(reader, &mut length)? == length.len() {
        text.resize(usize::from(u16::from_le_bytes(length)), 0);
        if fill(reader, &mut text)? == text.len() {
            return String::from_utf8(text).map_err(|_| damaged("header"));
        }
    }
    Err(damaged("header"))
}

fn expect_size(found: usize, wanted: usize) -> io::Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(wrong(format!(
        "training data of {found}x{found} boards, where {wanted}x{wanted} is wanted"
    )))
}

/// Writes blocks of records.
pub struct DataWriter<W: Write> {
    out: BufWriter<W>,
    /// The last checksum.
    sum: u64,
    /// Whether the end mark is there.
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

    /// Appends the end mark, unless it is there.
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

/// A file from a place on. What was behind it is cut off when something is written, not
/// before.
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

/// A file that is resumed.
pub struct Resumed {
    pub writer: DataWriter<Tail>,
    /// The blocks it holds, in order.
    pub blocks: Vec<Vec<Record>>,
    /// The bytes of an incomplete last block, which the next one replaces.
    pub incomplete: u64,
}

impl From<DataWriter<Tail>> for Resumed {
    /// A file that holds nothing yet.
    fn from(writer: DataWriter<Tail>) -> Self {
        Self {
            writer,
            blocks: Vec::new(),
            incomplete: 0,
        }
    }
}

impl DataWriter<Tail> {
    /// Opens the file to resume after its last whole block, or creates it. A pipe or
    /// device holds no blocks. The whole file is checked, and stays as it is until
    /// something is written.
    ///
    /// # Errors
    /// If the file cannot be read and written, is no data file or one of an earlier
    /// version, is damaged, or has another header.
    pub fn resume(path: &Path, header: &DataHeader) -> io::Result<Resumed> {
        let begun = |file| Self::begin(Tail { file, cut_at: None }, header).map(Resumed::from);
        if let Destination::Stream(stream) = Destination::of(path)? {
            return begun(stream.open()?);
        }
        let file = open_locked(path)?;
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
            block
                .iter()
                .try_for_each(|record| record.check(header.size))?;
            blocks.push(block);
            sum = reader.sum.unwrap_or(sum);
        }
        let end = Some(reader.whole);
        Ok(Resumed {
            writer: Self {
                out: BufWriter::new(Tail { file, cut_at: end }),
                sum,
                is_ended: reader.ending == Some(Ending::Marked),
            },
            blocks,
            incomplete: match reader.ending {
                Some(Ending::Incomplete(bytes)) => bytes,
                _ => 0,
            },
        })
    }

    /// Creates the file, in place of one that exists.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn overwrite(path: &Path, header: &DataHeader) -> io::Result<Self> {
        let file = match Destination::of(path)? {
            Destination::Stream(stream) => stream.open()?,
            _ => {
                let file = open_locked(path)?;
                file.set_len(0)?;
                file
            }
        };
        Self::begin(Tail { file, cut_at: None }, header)
    }
}

/// Opens a file to read and write, and locks it.
fn open_locked(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path)?;
    if !lock(&file)? {
        let cause = "another program is writing to this file";
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, cause));
    }
    Ok(file)
}

/// How a file ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With its end mark.
    Marked,
    /// Without one, after a whole block.
    Unmarked,
    /// After so many bytes of a block that is not whole.
    Incomplete(u64),
}

/// Reads the blocks of a file.
pub struct DataReader {
    file: BufReader<File>,
    header: DataHeader,
    /// The last checksum, if the file has any.
    sum: Option<u64>,
    /// The bytes up to the end of the last whole block.
    whole: u64,
    /// Known once all blocks are read.
    ending: Option<Ending>,
}

impl DataReader {
    /// Opens a data file.
    ///
    /// # Errors
    /// If it cannot be read or is no data file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::new(open_input(path)?)
    }

    fn new(file: File) -> io::Result<Self> {
        let mut file = BufReader::new(file);
        let (header, sum) = DataHeader::read(&mut file)?;
        let whole = sum.map_or(0, |_| header.to_bytes().0.len() as u64);
        Ok(Self {
            file,
            header,
            sum,
            whole,
            ending: None,
        })
    }

    /// The spaces a side of the boards.
    pub fn size(&self) -> usize {
        self.header.size
    }

    /// What the games were played with, as options, if the file notes it.
    pub fn settings(&self) -> Option<&str> {
        self.header.settings.as_deref()
    }

    /// Checks that the boards have this size.
    ///
    /// # Errors
    /// If they have another size.
    pub fn expect_size(&self, size: usize) -> io::Result<()> {
        expect_size(self.header.size, size)
    }

    /// How the file ends, once all blocks are read.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// What people should know of a file that was read to its end: that damage may be
    /// in it, or something lacks.
    pub fn remarks(&self) -> Vec<String> {
        let unchecked = self.sum.is_none().then(|| {
            "training data of an earlier version, without checksums: damage may go unnoticed".into()
        });
        let end = match self.ending {
            Some(Ending::Incomplete(bytes)) => Some(format!(
                "its last block is incomplete: the {bytes} bytes of it are not used"
            )),
            Some(Ending::Unmarked) if self.sum.is_some() => Some(
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
        match self.sum {
            Some(sum) => self.checked_block(sum),
            None => self.unchecked_block(),
        }
    }

    fn checked_block(&mut self, sum: u64) -> io::Result<Option<Vec<Record>>> {
        let mut head = [0; 4 + SUM];
        let read = fill(&mut self.file, &mut head)?;
        if read < head.len() {
            return Ok(self.end_after(read));
        }
        let sum = self.expect_sum(sum, &head)?;
        let [a, b, c, d, ..] = head;
        let count = u32::from_le_bytes([a, b, c, d]);
        if count == END_MARK {
            return self.end_marked();
        }
        let mut bytes = self.room(count, SUM)?;
        let read = fill(&mut self.file, &mut bytes)?;
        if read < bytes.len() {
            return Ok(self.end_after(head.len() + read));
        }
        self.sum = Some(self.expect_sum(sum, &bytes)?);
        self.whole += (head.len() + bytes.len()) as u64;
        bytes.truncate(bytes.len() - SUM);
        Ok(Some(records(&bytes)))
    }

    fn unchecked_block(&mut self) -> io::Result<Option<Vec<Record>>> {
        let mut head = [0; 4];
        let read = fill(&mut self.file, &mut head)?;
        if read < head.len() {
            return Ok(self.end_after(read));
        }
        let mut bytes = self.room(u32::from_le_bytes(head), 0)?;
        let read = fill(&mut self.file, &mut bytes)?;
        if read < bytes.len() {
            return Ok(self.end_after(head.len() + read));
        }
        let block = records(&bytes);
        let size = self.header.size;
        block.iter().try_for_each(|record| record.check(size))?;
        Ok(Some(block))
    }

    /// Room for a block, and for so many bytes behind it.
    fn room(&self, records: u32, behind: usize) -> io::Result<Vec<u8>> {
        match records <= MAX_BLOCK {
            true => Ok(vec![0; records as usize * size_of::<Record>() + behind]),
            false => Err(damaged(&format!("a block of {records} records"))),
        }
    }

    /// The checksum at the end of `bytes`, which follow a checksum.
    fn expect_sum(&self, before: u64, bytes: &[u8]) -> io::Result<u64> {
        let (body, sum) = bytes.split_at(bytes.len() - SUM);
        let expected = link(before, body);
        if sum == expected.to_le_bytes() {
            return Ok(expected);
        }
        let whole = self.whole;
        Err(damaged(&format!(
            "the block at byte {whole} has a wrong checksum; the bytes before it are good \
             (`head -c {whole}` keeps them)"
        )))
    }

    /// The file ends, with so many bytes behind the last whole block.
    fn end_after(&mut self, bytes: usize) -> Option<Vec<Record>> {
        self.ending = Some(match bytes {
            0 => Ending::Unmarked,
            bytes => Ending::Incomplete(bytes as u64),
        });
        None
    }

    fn end_marked(&mut self) -> io::Result<Option<Vec<Record>>> {
        if fill(&mut self.file, &mut [0])? > 0 {
            return Err(damaged("there are bytes behind the end mark"));
        }
        self.ending = Some(Ending::Marked);
        Ok(None)
    }
}

/// The records in some bytes.
fn records(bytes: &[u8]) -> Vec<Record> {
    bytemuck::pod_collect_to_vec(bytes)
}

/// Fills the buffer as far as the input goes; returns how far.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match waiting(|| reader.read(&mut buffer[filled..])) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rules::Position;

    fn record(score: i32) -> Record {
        let text = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
        let position: Position<5> = text.parse().unwrap();
        Record::new(&position, score).with_result(true, 7)
    }

    fn header(size: usize, settings: &str) -> DataHeader {
        DataHeader {
            size,
            settings: Some(settings.into()),
        }
    }

    /// A file of three blocks, the second one empty, and its path.
    fn written(folder: &tempfile::TempDir, ended: bool) -> (std::path::PathBuf, Vec<u8>) {
        let path = folder.path().join("data");
        let mut writer = DataWriter::overwrite(&path, &header(5, "--seed 1")).unwrap();
        for block in [&[record(1), record(2)][..], &[], &[record(3)]] {
            writer.write(block).unwrap();
        }
        if ended {
            writer.end().unwrap();
        }
        drop(writer);
        let bytes = fs::read(&path).unwrap();
        (path, bytes)
    }

    fn resume(path: &Path) -> io::Result<Resumed> {
        DataWriter::resume(path, &header(5, "--seed 1"))
    }

    fn all(path: &Path) -> io::Result<(Vec<Vec<Record>>, Option<Ending>)> {
        let mut reader = DataReader::open(path)?;
        let mut blocks = Vec::new();
        while let Some(block) = reader.block()? {
            blocks.push(block);
        }
        Ok((blocks, reader.ending()))
    }

    #[test]
    fn a_file_is_for_one_size_of_board_and_one_kind_of_games() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = written(&folder, true);
        let first = resume(&path).unwrap();
        let second = resume(&path).err().unwrap();
        assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        assert_eq!(DataReader::open(&path).unwrap().size(), 5);
        for (other, told) in [
            (header(6, "--seed 1"), ["6x6", "5x5"]),
            (header(5, "--seed 2"), ["`--seed 1`", "`--seed 2`"]),
        ] {
            let error = DataWriter::resume(&path, &other).err().unwrap().to_string();
            assert!(told.iter().all(|text| error.contains(text)), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::write(&path, b"SANTOD01").unwrap();
        assert!(DataReader::open(&path).is_err());
        drop(DataWriter::overwrite(&path, &header(6, "")).unwrap());
        assert_eq!(DataReader::open(&path).unwrap().size(), 6);
    }

    #[test]
    fn files_of_earlier_versions_are_read_but_not_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let block = [&1_u32.to_le_bytes()[..], bytemuck::bytes_of(&record(1))].concat();
        let oldest = [b"SANTOD2\x05", &block[..]].concat();
        let old = [b"SANTOD3\x05\x08\x00--seed 1", &block[..]].concat();
        for before in [oldest, old] {
            fs::write(&path, &before).unwrap();
            let mut reader = DataReader::open(&path).unwrap();
            assert_eq!(reader.block().unwrap().unwrap(), [record(1)]);
            assert_eq!(reader.block().unwrap(), None);
            let remarks = reader.remarks();
            assert!(
                remarks.len() == 1 && remarks[0].contains("without checksums"),
                "{remarks:?}"
            );
            let error = resume(&path).err().unwrap().to_string();
            assert!(error.contains("earlier version"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), before);
            // A level where there is no space, a card and a result that do not exist.
            for (at, byte) in [(16, 0x10), (6, 9), (3, 3)] {
                let mut bytes = before.clone();
                let at = bytes.len() - at;
                bytes[at] = byte;
                fs::write(&path, &bytes).unwrap();
                assert!(all(&path).is_err(), "{at}");
            }
        }
    }

    #[test]
    fn every_changed_bit_is_found_and_nothing_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let (path, good) = written(&folder, true);
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            assert!(all(&path).is_err(), "bit {bit}");
            assert!(resume(&path).is_err(), "bit {bit}");
            assert!(fs::read(&path).unwrap() == bytes, "bit {bit}");
        }
        fs::write(&path, [&good[..], b"x"].concat()).unwrap();
        assert!(all(&path).is_err());
    }

    #[test]
    fn a_block_that_is_missing_or_moved_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (path, good) = written(&folder, true);
        let begin = header(5, "--seed 1").to_bytes().0.len();
        let first = 4 + SUM + 2 * size_of::<Record>() + SUM;
        let (head, rest) = good.split_at(begin);
        let (first, rest) = rest.split_at(first);
        for bytes in [
            [head, rest].concat(),
            [head, first, first, rest].concat(),
            [head, &rest[..20], first, &rest[20..]].concat(),
        ] {
            fs::write(&path, bytes).unwrap();
            assert!(all(&path).is_err());
        }
    }

    #[test]
    fn one_incomplete_block_is_told_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (path, good) = written(&folder, false);
        let (_, whole) = written(&folder, true);
        let last = 4 + SUM + size_of::<Record>() + SUM;
        for cut in 0..last {
            let bytes = &good[..good.len() - cut];
            fs::write(&path, bytes).unwrap();
            let (blocks, ending) = all(&path).unwrap();
            let kept = if cut == 0 { 3 } else { 2 };
            let incomplete = if cut == 0 { 0 } else { (last - cut) as u64 };
            assert_eq!(blocks.len(), kept);
            assert_ne!(ending, Some(Ending::Marked));
            let mut resumed = resume(&path).unwrap();
            assert_eq!(resumed.incomplete, incomplete, "{cut}");
            assert_eq!(resumed.blocks, blocks);
            assert!(fs::read(&path).unwrap() == bytes, "nothing is written yet");
            if cut > 0 {
                resumed.writer.write(&[record(3)]).unwrap();
            }
            resumed.writer.end().unwrap();
            assert!(fs::read(&path).unwrap() == whole, "{cut}");
        }
    }

    #[test]
    fn an_end_mark_makes_room_for_more_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let (path, good) = written(&folder, true);
        let mut resumed = resume(&path).unwrap();
        resumed.writer.end().unwrap();
        assert!(fs::read(&path).unwrap() == good);
        resumed.writer.write(&[record(4)]).unwrap();
        resumed.writer.end().unwrap();
        drop(resumed);
        let (blocks, ending) = all(&path).unwrap();
        assert_eq!((blocks.len(), ending), (4, Some(Ending::Marked)));
    }
}
