//! The bits of a board: for every two squares on which the workers can stand, whether the
//! player to move wins.
//!
//! ```text
//! row = [worker of the other player][worker of the player to move, one of the rest]
//! ```
//!
//! Only squares on which a worker can stand are counted, in ascending order.

use crate::solve::shape::{MOST_SQUARES, SquareSet};

/// The length in bytes of a board with this many standing squares.
#[inline(always)]
pub(super) const fn row_bytes(standing: usize) -> usize {
    (standing * standing.saturating_sub(1)).div_ceil(8)
}

/// Deposits bits on the squares of a set and extracts them again, as the instructions PDEP
/// and PEXT do, with a table lookup per byte.
pub(super) struct Spread {
    spread: Box<[[u8; 256]; 256]>,
    gather: Box<[[u8; 256]; 256]>,
}

impl Spread {
    /// Makes the tables.
    pub(super) fn new() -> Self {
        let mut spread = Box::new([[0; 256]; 256]);
        let mut gather = Box::new([[0; 256]; 256]);
        for set in 0..256 {
            for bits in 0..256 {
                let squares = (0..8).filter(|square| set >> square & 1 != 0);
                for (number, square) in squares.enumerate() {
                    spread[set][bits] |= ((bits >> number & 1) << square) as u8;
                    gather[set][bits] |= ((bits >> square & 1) << number) as u8;
                }
            }
        }
        Self { spread, gather }
    }

    /// Deposits the lowest bits on the squares of the set, in order (PDEP).
    #[inline(always)]
    pub(super) fn spread(&self, set: SquareSet, bits: u16) -> SquareSet {
        let [low, high] = set.to_le_bytes();
        let rest = bits >> low.count_ones();
        u16::from_le_bytes([
            self.spread[usize::from(low)][usize::from(bits as u8)],
            self.spread[usize::from(high)][usize::from(rest as u8)],
        ])
    }

    /// Extracts the bits on the squares of the set, packed (PEXT).
    #[inline(always)]
    fn gather(&self, set: SquareSet, squares: SquareSet) -> u16 {
        let ([low, high], [bits, rest]) = (set.to_le_bytes(), squares.to_le_bytes());
        let bits = u16::from(self.gather[usize::from(low)][usize::from(bits)]);
        let rest = u16::from(self.gather[usize::from(high)][usize::from(rest)]);
        bits | rest << low.count_ones()
    }
}

/// The squares from which the player to move wins if the other worker stands on `other`.
/// `standing` has all standing squares; `row` has the bytes of the board and at least four
/// more.
#[inline(always)]
pub(super) fn wins(spread: &Spread, row: &[u8], standing: SquareSet, other: usize) -> SquareSet {
    let rest = standing & !(1 << other);
    let width = rest.count_ones();
    let number = (standing & ((1 << other) - 1)).count_ones();
    let start = number * width;
    let word = row[(start / 8) as usize..].first_chunk().copied();
    let word = u32::from_le_bytes(word.unwrap_or_default());
    spread.spread(rest, (word >> (start % 8)) as u16)
}

/// Appends the bytes of a board. `wins[other]` has the squares from which the player to
/// move wins.
#[inline(always)]
pub(super) fn add(
    spread: &Spread,
    standing: SquareSet,
    wins: &[SquareSet; MOST_SQUARES],
    rows: &mut Vec<u8>,
) {
    let (mut bits, mut held) = (0u32, 0);
    let mut left = standing;
    while left != 0 {
        let other = left.trailing_zeros() as usize;
        left &= left - 1;
        let rest = standing & !(1 << other);
        bits |= u32::from(spread.gather(rest, wins[other])) << held;
        held += rest.count_ones();
        while held >= 8 {
            rows.push(bits as u8);
            bits >>= 8;
            held -= 8;
        }
    }
    if held > 0 {
        rows.push(bits as u8);
    }
}
