//! Values for a board of 5x5 or 6x6 spaces, where only the input decides which.

use std::str::FromStr;

use super::position::Position;
use super::text::PositionTextError;

/// A value for a board of 5x5 or of 6x6 spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnySize<Five, Six> {
    /// For 5x5 spaces, the official board.
    Five(Five),
    /// For 6x6 spaces.
    Six(Six),
}

/// A position on a board of either size.
pub type AnyPosition = AnySize<Position<5>, Position<6>>;

/// Evaluates an expression for the value inside an [`AnySize`].
///
/// ```
/// use santorini::at_size;
/// use santorini::rules::AnyPosition;
/// let position: AnyPosition = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
/// assert!(at_size!(&position, position => position.has_turn()));
/// ```
#[macro_export]
macro_rules! at_size {
    ($any:expr, $inside:ident => $value:expr) => {
        match $any {
            $crate::rules::AnySize::Five($inside) => $value,
            $crate::rules::AnySize::Six($inside) => $value,
        }
    };
}

impl<Five, Six> AnySize<Five, Six> {
    /// The rows of the board: 5 or 6.
    pub const fn size(&self) -> usize {
        match self {
            Self::Five(_) => 5,
            Self::Six(_) => 6,
        }
    }

    /// The value for 5x5 spaces, if it is one.
    pub fn five(self) -> Option<Five> {
        match self {
            Self::Five(five) => Some(five),
            Self::Six(_) => None,
        }
    }

    /// The value for 6x6 spaces, if it is one.
    pub fn six(self) -> Option<Six> {
        match self {
            Self::Five(_) => None,
            Self::Six(six) => Some(six),
        }
    }
}

impl From<Position<5>> for AnyPosition {
    fn from(position: Position<5>) -> Self {
        Self::Five(position)
    }
}

impl From<Position<6>> for AnyPosition {
    fn from(position: Position<6>) -> Self {
        Self::Six(position)
    }
}

/// Reads the text of a [`Position`]. The number of rows decides the size.
impl FromStr for AnyPosition {
    type Err = PositionTextError;

    fn from_str(text: &str) -> Result<Self, PositionTextError> {
        let levels = text.split_ascii_whitespace().next().unwrap_or_default();
        match levels.split('/').count() {
            6 => text.parse().map(Self::Six),
            _ => text.parse().map(Self::Five),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_rows_decides_the_size() {
        let five = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
        let six = "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0 Pan Atlas";
        for (text, size) in [(five, 5), (six, 6)] {
            let position: AnyPosition = text.parse().unwrap();
            assert_eq!(position.size(), size);
            assert_eq!(at_size!(position, position => position.to_string()), text);
        }
        assert!("".parse::<AnyPosition>().is_err());
        assert!("00/00 a1b1 a2b2 0".parse::<AnyPosition>().is_err());
    }
}
