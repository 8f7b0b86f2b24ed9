//! Training data: positions with a search score and the game's result. The format of
//! their files is in `data_file/`.

use std::io;

use crate::rules::{Card, Geometry, Position, Side, Square};

pub use super::data_file::{DATA_FILE, DataEnd, DataHeader, DataReader, DataWriter, Resumed, Tail};

/// The length of a record in bytes.
const RECORD: usize = 28;

/// The byte of an unknown result.
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
/// | 25 | 1 if the mover wins the game, 0 if it loses, 2 if unknown |
/// | 26-27 | search score for the mover, little endian |
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Record([u8; RECORD]);

impl Record {
    /// Packs a position with its search score; the result is unknown.
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

    /// The same record with the result of the game: whether the mover wins, and the turns
    /// left from here.
    pub fn with_result(mut self, mover_wins: bool, turns_left: usize) -> Self {
        self.0[24] = turns_left.min(255) as u8;
        self.0[25] = u8::from(mover_wins);
        self
    }

    /// The position.
    ///
    /// # Errors
    /// If the bytes do not describe a position, as in a damaged file.
    pub fn position<const N: usize>(&self) -> io::Result<Position<N>> {
        let mut levels = [[0; N]; N];
        for (index, level) in levels.as_flattened_mut().iter_mut().enumerate() {
            *level = self.level(index);
        }
        let worker = |index: usize| {
            let square = usize::from(self.0[18 + index]);
            (square < N * N)
                .then(|| Square::new(square))
                .ok_or_else(no_record)
        };
        let workers = [[worker(0)?, worker(1)?], [worker(2)?, worker(3)?]];
        let card = |number: u8| match number {
            0 => Ok(None),
            number => Card::ALL
                .get(usize::from(number) - 1)
                .copied()
                .map(Some)
                .ok_or_else(no_record),
        };
        let cards = [card(self.0[22] & 15)?, card(self.0[22] >> 4)?];
        Position::new(&levels, workers, cards, u32::from(self.0[23])).map_err(|_| no_record())
    }

    /// Checks that the bytes describe a position on a board of `size` rows, and that unused
    /// levels are 0. In files without checksums this is the only way to detect damage.
    ///
    /// # Errors
    /// If they do not.
    pub(super) fn check(&self, size: usize) -> io::Result<()> {
        match size {
            6 => drop(self.position::<6>()?),
            _ => drop(self.position::<5>()?),
        }
        let unused = (size * size..2 * 18).any(|square| self.level(square) != 0);
        match unused || self.0[25] > UNKNOWN {
            true => Err(no_record()),
            false => Ok(()),
        }
    }

    /// The level of a space by its number.
    const fn level(&self, square: usize) -> u8 {
        self.0[square / 2] >> (square % 2 * 4) & 15
    }

    /// The search score for the mover, in hundredths of a level.
    pub fn score(&self) -> i32 {
        i32::from(i16::from_le_bytes([self.0[26], self.0[27]]))
    }

    /// Whether the mover won the game; `None` if unknown.
    pub fn mover_wins(&self) -> Option<bool> {
        match self.0[25] {
            UNKNOWN => None,
            result => Some(result != 0),
        }
    }

    /// The turns from here to the end of the game; 0 if unknown.
    pub fn turns_left(&self) -> u8 {
        self.0[24]
    }
}

/// The error for bytes that are not a record.
fn no_record() -> io::Error {
    let text = "damaged training data: a record is not a valid position";
    io::Error::new(io::ErrorKind::InvalidData, text)
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
}
