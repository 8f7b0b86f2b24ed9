//! Counts of results: of single games (3 results), or of pairs of games with the
//! same opening and swapped seats (5 results).

use serde::{Deserialize, Serialize};

/// Counts of one player's results: `self.0[i]` results brought `i` half points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[serde(bound(
    serialize = "[u64; K]: Serialize",
    deserialize = "[u64; K]: Deserialize<'de>"
))]
pub struct Frequencies<const K: usize>(pub [u64; K]);

/// Lost, drawn and won games.
pub type GameCounts = Frequencies<3>;

/// Pairs with 0, ½, 1, 1½ and 2 points: the pentanomial counts.
///
/// The two games of a pair depend on each other through their opening. The variance of
/// single games would overstate the error; the variance of pairs does not.
pub type PairCounts = Frequencies<5>;

impl<const K: usize> Default for Frequencies<K> {
    fn default() -> Self {
        Self([0; K])
    }
}

impl<const K: usize> Frequencies<K> {
    /// The games in a result: 1, or 2 for pairs.
    pub const GAMES: f64 = (K - 1) as f64 / 2.0;

    /// Counts one more result of `points` points.
    pub fn add(&mut self, points: f64) {
        let half_points = (points * 2.0).round().clamp(0.0, (K - 1) as f64);
        self.0[half_points as usize] += 1;
    }

    /// The results of the other player.
    pub fn reversed(&self) -> Self {
        let mut counts = self.0;
        counts.reverse();
        Self(counts)
    }

    /// The number of counted results.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Result `i` as a share of the possible points.
    pub(super) fn share(i: usize) -> f64 {
        i as f64 / (K - 1) as f64
    }

    /// Each result as a share of the possible points, with its count.
    pub fn shares(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let counts = self.0.iter().enumerate();
        counts.map(|(i, &count)| (Self::share(i), count as f64))
    }

    /// The mean score, 0 to 1; `None` without results.
    pub fn score(&self) -> Option<f64> {
        let count = self.count();
        let points = self.shares().map(|(share, count)| share * count);
        (count > 0).then(|| points.sum::<f64>() / count as f64)
    }

    /// The variance of the score of one result; `None` without results.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.score()?;
        let squares = self
            .shares()
            .map(|(share, count)| count * (share - mean) * (share - mean));
        Some(squares.sum::<f64>() / self.count() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_by_their_points() {
        let mut pairs = PairCounts::default();
        for points in [0.0, 0.5, 1.0, 1.0, 1.5, 2.0] {
            pairs.add(points);
        }
        assert_eq!(pairs.0, [1, 1, 2, 1, 1]);
        assert_eq!(pairs.score(), Some(0.5));
        assert_eq!(pairs.reversed(), pairs);
        assert_eq!(GameCounts::default().score(), None);
        assert_eq!(Frequencies([1, 0, 3]).reversed().0, [3, 0, 1]);
    }

    #[test]
    fn mean_and_variance() {
        let games = Frequencies([1, 0, 3]);
        assert_eq!(games.score(), Some(0.75));
        assert_eq!(games.variance(), Some(0.1875));
        assert_eq!([GameCounts::GAMES, PairCounts::GAMES], [1.0, 2.0]);
    }
}
