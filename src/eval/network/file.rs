//! The file of a network: a header, then all weights in little endian.
//!
//! A network that plays games with cards as if there were none, as one has it
//! that was never shown any, is written without the rows of cards: a sixth of
//! the length.

use super::features::{self, BUCKETS};
use super::{HIDDEN, Network, Row};

/// The first bytes of a network file: a magic word and the format's version.
const MAGIC: [u8; 5] = *b"SNNU\x04";

/// The length of the header in bytes.
const HEADER: usize = MAGIC.len() + 4;

/// The header: after the magic word the size of the board, whether there are
/// rows of cards (1 or 0), and the number of hidden values.
fn header(size: usize, cards: bool) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let (magic, rest) = header.split_at_mut(MAGIC.len());
    magic.copy_from_slice(&MAGIC);
    let [low, high] = (HIDDEN as u16).to_le_bytes();
    rest.copy_from_slice(&[size as u8, u8::from(cards), low, high]);
    header
}

/// Why bytes are not a network.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    #[error("not a network as this version of the program writes it, for boards of 5x5 or 6x6")]
    Magic,
    #[error("a network for boards of {found}x{found}, where {wanted}x{wanted} is wanted")]
    Size { found: usize, wanted: usize },
    #[error("the network has {found} bytes; it should have {expected}")]
    Length { found: usize, expected: usize },
}

/// The size of the boards that the network in a file is for, and whether it
/// has rows of cards.
///
/// # Errors
/// If it is not the beginning of a network file.
pub fn read_header(bytes: &[u8]) -> Result<(usize, bool), NetworkError> {
    for size in [5, 6] {
        for cards in [false, true] {
            if bytes.starts_with(&header(size, cards)) {
                return Ok((size, cards));
            }
        }
    }
    Err(NetworkError::Magic)
}

/// Whether a file has a part of the weights: those of cards are there only if
/// they are not the same as their counterpart's in the base game.
const fn is_stored(part: usize, plain: usize, cards: bool) -> bool {
    cards || part == plain
}

const fn has_feature(feature: usize, cards: bool) -> bool {
    is_stored(feature, features::without_card(feature), cards)
}

const fn has_bucket(bucket: usize, cards: bool) -> bool {
    is_stored(bucket, features::bucket_without_card(bucket), cards)
}

/// The length of a file for `N`x`N` boards in bytes.
fn length<const N: usize>(cards: bool) -> usize {
    let features = (0..features::count::<N>()).filter(|&feature| has_feature(feature, cards));
    let buckets = (0..BUCKETS).filter(|&bucket| has_bucket(bucket, cards));
    let (features, buckets) = (features.count(), buckets.count());
    HEADER + 2 * HIDDEN * (features + 2 * buckets) + 4 * buckets
}

impl<const N: usize> Network<N> {
    /// A network from its parts: see the fields for the units.
    pub fn new(rows: Vec<Row>, output: [[Row; 2]; BUCKETS], output_bias: [i32; BUCKETS]) -> Self {
        assert_eq!(rows.len(), features::count::<N>());
        Self {
            rows,
            output,
            output_bias,
        }
    }

    /// Reads a network.
    ///
    /// # Errors
    /// If the bytes are not a network of this board size and width.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (found, cards) = read_header(bytes)?;
        if found != N {
            return Err(NetworkError::Size { found, wanted: N });
        }
        let (found, expected) = (bytes.len(), length::<N>(cards));
        if found != expected {
            return Err(NetworkError::Length { found, expected });
        }
        let mut rest = &bytes[HEADER..];
        let mut rows = Vec::with_capacity(features::count::<N>());
        for feature in 0..features::count::<N>() {
            rows.push(if has_feature(feature, cards) {
                take_row(&mut rest)
            } else {
                rows[features::without_card(feature)]
            });
        }
        let mut output = [[Row::ZERO; 2]; BUCKETS];
        for bucket in 0..BUCKETS {
            output[bucket] = if has_bucket(bucket, cards) {
                [take_row(&mut rest), take_row(&mut rest)]
            } else {
                output[features::bucket_without_card(bucket)]
            };
        }
        let mut output_bias = [0; BUCKETS];
        for bucket in 0..BUCKETS {
            output_bias[bucket] = if has_bucket(bucket, cards) {
                i32::from_le_bytes(take(&mut rest))
            } else {
                output_bias[features::bucket_without_card(bucket)]
            };
        }
        Ok(Self::new(rows, output, output_bias))
    }

    /// The bytes of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let cards = self.knows_cards();
        let mut bytes = header(N, cards).to_vec();
        let features = (0..self.rows.len()).filter(|&feature| has_feature(feature, cards));
        let buckets = || (0..BUCKETS).filter(|&bucket| has_bucket(bucket, cards));
        let rows = features.map(|feature| &self.rows[feature]);
        for row in rows.chain(buckets().flat_map(|bucket| &self.output[bucket])) {
            bytes.extend(row.0.iter().flat_map(|value| value.to_le_bytes()));
        }
        for bucket in buckets() {
            bytes.extend(self.output_bias[bucket].to_le_bytes());
        }
        bytes
    }

    /// Whether anything with cards is other than without.
    pub fn knows_cards(&self) -> bool {
        let row = |feature| self.rows[feature] != self.rows[features::without_card(feature)];
        let bucket = |bucket| {
            let plain = features::bucket_without_card(bucket);
            self.output[bucket] != self.output[plain]
                || self.output_bias[bucket] != self.output_bias[plain]
        };
        (0..self.rows.len()).any(row) || (0..BUCKETS).any(bucket)
    }
}

/// The next bytes of a file whose length was checked.
fn take<const LENGTH: usize>(rest: &mut &[u8]) -> [u8; LENGTH] {
    let (head, tail) = rest.split_first_chunk().expect("the length was checked");
    *rest = tail;
    *head
}

fn take_row(rest: &mut &[u8]) -> Row {
    Row(std::array::from_fn(|_| i16::from_le_bytes(take(rest))))
}
