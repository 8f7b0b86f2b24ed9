//! Training data: positions with a search score and the game's result.
//!
//! A file is a header, then blocks of records. A block is the output of one batch
//! of games, so a file that is cut off is good up to its last whole block. A
//! block begins with the number of its records, a `u32`.
//!
//! | bytes | header |
//! |---|---|
//! | 0-6 | `SANTOD3` |
//! | 7 | the size of the board |
//! | 8-9 | the length of the settings |
//! | 10- | the settings that the games were played with, as options |
//!
//! Files of the version before, `SANTOD2`, have no settings: their header ends
//! after the size. They can be read, but not resumed.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::files::{Destination, lock};
use crate::rules::{Card, Geometry, Position, Side, Square};

/// The first bytes of a data file.
const MAGIC: [u8; 7] = *b"SANTOD3";

/// Those of the version before.
const MAGIC_BEFORE: [u8; 7] = *b"SANTOD2";

/// The most records a block may announce.
const MAX_BLOCK: u32 = 1 << 20;

/// The length of a record in bytes.
const RECORD: usize = 28;

/// The result of a game that was not played to its end.
const UNKNOWN: u8 = 2;

/// One position of a game on a board of up to 6x6 spaces.
///
/// | bytes | content |
/// |---|---|
/// | 0-17 | levels of the spaces, 4 bits each, row by row, low half first |
/// | 18-21 | squares of the mover's workers, then of the other's |
/// | 22 | cards: mover's in the low half, other's in the high; 0 for none |
/// | 23 | turn number |
/// | 24 | turns from here to the end of the game |
/// | 25 | 1 if the mover wins in the end, 0 if not, 2 if that is not known |
/// | 26-27 | search score for the mover, little endian |
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Record([u8; RECORD]);

impl Record {
    /// Packs a position with its search score; the result is not known yet.
    pub fn new<const N: usize>(position: &Position<N>, score: i32) -> Self {
        let mut bytes = [0; RECORD];
        for square in Geometry::<N>::BOARD {
            bytes[square.index() / 2] |= position.level(square) << (square.index() % 2 * 4);
        }
        let workers = position
            .workers(Side::Mover)
            .chain(position.workers(Side::Other));
        for (byte, square) in bytes[18..22].iter_mut().zip(workers) {
            *byte = square.index() as u8;
        }
        let [mover, other] = position
            .cards()
            .map(|card| card.map_or(0, |card| card as u8 + 1));
        bytes[22] = mover | other << 4;
        bytes[23] = position.turn().min(255) as u8;
        bytes[25] = UNKNOWN;
        bytes[26..28].copy_from_slice(&(score as i16).to_le_bytes());
        Self(bytes)
    }

    /// The same record with the game's end: whether the mover wins, and in
    /// how many turns from here.
    pub fn with_result(mut self, mover_wins: bool, turns_left: usize) -> Self {
        self.0[24] = turns_left.min(255) as u8;
        self.0[25] = u8::from(mover_wins);
        self
    }

    /// The position.
    ///
    /// # Errors
    /// If the bytes do not describe one, as in a damaged file.
    pub fn position<const N: usize>(&self) -> io::Result<Position<N>> {
        let mut levels = [[0; N]; N];
        for (index, level) in levels.as_flattened_mut().iter_mut().enumerate() {
            *level = self.0[index / 2] >> (index % 2 * 4) & 15;
        }
        let worker = |index: usize| {
            let square = usize::from(self.0[18 + index]);
            (square < N * N)
                .then(|| Square::new(square))
                .ok_or_else(|| damaged("record"))
        };
        let workers = [[worker(0)?, worker(1)?], [worker(2)?, worker(3)?]];
        let card = |number: u8| match number {
            0 => Ok(None),
            number => Card::ALL
                .get(usize::from(number) - 1)
                .copied()
                .map(Some)
                .ok_or_else(|| damaged("record")),
        };
        let cards = [card(self.0[22] & 15)?, card(self.0[22] >> 4)?];
        Position::new(&levels, workers, cards, u32::from(self.0[23])).map_err(|_| damaged("record"))
    }

    /// The search score for the mover, in hundredths of a level.
    pub fn score(&self) -> i32 {
        i32::from(i16::from_le_bytes([self.0[26], self.0[27]]))
    }

    /// Whether the mover won the game, if it was played to its end.
    pub fn mover_wins(&self) -> Option<bool> {
        match self.0[25] {
            UNKNOWN => None,
            result => Some(result != 0),
        }
    }

    /// The turns from here to the end of the game; 0 if that is not known.
    pub fn turns_left(&self) -> u8 {
        self.0[24]
    }
}

fn damaged(what: &str) -> io::Error {
    wrong(format!("damaged training data: {what}"))
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataHeader {
    /// The spaces a side of the board.
    pub size: usize,
    /// What the games were played with, as options; `None` in a file of the
    /// version before.
    pub settings: Option<String>,
}

impl DataHeader {
    fn to_bytes(&self) -> Vec<u8> {
        let Some(settings) = &self.settings else {
            return [&MAGIC_BEFORE[..], &[self.size as u8]].concat();
        };
        let length = (settings.len() as u16).to_le_bytes();
        [&MAGIC, &[self.size as u8][..], &length, settings.as_bytes()].concat()
    }

    fn read(reader: &mut impl Read) -> io::Result<Self> {
        let foreign =
            || wrong("not a file of training data as this version of datagen writes it".into());
        let mut head = [0; MAGIC.len() + 1];
        let whole = read_whole(reader, &mut head)?;
        let [magic @ .., size @ 5..=6] = head else {
            return Err(foreign());
        };
        let settings = match magic {
            MAGIC => Some(read_settings(reader)?),
            MAGIC_BEFORE => None,
            _ => return Err(foreign()),
        };
        let size = usize::from(size);
        whole.then_some(Self { size, settings }).ok_or_else(foreign)
    }

    /// Checks that a file with this header can be resumed with `wanted`.
    fn expect(&self, wanted: &Self) -> io::Result<()> {
        expect_size(self.size, wanted.size)?;
        let name = |header: &Self| header.settings.clone().unwrap_or_default();
        match &self.settings {
            None => Err(wrong(
                "training data of an earlier version, which did not note its settings: it can \
                 be learned from but not resumed; name another file"
                    .into(),
            )),
            Some(found) if Some(found) != wanted.settings.as_ref() => Err(wrong(format!(
                "begun with `{found}`, which is not what is asked for now (`{}`); \
                 say the same, or another file",
                name(wanted)
            ))),
            Some(_) => Ok(()),
        }
    }
}

fn read_settings(reader: &mut impl Read) -> io::Result<String> {
    let mut length = [0; 2];
    let mut text = Vec::new();
    if read_whole(reader, &mut length)? {
        text.resize(usize::from(u16::from_le_bytes(length)), 0);
        if read_whole(reader, &mut text)? {
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

/// Writes blocks of records to a file.
pub struct DataWriter(BufWriter<File>);

impl DataWriter {
    /// Opens the file to resume after its last whole block, or creates it. Also
    /// returns the blocks it holds, in order. A pipe or device holds none.
    ///
    /// # Errors
    /// If the file cannot be read and written, is no data file, or has another
    /// header. The file then stays as it is.
    pub fn resume(path: &Path, header: &DataHeader) -> io::Result<(Self, Vec<Vec<Record>>)> {
        if let Destination::Stream(stream) = Destination::of(path)? {
            return Ok((Self::begin(stream.open()?, header)?, Vec::new()));
        }
        let mut file = open_locked(path)?;
        if file.metadata()?.len() == 0 {
            return Ok((Self::begin(file, header)?, Vec::new()));
        }
        let mut reader = DataReader::new(file.try_clone()?)?;
        reader.header.expect(header)?;
        let mut blocks = Vec::new();
        let mut end = header.to_bytes().len() as u64;
        while let Some(block) = reader.block()? {
            end += 4 + std::mem::size_of_val(block.as_slice()) as u64;
            blocks.push(block);
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok((Self(BufWriter::new(file)), blocks))
    }

    /// Creates the file, in place of one that exists.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn overwrite(path: &Path, header: &DataHeader) -> io::Result<Self> {
        if let Destination::Stream(stream) = Destination::of(path)? {
            return Self::begin(stream.open()?, header);
        }
        let file = open_locked(path)?;
        file.set_len(0)?;
        Self::begin(file, header)
    }

    /// Writes the header.
    fn begin(mut file: File, header: &DataHeader) -> io::Result<Self> {
        file.write_all(&header.to_bytes())?;
        Ok(Self(BufWriter::new(file)))
    }

    /// Appends a block and hands it to the operating system.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, block: &[Record]) -> io::Result<()> {
        self.0.write_all(&(block.len() as u32).to_le_bytes())?;
        self.0.write_all(bytemuck::cast_slice(block))?;
        self.0.flush()
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

/// Reads the blocks of a file.
pub struct DataReader {
    file: BufReader<File>,
    header: DataHeader,
}

impl DataReader {
    /// Opens a data file.
    ///
    /// # Errors
    /// If it cannot be read or is no data file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::new(File::open(path)?)
    }

    fn new(file: File) -> io::Result<Self> {
        let mut file = BufReader::new(file);
        let header = DataHeader::read(&mut file)?;
        Ok(Self { file, header })
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

    /// The next block; `None` at the end, or where the file is cut off.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn block(&mut self) -> io::Result<Option<Vec<Record>>> {
        let mut length = [0; 4];
        if !read_whole(&mut self.file, &mut length)? {
            return Ok(None);
        }
        let length = u32::from_le_bytes(length);
        if length > MAX_BLOCK {
            return Err(damaged("block"));
        }
        let mut block = vec![Record([0; RECORD]); length as usize];
        let whole = read_whole(&mut self.file, bytemuck::cast_slice_mut(&mut block))?;
        Ok(whole.then_some(block))
    }
}

/// Fills the buffer; false if the input ends before.
fn read_whole(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str, score: i32) -> Record {
        let position: Position<5> = text.parse().unwrap();
        Record::new(&position, score).with_result(true, 7)
    }

    const PLAIN: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
    const CARDS: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 13 Pan Apollo";

    #[test]
    fn a_record_reads_back() {
        for text in [PLAIN, CARDS] {
            let record = record(text, -1234);
            let position = record.position::<5>().unwrap();
            assert_eq!(position.to_string(), text);
            assert_eq!(
                (record.score(), record.mover_wins(), record.turns_left()),
                (-1234, Some(true), 7)
            );
        }
    }

    #[test]
    fn a_record_of_the_larger_board_reads_back() {
        let text = "010100/100004/010120/111400/113100/000003 f6c5 a3b5 12";
        let position: Position<6> = text.parse().unwrap();
        let record = Record::new(&position, 99).with_result(false, 3);
        assert_eq!(record.position::<6>().unwrap(), position);
        assert_eq!((record.score(), record.mover_wins()), (99, Some(false)));
    }

    fn header(size: usize, settings: &str) -> DataHeader {
        DataHeader {
            size,
            settings: Some(settings.into()),
        }
    }

    #[test]
    fn a_file_is_for_one_size_of_board_and_one_kind_of_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let written = header(6, "--nodes 5");
        let (mut writer, _) = DataWriter::resume(&path, &written).unwrap();
        writer.write(&[record(PLAIN, 1)]).unwrap();
        let second = DataWriter::resume(&path, &written).err().unwrap();
        assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
        drop(writer);
        assert_eq!(DataReader::open(&path).unwrap().size(), 6);
        let bytes = std::fs::read(&path).unwrap();
        for (other, told) in [
            (header(5, "--nodes 5"), ["6x6", "5x5"]),
            (header(6, "--nodes 6"), ["`--nodes 5`", "`--nodes 6`"]),
        ] {
            let error = DataWriter::resume(&path, &other).err().unwrap().to_string();
            assert!(told.iter().all(|text| error.contains(text)), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        for end in [0, 3, 8, 9, 12] {
            std::fs::write(&path, &bytes[..end]).unwrap();
            assert!(DataReader::open(&path).is_err(), "{end}");
        }
        std::fs::write(&path, b"SANTOD01").unwrap();
        assert!(DataReader::open(&path).is_err());
        drop(DataWriter::overwrite(&path, &header(5, "")).unwrap());
        assert_eq!(DataReader::open(&path).unwrap().size(), 5);
    }

    #[test]
    fn a_file_of_the_version_before_is_read_but_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let before = [b"SANTOD2\x05\x01\0\0\0", &record(PLAIN, 1).0[..]].concat();
        std::fs::write(&path, &before).unwrap();
        let mut reader = DataReader::open(&path).unwrap();
        assert_eq!((reader.size(), &reader.header.settings), (5, &None));
        assert_eq!(reader.block().unwrap().unwrap(), [record(PLAIN, 1)]);
        let error = DataWriter::resume(&path, &header(5, "")).err().unwrap();
        assert!(error.to_string().contains("earlier version"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn a_file_cut_off_goes_on_after_its_last_whole_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let block = vec![record(PLAIN, 1), record(CARDS, 2)];
        let (mut writer, blocks) = DataWriter::resume(&path, &header(5, "--seed 1")).unwrap();
        assert!(blocks.is_empty());
        writer.write(&block).unwrap();
        writer.write(&block).unwrap();
        drop(writer);
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(file.metadata().unwrap().len() - 5).unwrap();
        let (mut writer, blocks) = DataWriter::resume(&path, &header(5, "--seed 1")).unwrap();
        assert_eq!(blocks, std::slice::from_ref(&block));
        writer.write(&block[..1]).unwrap();
        drop(writer);
        let mut reader = DataReader::open(&path).unwrap();
        assert_eq!(reader.block().unwrap().unwrap(), block);
        assert_eq!(reader.block().unwrap().unwrap(), block[..1]);
        assert_eq!(reader.block().unwrap(), None);
    }
}
