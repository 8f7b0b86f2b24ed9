//! The file of a network: a magic word, then all weights in little endian.

use super::features::{self, BUCKETS};
use super::{HIDDEN, Network, Row};

/// The first bytes of a network file: the format's version, the board's size
/// and the number of hidden values.
const fn magic<const N: usize>() -> [u8; 8] {
    let [low, high] = (HIDDEN as u16).to_le_bytes();
    [b'S', b'N', b'N', b'U', 3, N as u8, low, high]
}

/// Why bytes are not a network.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    #[error("not a network of this program for this board size and width")]
    Magic,
    #[error("the network has {found} bytes; it should have {expected}")]
    Length { found: usize, expected: usize },
}

impl<const N: usize> Network<N> {
    /// The length of the file in bytes.
    const BYTES: usize = 8 + 2 * HIDDEN * (features::count::<N>() + 2 * BUCKETS) + 4 * BUCKETS;

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
        if !bytes.starts_with(&magic::<N>()) {
            return Err(NetworkError::Magic);
        }
        if bytes.len() != Self::BYTES {
            return Err(NetworkError::Length {
                found: bytes.len(),
                expected: Self::BYTES,
            });
        }
        let (values, output_bias) = bytes[8..].split_at(Self::BYTES - 8 - 4 * BUCKETS);
        let mut rows = values.chunks_exact(2 * HIDDEN).map(read_row);
        let mut row = || rows.next().expect("the length was checked");
        let features = (0..features::count::<N>()).map(|_| row()).collect();
        let output = std::array::from_fn(|_| [row(), row()]);
        let output_bias = std::array::from_fn(|bucket| {
            let bytes = &output_bias[4 * bucket..4 * bucket + 4];
            i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        });
        Ok(Self::new(features, output, output_bias))
    }

    /// The bytes of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = magic::<N>().to_vec();
        let rows = self.rows.iter().chain(self.output.iter().flatten());
        for value in rows.flat_map(|row| row.0) {
            bytes.extend(value.to_le_bytes());
        }
        for value in self.output_bias {
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }
}

fn read_row(bytes: &[u8]) -> Row {
    Row(std::array::from_fn(|unit| {
        i16::from_le_bytes([bytes[2 * unit], bytes[2 * unit + 1]])
    }))
}
