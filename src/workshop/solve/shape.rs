//! The shape of a small board: its squares, neighbours and symmetries.

use std::fmt;
use std::str::FromStr;

use crate::digits::parse_digits;
use crate::printable::excerpt;

/// The maximum number of squares of a board.
pub(super) const MOST_SQUARES: usize = 16;

/// The bounds of rows and of columns.
const SIDES: std::ops::RangeInclusive<usize> = 2..=6;

/// A set of squares: bit `i` stands for square `i`.
pub type SquareSet = u16;

/// A symmetry: the image of each square.
pub(super) type Permutation = [u8; MOST_SQUARES];

/// Rows and columns of a board of at most 16 squares, numbered
/// row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    rows: usize,
    columns: usize,
}

/// Why a board cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The text is not two numbers with an `x` between.
    #[error("{0:?} is not a board; use ROWSxCOLUMNS, such as 3x4")]
    Form(String),
    /// The board is too small or too large.
    #[error(
        "a board of {rows}x{columns} cannot be solved: rows and columns are from 2 to 6, and there \
         are at most 16 spaces"
    )]
    Bounds {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
}

impl Shape {
    /// A board of these rows and columns.
    ///
    /// # Errors
    /// If it is too small or too large.
    pub fn new(rows: usize, columns: usize) -> Result<Self, ShapeError> {
        let fits = SIDES.contains(&rows) && SIDES.contains(&columns);
        if fits && rows * columns <= MOST_SQUARES {
            Ok(Self { rows, columns })
        } else {
            Err(ShapeError::Bounds { rows, columns })
        }
    }

    /// The number of rows.
    pub const fn rows(self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub const fn columns(self) -> usize {
        self.columns
    }

    /// The number of squares.
    pub const fn squares(self) -> usize {
        self.rows * self.columns
    }

    /// All squares.
    pub const fn all(self) -> SquareSet {
        ((1u32 << self.squares()) - 1) as SquareSet
    }

    /// The neighbours of every square.
    pub fn neighbours(self) -> [SquareSet; MOST_SQUARES] {
        let mut table = [0; MOST_SQUARES];
        for (a, set) in table.iter_mut().enumerate().take(self.squares()) {
            for b in 0..self.squares() {
                let ([a_row, a_column], [b_row, b_column]) = (self.place(a), self.place(b));
                let (row, column) = (a_row.abs_diff(b_row), a_column.abs_diff(b_column));
                if row.max(column) == 1 {
                    *set |= 1 << b;
                }
            }
        }
        table
    }

    /// The row and the column of a square, from 0.
    pub const fn place(self, square: usize) -> [usize; 2] {
        [square / self.columns, square % self.columns]
    }

    /// The square behind `over` in a straight line from its neighbour `from`, if it is on
    /// the board.
    pub fn beyond(self, from: usize, over: usize) -> Option<usize> {
        let ([from_row, from_column], [row, column]) = (self.place(from), self.place(over));
        let row = (2 * row).checked_sub(from_row)?;
        let column = (2 * column).checked_sub(from_column)?;
        (row < self.rows && column < self.columns).then_some(row * self.columns + column)
    }

    /// The rotations and reflections of the board: eight if it is square, else four. The
    /// first is the identity.
    pub fn symmetries(self) -> Vec<Permutation> {
        let count = if self.rows == self.columns { 8 } else { 4 };
        let image = |symmetry: usize, square: usize| {
            let [mut row, mut column] = self.place(square);
            if symmetry & 1 != 0 {
                row = self.rows - 1 - row;
            }
            if symmetry & 2 != 0 {
                column = self.columns - 1 - column;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            (row * self.columns + column) as u8
        };
        let permutation = |symmetry| {
            let mut table: Permutation = [0; MOST_SQUARES];
            for (square, to) in table.iter_mut().enumerate().take(self.squares()) {
                *to = image(symmetry, square);
            }
            table
        };
        (0..count).map(permutation).collect()
    }

    /// The notation of a square: the letter of its column, then its row from 1.
    pub fn square_text(self, square: usize) -> String {
        let [row, column] = self.place(square);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    /// The notation of the squares of a set, such as `a1b1`.
    pub fn set_text(self, squares: SquareSet) -> String {
        squares_of(squares)
            .map(|square| self.square_text(square))
            .collect()
    }

    /// Reads the notation of a square.
    pub fn parse_square(self, text: &str) -> Option<usize> {
        let &[letter, digit] = text.as_bytes() else {
            return None;
        };
        let column = usize::from(letter.checked_sub(b'a')?);
        let row = usize::from(digit.checked_sub(b'1')?);
        (row < self.rows && column < self.columns).then_some(row * self.columns + column)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.rows, self.columns))
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let numbers = text.split_once('x').and_then(|(rows, columns)| {
            let number = |text: &str| parse_digits::<u8>(text).map(usize::from);
            Some((number(rows)?, number(columns)?))
        });
        let (rows, columns) = numbers.ok_or_else(|| ShapeError::Form(excerpt(text, 40)))?;
        Self::new(rows, columns)
    }
}

/// The set of some squares.
#[inline(always)]
pub(super) fn set_of(squares: impl IntoIterator<Item = usize>) -> SquareSet {
    squares.into_iter().fold(0, |set, square| set | 1 << square)
}

/// The squares of a set, lowest first.
pub fn squares_of(mut set: SquareSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        square
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_boards_are_parsed() {
        let shape: Shape = "3x4".parse().unwrap();
        assert_eq!((shape.rows(), shape.columns(), shape.squares()), (3, 4, 12));
        assert_eq!(shape.to_string(), "3x4");
        for text in ["", "3", "3x", "x4", "3x4x5", "threexfour", "300x4"] {
            assert!(
                matches!(text.parse::<Shape>(), Err(ShapeError::Form(_))),
                "{text}"
            );
        }
        for text in ["1x4", "5x5", "4x5", "2x7"] {
            assert!(
                matches!(text.parse::<Shape>(), Err(ShapeError::Bounds { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn neighbours_are_a_kings_step_apart() {
        let shape = Shape::new(3, 4).unwrap();
        let counts = shape.neighbours().map(u16::count_ones);
        assert_eq!(counts[..12], [3, 5, 5, 3, 5, 8, 8, 5, 3, 5, 5, 3]);
        assert_eq!(shape.neighbours()[0], 1 << 1 | 1 << 4 | 1 << 5);
        assert_eq!(shape.beyond(0, 5), Some(10));
        assert_eq!(shape.beyond(5, 0), None);
        assert_eq!(shape.beyond(2, 3), None);
    }

    #[test]
    fn symmetries_keep_neighbours() {
        for (text, count) in [("3x3", 8), ("3x4", 4), ("4x2", 4)] {
            let shape: Shape = text.parse().unwrap();
            let near = shape.neighbours();
            let symmetries = shape.symmetries();
            assert_eq!(symmetries.len(), count);
            for map in symmetries {
                for a in 0..shape.squares() {
                    let images = squares_of(near[a]).map(|b| usize::from(map[b]));
                    assert_eq!(set_of(images), near[usize::from(map[a])]);
                }
            }
        }
    }
}
