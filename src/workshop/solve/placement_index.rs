//! Numbers for the placements of one player's workers.

use super::game::{Heights, SmallGame};
use super::shape::{MOST_SQUARES, SquareSet, squares_of};

/// The maximum number of placements: two workers on 16 squares.
pub(super) const MOST_PLACEMENTS: usize = MOST_SQUARES * (MOST_SQUARES - 1) / 2;

/// The number of the placement on squares `a` and `b`.
#[inline(always)]
pub(super) const fn pair_number(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * high.saturating_sub(1) / 2 + low
}

/// The number of ways a player's workers can stand on `squares` squares.
pub(super) const fn placement_count(squares: usize, workers: usize) -> usize {
    if workers == 1 {
        squares
    } else {
        squares * squares.saturating_sub(1) / 2
    }
}

/// The squares on which workers can stand, numbered in ascending order or in the order of
/// their images under a symmetry.
#[derive(Clone, Copy)]
pub struct Standing {
    /// The squares.
    pub set: SquareSet,
    /// How many there are.
    pub count: usize,
    /// The number of each of these squares.
    pub number: [u8; MOST_SQUARES],
}

impl Standing {
    /// Numbers the squares on which workers can stand in the order of their images under
    /// `map`, a symmetry of the board.
    #[inline(always)]
    pub fn new(game: &SmallGame, heights: &Heights, map: &[u8; MOST_SQUARES]) -> Self {
        let highest = game.highest_standing();
        let (mut set, mut images): (SquareSet, SquareSet) = (0, 0);
        for square in 0..game.squares() {
            if heights[square] <= highest {
                set |= 1 << square;
                images |= 1 << map[square];
            }
        }
        let mut number = [0; MOST_SQUARES];
        for square in squares_of(set) {
            let below = images & ((1 << map[square]) - 1);
            number[square] = below.count_ones() as u8;
        }
        Self {
            set,
            count: set.count_ones() as usize,
            number,
        }
    }

    /// The number of a placement.
    #[inline(always)]
    pub fn placement_number(&self, placement: SquareSet) -> usize {
        let first = self.number[placement.trailing_zeros() as usize % MOST_SQUARES];
        let rest = placement & placement.wrapping_sub(1);
        if rest == 0 {
            return first.into();
        }
        let second = self.number[rest.trailing_zeros() as usize % MOST_SQUARES];
        pair_number(first.into(), second.into())
    }
}

/// All placements in order: the numbers of the two squares, lower first. With one worker
/// both are the same.
pub(super) fn placement_list(squares: usize, workers: usize) -> Vec<[u8; 2]> {
    let squares = squares as u8;
    match workers {
        1 => (0..squares).map(|square| [square; 2]).collect(),
        _ => (0..squares)
            .flat_map(|high| (0..high).map(move |low| [low, high]))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_are_numbered_in_list_order() {
        for squares in 0..=MOST_SQUARES {
            let pairs = placement_list(squares, 2);
            assert_eq!(pairs.len(), placement_count(squares, 2));
            for (number, [low, high]) in pairs.into_iter().enumerate() {
                assert!(low < high);
                assert_eq!(pair_number(high.into(), low.into()), number);
            }
            assert_eq!(
                placement_list(squares, 1).len(),
                placement_count(squares, 1)
            );
        }
        assert_eq!(placement_count(MOST_SQUARES, 2), MOST_PLACEMENTS);
    }

    #[test]
    fn squares_are_numbered_by_their_images() {
        let game = SmallGame::new("2x2".parse().unwrap(), 2, None);
        let mut heights = [0; MOST_SQUARES];
        heights[1] = 3;
        let standing = Standing::new(&game, &heights, &game.symmetries[0]);
        assert_eq!((standing.set, standing.count), (0b1101, 3));
        assert_eq!([0, 2, 3].map(|square| standing.number[square]), [0, 1, 2]);
        assert_eq!(standing.placement_number(0b1100), pair_number(1, 2));
        // Turned upside down: squares 2 and 3 come first.
        let turned = Standing::new(&game, &heights, &game.symmetries[1]);
        assert_eq!([0, 2, 3].map(|square| turned.number[square]), [2, 0, 1]);
    }
}
