//! Ranks the heights of a board: numbers all assignments of levels to squares, layer by
//! layer.

use super::game::{Heights, SmallGame};
use super::shape::{MOST_SQUARES, Permutation};
use super::state::total;
use crate::rules::CAP;

/// All heights that are nowhere below `low`. Heights with the same sum form a layer and are
/// numbered in lexicographic order.
pub struct HeightRanking {
    squares: usize,
    low: Heights,
    /// The symmetries of the board that map `low` onto itself.
    symmetries: Vec<Permutation>,
    /// `ways[i][t]`: the number of assignments to squares `i..` with the sum `t`.
    ways: Vec<Vec<u64>>,
    /// `before[i][t][h]`: how many of these give square `i` a level below `h`.
    before: Vec<Vec<[u64; CAP as usize + 1]>>,
}

impl HeightRanking {
    /// Ranks all heights that can be built up from `low`.
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

    /// The symmetries that map the lowest heights onto themselves; the first is the
    /// identity.
    pub fn symmetries(&self) -> &[Permutation] {
        &self.symmetries
    }

    /// The sum of levels of the lowest layer.
    pub fn lowest_total(&self) -> usize {
        total(&self.low)
    }

    /// The number of heights in a layer.
    pub fn size(&self, total: usize) -> u64 {
        self.ways[0].get(total).copied().unwrap_or(0)
    }

    /// The rank of heights in their layer, from 0.
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

    /// The heights with this rank in a layer.
    pub fn unrank(&self, total: usize, mut rank: u64) -> Heights {
        debug_assert!(rank < self.size(total));
        let mut heights = [0; MOST_SQUARES];
        let mut left = total;
        for (square, chosen) in heights.iter_mut().enumerate().take(self.squares) {
            let before = &self.before[square][left];
            // The highest level with at most `rank` assignments before it. Impossible
            // levels are skipped: they have the same count as the next level.
            let mut possible = (self.low[square]..=CAP).filter(|&level| {
                usize::from(level) <= left && self.ways[square + 1][left - usize::from(level)] > 0
            });
            let level = possible
                .rfind(|&level| before[usize::from(level)] <= rank)
                .expect("the rank is below the size of the layer");
            rank -= before[usize::from(level)];
            left -= usize::from(level);
            *chosen = level;
        }
        heights
    }

    /// Advances to the next heights of the layer. Returns false after the last.
    #[inline(always)]
    pub fn advance(&self, heights: &mut Heights) -> bool {
        // Levels above `low` on the later squares.
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

    /// Gives squares `start..` the first heights whose sum is `spare` above that of `low`.
    #[inline(always)]
    fn fill_from(&self, start: usize, mut spare: usize, heights: &mut Heights) {
        for square in (start..self.squares).rev() {
            let more = spare.min(usize::from(CAP - self.low[square]));
            heights[square] = self.low[square] + more as u8;
            spare -= more;
        }
    }

    /// The symmetry that maps heights to the lexicographically first of their images; 0 if
    /// they are the first themselves.
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

    /// The image of heights under a symmetry.
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
        let ranking = HeightRanking::new(&game, lowest);
        let mut count = 0;
        for sum in ranking.lowest_total()..=game.highest_total() {
            let mut heights = ranking.unrank(sum, 0);
            for rank in 0..ranking.size(sum) {
                assert_eq!(total(&heights), sum);
                assert!(heights.iter().zip(&lowest).all(|(level, low)| level >= low));
                assert_eq!(ranking.rank(&heights, sum), rank);
                assert_eq!(ranking.unrank(sum, rank), heights);
                let first = ranking.image(&heights, ranking.to_first(&heights));
                assert!(first <= heights && ranking.to_first(&first) == 0);
                let is_last = rank + 1 == ranking.size(sum);
                assert_eq!(ranking.advance(&mut heights), !is_last);
                count += 1;
            }
        }
        let all: u64 = low.iter().map(|&level| 5 - u64::from(level)).product();
        assert_eq!(count, all);
    }

    #[test]
    fn ranks_have_no_gaps() {
        check("2x3", &[0; 6]);
        check("2x2", &[1, 0, 4, 0]);
        check("3x3", &[3, 2, 3, 2, 4, 2, 3, 2, 3]);
    }

    #[test]
    fn symmetries_must_keep_the_lowest_heights() {
        let game = SmallGame::new("3x3".parse().unwrap(), 1, None);
        let mut low = [0; MOST_SQUARES];
        assert_eq!(HeightRanking::new(&game, low).symmetries().len(), 8);
        low[1] = 1;
        assert_eq!(HeightRanking::new(&game, low).symmetries().len(), 2);
        low[0] = 1;
        assert_eq!(HeightRanking::new(&game, low).symmetries().len(), 1);
    }
}
