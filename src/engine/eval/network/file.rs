//! The file format of networks, little endian: a header, all weights, and a checksum, the
//! FNV-1a of all bytes before it.
//!
//! Files of some earlier versions and the built-in networks have no checksum and another
//! version number.

use std::borrow::Cow;

use super::features::FeatureSet;
use super::pairs;
use super::rows::{LANES, Rows};
use super::weights::{Network, NetworkWeights};
use crate::files::Kind;
use crate::fnv::Fnv;

/// The first bytes of a network file: a magic word and the format's version.
const MAGIC: [u8; 5] = *b"SNNU\x06";

/// The first bytes of a file without a checksum.
const MAGIC_UNCHECKED: [u8; 5] = *b"SNNU\x05";

/// The length of the checksum in bytes.
const SUM: usize = 8;

/// The kind of a network file, of any version.
pub const NETWORK_FILE: Kind = Kind {
    name: "a network of `santorini train`",
    begins: |head| head.starts_with(b"SNNU"),
};

/// The length of the header in bytes.
const HEADER: usize = MAGIC.len() + 4;

/// The maximum number of hidden units.
pub const MAX_HIDDEN_UNITS: usize = 1024;

/// Whether a network can have this number of hidden units.
pub const fn is_hidden_size(hidden: usize) -> bool {
    hidden > 0 && hidden.is_multiple_of(LANES) && hidden <= MAX_HIDDEN_UNITS
}

/// The maximum length of a network file in bytes: most hidden units, larger board, with
/// cards.
pub const MAX_FILE_LENGTH: u64 = Header {
    size: 6,
    form: Form::Pairs,
    hidden_units: MAX_HIDDEN_UNITS,
}
.file_length::<6>() as u64
    + SUM as u64;

/// Whether the bytes of a network file have a checksum. Without one damage may go
/// unnoticed.
pub fn has_checksum(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The weights in a file, a byte of the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Cards = 2,
    /// As `Cards`, then the changes by each pair of cards.
    Pairs = 3,
    Base = 4,
}

/// The header, after the magic word: the size of the board, the [`Form`], and the
/// number of hidden units in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub size: usize,
    form: Form,
    pub hidden_units: usize,
}

/// Why bytes are not a network.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The first bytes are not those of a network.
    #[error("not a network file of this version, for boards of 5x5 or 6x6")]
    Magic,
    /// The header is that of an earlier format.
    #[error("the network is from version 0.5 or earlier and can no longer be read; train it again")]
    Old,
    /// The number of hidden units in the header is invalid.
    #[error(
        "the network has {0} hidden units; it should have a multiple of {LANES}, \
         at most {MAX_HIDDEN_UNITS}"
    )]
    HiddenUnits(usize),
    /// The network is valid, but for the other size of board.
    #[error("the network is for boards of {found}x{found}, not {wanted}x{wanted}")]
    Size {
        /// The rows of the network's board.
        found: usize,
        /// The rows of the board to evaluate.
        wanted: usize,
    },
    /// The file is shorter or longer than its header demands.
    #[error("the network has {found} bytes; it should have {expected}")]
    Length {
        /// The length of the file, in bytes.
        found: usize,
        /// The length that follows from the header, in bytes.
        expected: usize,
    },
    /// The weights do not match the stored checksum.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
}

impl Header {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// If it is not the beginning of a network file.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes.strip_prefix(&MAGIC);
        let rest = rest.or_else(|| bytes.strip_prefix(&MAGIC_UNCHECKED));
        let rest = rest.ok_or(NetworkError::Magic)?;
        let (&[size, kind, low, high], _) = rest.split_first_chunk().ok_or(NetworkError::Magic)?;
        let header = Self {
            size: usize::from(size),
            form: match kind {
                0 | 1 => return Err(NetworkError::Old),
                2 => Form::Cards,
                3 => Form::Pairs,
                4 => Form::Base,
                _ => return Err(NetworkError::Magic),
            },
            hidden_units: usize::from(u16::from_le_bytes([low, high])),
        };
        match header {
            Self { size: 5 | 6, .. } if is_hidden_size(header.hidden_units) => Ok(header),
            Self { size: 5 | 6, .. } => Err(NetworkError::HiddenUnits(header.hidden_units)),
            _ => Err(NetworkError::Magic),
        }
    }

    /// The header of a file without a checksum.
    fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let (magic, rest) = bytes.split_at_mut(MAGIC.len());
        magic.copy_from_slice(&MAGIC_UNCHECKED);
        let [low, high] = (self.hidden_units as u16).to_le_bytes();
        rest.copy_from_slice(&[self.size as u8, self.form as u8, low, high]);
        bytes
    }

    /// The rows of the network.
    pub(super) const fn features(&self) -> FeatureSet {
        match self.form {
            Form::Base => FeatureSet::Base,
            Form::Cards | Form::Pairs => FeatureSet::Cards,
        }
    }

    /// The numbers of rows and of output layers in the file, if it is for `N`x`N`
    /// boards.
    const fn counts<const N: usize>(&self) -> [usize; 2] {
        let features = self.features();
        [features.rows::<N>(), features.output_layers()]
    }

    /// The number of changes by pairs of cards in the file.
    const fn changes<const N: usize>(&self) -> usize {
        match self.form {
            Form::Pairs => pairs::changes::<N>(self.hidden_units),
            _ => 0,
        }
    }

    /// The length of the whole file without a checksum, if it is for `N`x`N` boards.
    const fn file_length<const N: usize>(&self) -> usize {
        let [rows, layers] = self.counts::<N>();
        HEADER + 2 * self.hidden_units * (rows + 2 * layers) + 4 * layers + self.changes::<N>()
    }
}

impl<const N: usize> Network<N> {
    /// Reads a network.
    ///
    /// # Errors
    /// If the bytes are not a network for this size of board.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::read(bytes, |changes| Cow::Owned(changes.to_vec()))
    }

    /// Reads a network without copying the changes by pairs of cards, which are most of its
    /// bytes.
    ///
    /// # Errors
    /// If the bytes are not a network for this size of board.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, NetworkError> {
        Self::read(bytes, Cow::Borrowed)
    }

    /// Reads a network; `keep` stores the changes by pairs of cards.
    fn read<'a>(
        bytes: &'a [u8],
        keep: impl FnOnce(&'a [i8]) -> Cow<'static, [i8]>,
    ) -> Result<Self, NetworkError> {
        let header = Header::read(bytes)?;
        if header.size != N {
            let (found, wanted) = (header.size, N);
            return Err(NetworkError::Size { found, wanted });
        }
        let length = header.file_length::<N>();
        let sum = if has_checksum(bytes) { SUM } else { 0 };
        let (found, expected) = (bytes.len(), length + sum);
        if found != expected {
            return Err(NetworkError::Length { found, expected });
        }
        let (body, sum) = bytes.split_at(length);
        if !sum.is_empty() && sum != Fnv::of(body).to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        let mut rest = &body[HEADER..];
        let [rows, layers] = header.counts::<N>();
        let mut read = |count: usize| {
            let weights =
                (0..count * header.hidden_units).map(|_| i16::from_le_bytes(take(&mut rest)));
            Rows::of(header.hidden_units, weights)
        };
        let (rows, output) = (read(rows), read(2 * layers));
        let bias: Vec<i32> = (0..layers)
            .map(|_| i32::from_le_bytes(take(&mut rest)))
            .collect();
        let weights = NetworkWeights {
            features: header.features(),
            rows,
            changes: keep(bytemuck::cast_slice(rest)),
            output,
            output_bias: bias,
        };
        Ok(Self::new(weights))
    }

    /// The bytes of the network's file.
    ///
    /// # Panics
    /// If it is the network of one pair of cards, which has no file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_unchecked_bytes();
        bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
        bytes.extend(Fnv::of(&bytes).to_le_bytes());
        bytes
    }

    /// The bytes of a file without a checksum, which are the same in all versions of the
    /// program.
    ///
    /// # Panics
    /// As [`Self::to_bytes`].
    pub fn to_unchecked_bytes(&self) -> Vec<u8> {
        let weights = self.weights();
        let header = Header {
            size: N,
            form: match self.features() {
                FeatureSet::Base => Form::Base,
                FeatureSet::Cards if weights.changes.is_empty() => Form::Cards,
                FeatureSet::Cards => Form::Pairs,
                FeatureSet::Pair => panic!("a pair of cards has no file of its own"),
            },
            hidden_units: self.hidden_units(),
        };
        let mut bytes = header.to_bytes().to_vec();
        let rows = weights.rows.all().iter().chain(weights.output.all());
        bytes.extend(rows.flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(
            weights
                .output_bias
                .iter()
                .flat_map(|bias| bias.to_le_bytes()),
        );
        bytes.extend_from_slice(bytemuck::cast_slice(&weights.changes));
        bytes
    }
}

/// The next bytes of a file whose length was checked.
fn take<const LENGTH: usize>(rest: &mut &[u8]) -> [u8; LENGTH] {
    let (head, tail) = rest.split_first_chunk().expect("the length was checked");
    *rest = tail;
    *head
}

#[cfg(test)]
mod tests {
    use super::super::Networks;
    use super::*;
    use crate::rules::Position;

    #[test]
    fn files_read_back_and_errors_say_what_is_wrong() {
        let position: Position<6> = "010100/100004/010120/111400/113100/000003 f6c5 a3b5 12"
            .parse()
            .unwrap();
        let network = Networks::embedded().for_position(&position);
        let bytes = network.to_bytes();
        assert_eq!(Network::<6>::from_bytes(&bytes).as_ref(), Ok(network));

        let error = |change: fn(&mut Vec<u8>)| {
            let mut bytes = bytes.clone();
            change(&mut bytes);
            Network::<6>::from_bytes(&bytes).unwrap_err()
        };
        assert_eq!(error(|bytes| bytes[4] = 4), NetworkError::Magic);
        assert_eq!(error(|bytes| bytes[9] ^= 1), NetworkError::Checksum);
        assert_eq!(
            error(|bytes| *bytes.last_mut().unwrap() ^= 1),
            NetworkError::Checksum
        );
        assert_eq!(error(|bytes| bytes[5] = 7), NetworkError::Magic);
        assert_eq!(error(|bytes| bytes[6] = 5), NetworkError::Magic);
        assert_eq!(error(|bytes| bytes[6] = 0), NetworkError::Old);
        assert_eq!(error(|bytes| bytes[6] = 1), NetworkError::Old);
        assert_eq!(error(|bytes| bytes.truncate(8)), NetworkError::Magic);
        let odd = error(|bytes| bytes[7..9].fill(1));
        assert_eq!(odd, NetworkError::HiddenUnits(257));
        let none = error(|bytes| bytes[7..9].fill(0));
        assert_eq!(none, NetworkError::HiddenUnits(0));
        let most = error(|bytes| bytes[7..9].fill(0xe0));
        assert_eq!(most, NetworkError::HiddenUnits(0xe0e0));
        let longer = error(|bytes| bytes.push(0));
        assert!(
            matches!(longer, NetworkError::Length { found, expected } if found == expected + 1)
        );
        let before = network.to_unchecked_bytes();
        assert_eq!(Network::<6>::from_bytes(&before).as_ref(), Ok(network));
        assert!(has_checksum(&bytes) && !has_checksum(&before));
        let (found, wanted) = (6, 5);
        let other = Network::<5>::from_bytes(&bytes).unwrap_err();
        assert_eq!(other, NetworkError::Size { found, wanted });
    }
}
