//! Positions as one line of text, for logs, tests and the command line.

use std::fmt;
use std::str::FromStr;

use super::bitboard::Square;
use super::card::Card;
use super::position::{MOST_TURN, Position, PositionError, Side};
use super::turn::{parse_square, square_text};
use crate::digits::parse_digits;
use crate::printable::excerpt;

/// The text of a position: the levels row by row, the workers of the player to move, the
/// other workers, the turn number, and the two cards if the game has any.
///
/// ```
/// use santorini::rules::Position;
/// let text = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
/// let position: Position<5> = text.parse().unwrap();
/// assert_eq!(position.to_string(), text);
/// ```
impl<const N: usize> fmt::Display for Position<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row| -> String {
            let levels = (0..N).map(|column| self.level(Square::at::<N>(row, column)).to_string());
            levels.collect()
        };
        let rows: Vec<String> = (0..N).map(row).collect();
        write!(f, "{}", rows.join("/"))?;
        for side in [Side::Mover, Side::Other] {
            let squares: String = self.workers(side).map(square_text::<N>).collect();
            write!(f, " {squares}")?;
        }
        write!(f, " {}", self.turn())?;
        self.cards()
            .into_iter()
            .flatten()
            .try_for_each(|card| write!(f, " {card}"))
    }
}

/// The maximum length of a text in an error, in characters.
const LONGEST: usize = 120;

/// The error of reading a position from text.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionTextError {
    /// The fields are not those of a position.
    #[error(
        "{0:?} is not a position; one looks like \
         00000/00010/00000/00000/00000 b3d3 c2c4 1, with two cards after it or none"
    )]
    Form(String),
    /// The board has another size, 5 or 6.
    #[error("the board has {found} rows; it needs {needed} here")]
    Rows {
        /// The number of rows of the text.
        found: usize,
        /// The number of rows of this type of board.
        needed: usize,
    },
    /// A card has a name that the rules do not know.
    #[error(transparent)]
    Card(#[from] super::card::UnknownCard),
    /// The fields are well formed, but contradict the rules.
    #[error(transparent)]
    Rules(#[from] PositionError),
}

impl<const N: usize> FromStr for Position<N> {
    type Err = PositionTextError;

    fn from_str(text: &str) -> Result<Self, PositionTextError> {
        let form = || PositionTextError::Form(excerpt(text, LONGEST));
        let is_name = |word: &str| word.len() <= LONGEST;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (&[levels, mover, other, turn], cards) =
            words.split_first_chunk::<4>().ok_or_else(form)?;
        let cards = match cards {
            [] => [None, None],
            [a, b] if is_name(a) && is_name(b) => {
                [Some(a.parse::<Card>()?), Some(b.parse::<Card>()?)]
            }
            _ => return Err(form()),
        };
        if let found @ (5 | 6) = levels.split('/').count()
            && found != N
        {
            return Err(PositionTextError::Rows { found, needed: N });
        }
        let levels = parse_levels::<N>(levels).ok_or_else(form)?;
        let mover = parse_workers::<N>(mover).ok_or_else(form)?;
        let other = parse_workers::<N>(other).ok_or_else(form)?;
        let turn = parse_digits(turn).filter(|&turn| turn <= MOST_TURN);
        let turn = turn.ok_or_else(form)?;
        Ok(Self::new(&levels, [mover, other], cards, turn)?)
    }
}

fn parse_levels<const N: usize>(text: &str) -> Option<[[u8; N]; N]> {
    let mut levels = [[0; N]; N];
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != N {
        return None;
    }
    for (row, digits) in levels.iter_mut().zip(rows) {
        let digits: [u8; N] = digits.as_bytes().try_into().ok()?;
        for (level, digit) in row.iter_mut().zip(digits) {
            *level = digit.checked_sub(b'0').filter(|&level| level <= 9)?;
        }
    }
    Some(levels)
}

fn parse_workers<const N: usize>(text: &str) -> Option<[Square; 2]> {
    Some([
        parse_square::<N>(text.get(..2)?)?,
        parse_square::<N>(text.get(2..)?)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_the_other_size_is_named() {
        let six = "000000/000000/000000/000000/000000/000000 b3d3 c2c4 0";
        let error = six.parse::<Position<5>>().unwrap_err().to_string();
        assert_eq!(error, "the board has 6 rows; it needs 5 here");
    }

    #[test]
    fn a_cut_text_ends_with_a_mark() {
        let error = "0".repeat(200).parse::<Position<5>>().unwrap_err();
        assert!(error.to_string().contains("00…\" is not"), "{error}");
    }

    #[test]
    fn nearly_valid_positions_are_refused() {
        for text in [
            "",
            "00000/00010/00000/00000/00000 b3d3 c2c4",
            "00000/00010/00000/00000 b3d3 c2c4 1",
            "00000/00010/00000/00000/0000 b3d3 c2c4 1",
            "00000/00050/00000/00000/00000 b3d3 c2c4 1",
            "00000/00010/00000/00000/00000 b3b3 c2c4 1",
            "00000/00010/00000/00000/00000 b3d3 b3c4 1",
            "00000/00010/00000/00000/00000 b3f3 c2c4 1",
            "00000/00010/00000/00000/00000 b3d3 c2c4 -1",
            "00000/00010/00000/00000/00000 b3d3 c2c4 +1",
            "00000/00010/00000/00000/00000 b3d3 c2c4 4294967295",
            "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan",
            "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan Pan",
            "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan Pam",
            "00000/00010/00000/00000/00400 b3c5 c2c4 1",
        ] {
            assert!(text.parse::<Position<5>>().is_err(), "{text:?}");
        }
    }
}
