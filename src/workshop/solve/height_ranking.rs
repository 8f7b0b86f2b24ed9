//! All levels that a board can have above given ones, in layers by their sum.

use super::game::{Heights, SmallGame};
use super::shape::{MOST_SQUARES, Permutation};
use super::state::total;
use crate::rules::CAP;

/// The levels that are not below those of `low`. In each layer, those of the same
/// sum, they are numbered in the order of their text.
pub struct Lattice {
    squares: usize,
    low: Heights,
    /// The symmetries of the board that keep `low`.
    symmetries: Vec<Permutation>,
    /// `ways[i][t]`: how many levels of the squares from `i` on have the sum `t`.
    ways: Vec<Vec<u64>>,
    /// `before[i][t][h]`: how many of these have a level below `h` on square `i`.
    before: Vec<Vec<[u64; CAP as usize + 1]>>,
}

impl Lattice {
    /// The levels that can grow out of `low` on the board of the game.
    pub fn new(game: &SmallGame, low: Heights) -> Self {
        let squares = game.squares();
        let most = game.highest_total();
        let mut ways = vec![vec![0; most + 1]; squares + 1];
        let mut before = vec![vec![[0; CAP as usize + 1]; most + 1]; squares];
        ways[squares][0] = 1;
        for square in (0..squares).rev() {
            for sum in 0..=most {
                let mut count = 0;
                for level in 0..=CAP {
                    before[square][sum][usize::from(level)] = count;
                    if level >= low[square] && usize::from(level) <= sum {
                        count += ways[square + 1][sum - usize::from(level)];
                    }
                }
                ways[square][sum] = count;
            }
        }
        let keeps_low = |map: &&Permutation| permuted(&low, map, squares) == low;
        Self {
            squares,
            low,
            symmetries: game.symmetries.iter().filter(keeps_low).copied().collect(),
            ways,
            before,
        }
    }

    /// The symmetries that the lattice has; the first changes nothing.
    pub fn symmetries(&self) -> &[Permutation] {
        &self.symmetries
    }

    /// The lowest sum of levels.
    pub fn lowest_total(&self) -> usize {
        total(&self.low)
    }

    /// The number of levels in a layer.
    pub fn size(&self, total: usize) -> u64 {
        self.ways[0].get(total).copied().unwrap_or(0)
    }

    /// The number of levels within their layer.
    #[inline(always)]
    pub fn rank(&self, heights: &Heights, total: usize) -> u64 {
        let mut left = total;
        let mut rank = 0;
        for (before, &level) in self.before.iter().zip(heights) {
            rank += before[left][usize::from(level)];
            left -= usize::from(level);
        }
        rank
    }

    /// The levels of a number in a layer.
    pub fn unrank(&self, total: usize, mut rank: u64) -> Heights {
        debug_assert!(rank < self.size(total));
        let mut heights = [0; MOST_SQUARES];
        let mut left = total;
        for (square, chosen) in heights.iter_mut().enumerate().take(self.squares) {
            let before = &self.before[square][left];
            // The highest level with no more levels before it than are left;
            // levels that cannot be have as many before them as the next.
            let mut possible = (self.low[square]..=CAP).filter(|&level| {
                usize::from(level) <= left && self.ways[square + 1][left - usize::from(level)] > 0
            });
            let level = possible
                .rfind(|&level| before[usize::from(level)] <= rank)
                .expect("the number is that of a layer");
            rank -= before[usize::from(level)];
            left -= usize::from(level);
            *chosen = level;
        }
        heights
    }

    /// The next levels of the same layer; false after the last.
    #[inline(always)]
    pub fn advance(&self, heights: &mut Heights) -> bool {
        // Levels above the lowest, on the squares behind.
        let mut spare = 0;
        for square in (0..self.squares).rev() {
            if spare > 0 && heights[square] < CAP {
                heights[square] += 1;
                self.fill_from(square + 1, spare - 1, heights);
                return true;
            }
            spare += usize::from(heights[square] - self.low[square]);
        }
        false
    }

    /// Gives the squares from `start` on the first levels with a sum that is so
    /// much above the lowest.
    #[inline(always)]
    fn fill_from(&self, start: usize, mut spare: usize, heights: &mut Heights) {
        for square in (start..self.squares).rev() {
            let more = spare.min(usize::from(CAP - self.low[square]));
            heights[square] = self.low[square] + more as u8;
            spare -= more;
        }
    }

    /// The symmetry that makes levels the first of all that symmetries make of
    /// them; 0 if they are that.
    #[inline(always)]
    pub fn to_first(&self, heights: &Heights) -> usize {
        let mut best = (*heights, 0);
        for (index, map) in self.symmetries.iter().enumerate().skip(1) {
            let image = permuted(heights, map, self.squares);
            if image < best.0 {
                best = (image, index);
            }
        }
        best.1
    }

    /// What a symmetry makes of levels.
    pub fn image(&self, heights: &Heights, symmetry: usize) -> Heights {
        permuted(heights, &self.symmetries[symmetry], self.squares)
    }
}

#[inline(always)]
fn permuted(heights: &Heights, map: &Permutation, squares: usize) -> Heights {
    let mut image = [0; MOST_SQUARES];
    for square in 0..squares {
        image[usize::from(map[square]) % MOST_SQUARES] = heights[square];
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: &str, low: &[u8]) {
        let game = SmallGame::new(shape.parse().unwrap(), 1, None);
        let mut lowest = [0; MOST_SQUARES];
        lowest[..low.len()].copy_from_slice(low);
        let lattice = Lattice::new(&game, lowest);
        let mut count = 0;
        for sum in lattice.lowest_total()..=game.highest_total() {
            let mut heights = lattice.unrank(sum, 0);
            for rank in 0..lattice.size(sum) {
                assert_eq!(total(&heights), sum);
                assert!(heights.iter().zip(&lowest).all(|(level, low)| level >= low));
                assert_eq!(lattice.rank(&heights, sum), rank);
                assert_eq!(lattice.unrank(sum, rank), heights);
                let first = lattice.image(&heights, lattice.to_first(&heights));
                assert!(first <= heights && lattice.to_first(&first) == 0);
                let is_last = rank + 1 == lattice.size(sum);
                assert_eq!(lattice.advance(&mut heights), !is_last);
                count += 1;
            }
        }
        let all: u64 = low.iter().map(|&level| 5 - u64::from(level)).product();
        assert_eq!(count, all);
    }

    #[test]
    fn every_layer_is_numbered_without_gaps() {
        check("2x3", &[0; 6]);
        check("2x2", &[1, 0, 4, 0]);
        check("3x3", &[3, 2, 3, 2, 4, 2, 3, 2, 3]);
    }

    #[test]
    fn only_symmetries_that_keep_the_lowest_levels_count() {
        let game = SmallGame::new("3x3".parse().unwrap(), 1, None);
        let mut low = [0; MOST_SQUARES];
        assert_eq!(Lattice::new(&game, low).symmetries().len(), 8);
        low[1] = 1;
        assert_eq!(Lattice::new(&game, low).symmetries().len(), 2);
        low[0] = 1;
        assert_eq!(Lattice::new(&game, low).symmetries().len(), 1);
    }
}
