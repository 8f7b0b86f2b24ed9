//! Squares, bitboards, and the geometry of a board of any size.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// The length of tables indexed by a [`Square`]: an index of six bits needs no bounds check.
pub const SQUARE_SLOTS: usize = 64;

/// A space of the board, numbered row by row from the top left:
///
/// ```text
///          5x5                       6x6
///      a  b  c  d  e            a  b  c  d  e  f
///  1   0  1  2  3  4        1   0  1  2  3  4  5
///  2   5  6  7  8  9        2   6  7  8  9 10 11
///  3  10 11 12 13 14        3  12 13 14 15 16 17
///  4  15 16 17 18 19        4  18 19 20 21 22 23
///  5  20 21 22 23 24        5  24 25 26 27 28 29
///                           6  30 31 32 33 34 35
/// ```
///
/// A square does not know the size of its board; its row and column depend on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square with the given index, below [`SQUARE_SLOTS`].
    pub const fn new(index: usize) -> Self {
        debug_assert!(index < SQUARE_SLOTS);
        Self(index as u8)
    }

    /// The square at a row and a column, both from 0, of an `N`x`N` board.
    pub const fn at<const N: usize>(row: usize, column: usize) -> Self {
        debug_assert!(row < N && column < N);
        Self::new(row * N + column)
    }

    /// The index, always below [`SQUARE_SLOTS`].
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The row, from 0, on an `N`x`N` board.
    pub const fn row<const N: usize>(self) -> usize {
        self.index() / N
    }

    /// The column, from 0, on an `N`x`N` board.
    pub const fn column<const N: usize>(self) -> usize {
        self.index() % N
    }
}

/// A set of squares: bit `i` stands for the square with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set of one square.
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The set of the square if the condition is true, else the empty set. Without a branch.
    pub const fn of_if(square: Square, condition: bool) -> Self {
        Self((condition as u64) << square.index())
    }

    /// Whether the square is in the set.
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set holds at least one square.
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set holds more than one square.
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether a square of the set meets the condition. Inlined with its condition, unlike
    /// `Iterator::any`: the search calls it at nearly every node.
    #[inline(always)]
    pub fn exists(self, mut condition: impl FnMut(Square) -> bool) -> bool {
        for square in self {
            if condition(square) {
                return true;
            }
        }
        false
    }

    /// The number of squares in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest index, if any.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square(self.0.trailing_zeros() as u8))
        }
    }

    /// The squares of this set that are not in the other.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The squares with an index below that of the given square.
    pub const fn below(square: Square) -> Self {
        Self((1 << square.index()) - 1)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    /// Removes the square with the lowest index from the set.
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Bitboard {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.map(Square::index)).finish()
    }
}

/// The tables of an `N`x`N` board, computed at compile time.
pub struct Geometry<const N: usize>;

impl<const N: usize> Geometry<N> {
    /// Every square of the board.
    pub const BOARD: Bitboard = Bitboard((1 << (N * N)) - 1);

    /// The neighbours of every square, up to eight.
    pub const NEIGHBOURS: &'static [Bitboard; SQUARE_SLOTS] = &neighbours::<N>();

    /// The first square of each row.
    const FIRST_COLUMN: u64 = Self::BOARD.0 / ((1 << N) - 1);

    const LAST_COLUMN: u64 = Self::FIRST_COLUMN << (N - 1);

    /// The neighbours of all squares of a set, found without a loop.
    #[inline(always)]
    pub const fn around(squares: Bitboard) -> Bitboard {
        let Bitboard(squares) = squares;
        let beside = (squares & !Self::LAST_COLUMN) << 1 | (squares & !Self::FIRST_COLUMN) >> 1;
        let row = squares | beside;
        Bitboard((beside | row << N | row >> N) & Self::BOARD.0)
    }

    /// The square opposite of `from` as seen from its neighbour `over`, if it is on the board:
    /// where a worker from `from` pushes one on `over`.
    pub const fn beyond(from: Square, over: Square) -> Option<Square> {
        let row = 2 * over.row::<N>() as isize - from.row::<N>() as isize;
        let column = 2 * over.column::<N>() as isize - from.column::<N>() as isize;
        if row < 0 || row >= N as isize || column < 0 || column >= N as isize {
            return None;
        }
        Some(Square::at::<N>(row as usize, column as usize))
    }

    /// The distance of two squares in king's steps.
    pub const fn distance(a: Square, b: Square) -> usize {
        let rows = a.row::<N>().abs_diff(b.row::<N>());
        let columns = a.column::<N>().abs_diff(b.column::<N>());
        if rows > columns { rows } else { columns }
    }
}

const fn neighbours<const N: usize>() -> [Bitboard; SQUARE_SLOTS] {
    let mut table = [Bitboard::EMPTY; SQUARE_SLOTS];
    let mut a = 0;
    while a < N * N {
        let mut b = 0;
        while b < N * N {
            if a != b && Geometry::<N>::distance(Square::new(a), Square::new(b)) == 1 {
                table[a].0 |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

/// One of the eight ways to turn and mirror a square board onto itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight; the first changes nothing.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    /// Where the symmetry takes a square of an `N`x`N` board.
    pub const fn square<const N: usize>(self, square: Square) -> Square {
        Square::new(symmetry_tables::<N>()[self.0 as usize][square.index()] as usize)
    }

    /// Where the symmetry takes every square of a set.
    pub fn set<const N: usize>(self, set: Bitboard) -> Bitboard {
        set.map(|square| self.square::<N>(square)).collect()
    }
}

const fn symmetry_tables<const N: usize>() -> &'static [[u8; SQUARE_SLOTS]; 8] {
    const {
        let mut tables = [[0; SQUARE_SLOTS]; 8];
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut index = 0;
            while index < N * N {
                let (mut row, mut column) = (index / N, index % N);
                if symmetry & 1 != 0 {
                    row = N - 1 - row;
                }
                if symmetry & 2 != 0 {
                    column = N - 1 - column;
                }
                if symmetry & 4 != 0 {
                    (row, column) = (column, row);
                }
                tables[symmetry][index] = (row * N + column) as u8;
                index += 1;
            }
            symmetry += 1;
        }
        &{ tables }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_three_five_or_eight_neighbours() {
        let counts = |n: &[Bitboard; 64]| n.iter().map(|b| b.count()).sum::<u32>();
        assert_eq!(counts(Geometry::<5>::NEIGHBOURS), 4 * 3 + 12 * 5 + 9 * 8);
        assert_eq!(counts(Geometry::<6>::NEIGHBOURS), 4 * 3 + 16 * 5 + 16 * 8);
    }

    #[test]
    fn around_a_set_are_the_neighbours_of_its_squares() {
        fn check<const N: usize>() {
            let mut set = Bitboard(0x2_4c91_0e3b);
            for _ in 0..1000 {
                set.0 = set.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 13;
                let squares = set & Geometry::<N>::BOARD;
                let expected = squares.fold(Bitboard::EMPTY, |around, square| {
                    around | Geometry::<N>::NEIGHBOURS[square.index()]
                });
                assert_eq!(Geometry::<N>::around(squares), expected, "{squares:?}");
            }
        }
        check::<5>();
        check::<6>();
    }

    #[test]
    fn beyond_stops_at_the_edge() {
        let at = Square::at::<5>;
        assert_eq!(Geometry::<5>::beyond(at(0, 0), at(1, 1)), Some(at(2, 2)));
        assert_eq!(Geometry::<5>::beyond(at(2, 3), at(2, 4)), None);
        assert_eq!(Geometry::<5>::beyond(at(1, 1), at(0, 0)), None);
    }

    #[test]
    fn symmetries_are_eight_different_permutations() {
        let mut images: Vec<Vec<usize>> = Symmetry::all()
            .map(|s| {
                (0..36)
                    .map(|i| s.square::<6>(Square::new(i)).index())
                    .collect()
            })
            .collect();
        assert_eq!(images[0], (0..36).collect::<Vec<_>>());
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
