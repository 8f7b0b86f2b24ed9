//! Training data: positions with a search score and the game's result.
//!
//! A file is a magic word, then blocks of records. A block holds what one
//! batch of games gave, so that a file cut off anywhere is good up to its last
//! whole block.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::rules::{Card, Position, Side, Square};

/// The first bytes of a data file.
const MAGIC: [u8; 8] = *b"SANTOD01";

/// The most records a block may announce.
const MAX_BLOCK: u32 = 1 << 20;

/// One position of a 5x5 game: 24 bytes.
///
/// | bytes | content |
/// |---|---|
/// | 0-12 | levels of the 25 spaces, 4 bits each, row by row, low half first |
/// | 13-16 | squares of the mover's workers, then of the other's |
/// | 17 | cards: mover's in the low half, other's in the high; 0 for none |
/// | 18 | turn number |
/// | 19 | turns from here to the end of the game |
/// | 20 | 1 if the mover wins in the end, 0 if not |
/// | 21 | unused, 0 |
/// | 22-23 | search score for the mover, little endian |
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Record([u8; 24]);

impl Record {
    /// Packs a position with its search score; the result is set later.
    pub fn new(position: &Position<5>, score: i32) -> Self {
        let mut bytes = [0; 24];
        for square in (0..25).map(Square::new) {
            bytes[square.index() / 2] |= position.level(square) << (square.index() % 2 * 4);
        }
        let workers = position
            .workers(Side::Mover)
            .chain(position.workers(Side::Other));
        for (byte, square) in bytes[13..17].iter_mut().zip(workers) {
            *byte = square.index() as u8;
        }
        let [mover, other] = position
            .cards()
            .map(|card| card.map_or(0, |card| card as u8 + 1));
        bytes[17] = mover | other << 4;
        bytes[18] = position.turn().min(255) as u8;
        bytes[22..24].copy_from_slice(&(score as i16).to_le_bytes());
        Self(bytes)
    }

    /// The same record with the game's end: whether the mover wins, and in
    /// how many turns from here.
    pub fn with_result(mut self, mover_wins: bool, turns_left: usize) -> Self {
        self.0[19] = turns_left.min(255) as u8;
        self.0[20] = u8::from(mover_wins);
        self
    }

    /// The position.
    ///
    /// # Errors
    /// If the bytes do not describe one, as in a damaged file.
    pub fn position(&self) -> io::Result<Position<5>> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "damaged training record");
        let mut levels = [[0; 5]; 5];
        for (index, level) in levels.as_flattened_mut().iter_mut().enumerate() {
            *level = self.0[index / 2] >> (index % 2 * 4) & 15;
        }
        let worker = |index: usize| {
            let square = usize::from(self.0[13 + index]);
            (square < 25)
                .then(|| Square::new(square))
                .ok_or_else(damaged)
        };
        let workers = [[worker(0)?, worker(1)?], [worker(2)?, worker(3)?]];
        let card = |number: u8| match number {
            0 => Ok(None),
            number => Card::ALL
                .get(usize::from(number) - 1)
                .copied()
                .map(Some)
                .ok_or_else(damaged),
        };
        let cards = [card(self.0[17] & 15)?, card(self.0[17] >> 4)?];
        Position::new(&levels, workers, cards, u32::from(self.0[18])).map_err(|_| damaged())
    }

    /// The search score for the mover, in hundredths of a level.
    pub fn score(&self) -> i32 {
        i32::from(i16::from_le_bytes([self.0[22], self.0[23]]))
    }

    /// Whether the mover won the game.
    pub fn mover_wins(&self) -> bool {
        self.0[20] != 0
    }

    /// The turns from here to the end of the game.
    pub fn turns_left(&self) -> u8 {
        self.0[19]
    }
}

/// Writes blocks of records to a file.
pub struct DataWriter(BufWriter<File>);

impl DataWriter {
    /// Opens the file to go on after its last whole block, creating it if
    /// need be. Returns also the blocks it holds, in order.
    ///
    /// # Errors
    /// If the file cannot be read and written, or is something else.
    pub fn resume(path: &Path) -> io::Result<(Self, Vec<Vec<Record>>)> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        if file.metadata()?.len() == 0 {
            file.write_all(&MAGIC)?;
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = DataReader::new(file.try_clone()?)?;
        let mut blocks = Vec::new();
        let mut end = MAGIC.len() as u64;
        while let Some(block) = reader.block()? {
            end += 4 + std::mem::size_of_val(block.as_slice()) as u64;
            blocks.push(block);
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok((Self(BufWriter::new(file)), blocks))
    }

    /// Appends a block and hands it to the operating system.
    ///
    /// # Errors
    /// As any write.
    pub fn write(&mut self, block: &[Record]) -> io::Result<()> {
        self.0.write_all(&(block.len() as u32).to_le_bytes())?;
        self.0.write_all(bytemuck::cast_slice(block))?;
        self.0.flush()
    }
}

/// Reads the blocks of a file.
pub struct DataReader(BufReader<File>);

impl DataReader {
    /// Opens a data file.
    ///
    /// # Errors
    /// If it cannot be read or is something else.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::new(File::open(path)?)
    }

    fn new(file: File) -> io::Result<Self> {
        let mut reader = BufReader::new(file);
        let mut magic = [0; MAGIC.len()];
        reader.read_exact(&mut magic)?;
        if magic != MAGIC {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "not a training data file",
            ));
        }
        Ok(Self(reader))
    }

    /// The next block; `None` at the end, or where the file is cut off.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn block(&mut self) -> io::Result<Option<Vec<Record>>> {
        let mut length = [0; 4];
        if !read_whole(&mut self.0, &mut length)? {
            return Ok(None);
        }
        let length = u32::from_le_bytes(length);
        if length > MAX_BLOCK {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "damaged training data block",
            ));
        }
        let mut block = vec![Record([0; 24]); length as usize];
        let whole = read_whole(&mut self.0, bytemuck::cast_slice_mut(&mut block))?;
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

/// A number that is the same for all positions that a symmetry of the board
/// takes into each other.
pub fn symmetric_key(position: &Position<5>) -> u64 {
    let keys = crate::rules::Symmetry::all().map(|symmetry| position.transformed(symmetry).key());
    keys.min().expect("there are eight symmetries")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str, score: i32) -> Record {
        Record::new(&text.parse().unwrap(), score).with_result(true, 7)
    }

    const PLAIN: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
    const CARDS: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 13 Pan Apollo";

    #[test]
    fn a_record_reads_back() {
        for text in [PLAIN, CARDS] {
            let record = record(text, -1234);
            let position = record.position().unwrap();
            assert_eq!(position.to_string(), text);
            assert_eq!(
                (record.score(), record.mover_wins(), record.turns_left()),
                (-1234, true, 7)
            );
        }
    }

    #[test]
    fn a_file_cut_off_goes_on_after_its_last_whole_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let block = vec![record(PLAIN, 1), record(CARDS, 2)];
        let (mut writer, blocks) = DataWriter::resume(&path).unwrap();
        assert!(blocks.is_empty());
        writer.write(&block).unwrap();
        writer.write(&block).unwrap();
        drop(writer);
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(file.metadata().unwrap().len() - 5).unwrap();
        let (mut writer, blocks) = DataWriter::resume(&path).unwrap();
        assert_eq!(blocks, std::slice::from_ref(&block));
        writer.write(&block[..1]).unwrap();
        drop(writer);
        let mut reader = DataReader::open(&path).unwrap();
        assert_eq!(reader.block().unwrap().unwrap(), block);
        assert_eq!(reader.block().unwrap().unwrap(), block[..1]);
        assert_eq!(reader.block().unwrap(), None);
    }

    #[test]
    fn symmetric_positions_have_the_same_key() {
        let position: Position<5> = PLAIN.parse().unwrap();
        for symmetry in crate::rules::Symmetry::all() {
            assert_eq!(
                symmetric_key(&position.transformed(symmetry)),
                symmetric_key(&position)
            );
        }
    }
}
