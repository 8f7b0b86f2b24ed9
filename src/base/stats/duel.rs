//! The comparison of two players by their games, for tables and JSON.

use serde::Serialize;

use super::elo::{Estimate, estimate};
use super::frequencies::{Frequencies, GameCounts, PairCounts};
use super::posterior::likelihood_of_superiority;
use super::sprt::{Decision, SprtSetting};

/// The comparison of two players, seen from the first.
#[derive(Debug, Clone, Serialize)]
pub struct Duel {
    /// The names of both players.
    pub players: [String; 2],
    /// The games that the first player lost, drew and won.
    pub games: [u64; 3],
    /// The pairs in which the first player scored 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The games without the other game of their pair.
    pub alone: u64,
    /// The estimated Elo difference; `None` without games.
    pub elo: Option<f64>,
    /// The lower end of its 95% confidence interval.
    pub low: Option<f64>,
    /// The upper end of that interval.
    pub high: Option<f64>,
    /// The likelihood that the first player is the stronger one.
    pub los: f64,
    /// The test that may end the match; `None` without one.
    pub sprt: Option<SprtSummary>,
}

/// The state of an SPRT.
#[derive(Debug, Clone, Serialize)]
pub struct SprtSummary {
    /// The parameters of the test.
    #[serde(flatten)]
    pub setting: SprtSetting,
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// The ratio at which H0 is accepted.
    pub lower: f64,
    /// The ratio at which H1 is accepted.
    pub upper: f64,
    /// `H0`, `H1`, or `None` while undecided.
    pub decision: Option<&'static str>,
}

impl SprtSummary {
    /// The test with these counts; `None` if the parameters are not valid.
    pub fn of<const K: usize>(setting: SprtSetting, counts: &Frequencies<K>) -> Option<Self> {
        let sprt = setting.test().ok()?;
        let [lower, upper] = sprt.bounds();
        Some(Self {
            setting,
            llr: sprt.log_likelihood_ratio(counts),
            lower,
            upper,
            decision: sprt.decision(counts).map(|decision| match decision {
                Decision::AcceptH0 => "H0",
                Decision::AcceptH1 => "H1",
            }),
        })
    }
}

impl Duel {
    /// Compares two players by their complete pairs, or by single games if most have no
    /// pair.
    pub fn of(
        players: [String; 2],
        games: &GameCounts,
        pairs: &PairCounts,
        sprt: Option<SprtSetting>,
    ) -> Self {
        let alone = games.count().saturating_sub(2 * pairs.count());
        let (elo, los) = if is_by_pairs(pairs, alone) {
            (estimate(pairs), likelihood_of_superiority(pairs))
        } else {
            (estimate(games), likelihood_of_superiority(games))
        };
        Self {
            players,
            games: games.0,
            pairs: pairs.0,
            alone,
            elo: elo.map(|elo| elo.elo),
            low: elo.map(|elo| elo.low),
            high: elo.map(|elo| elo.high),
            los,
            sprt: sprt.and_then(|setting| SprtSummary::of(setting, pairs)),
        }
    }

    /// The Elo difference; `None` without games.
    pub fn estimate(&self) -> Option<Estimate> {
        let (Some(elo), Some(low), Some(high)) = (self.elo, self.low, self.high) else {
            return None;
        };
        Some(Estimate { elo, low, high })
    }

    /// The number of single games that the Elo difference ignores.
    pub fn left_out(&self) -> u64 {
        if self.counts_pairs() { self.alone } else { 0 }
    }

    /// Whether the Elo difference is computed from pairs, not from single games.
    pub fn counts_pairs(&self) -> bool {
        is_by_pairs(&Frequencies(self.pairs), self.alone)
    }
}

/// Whether most games are in pairs. Players are then compared by pairs, which give the
/// smaller error.
fn is_by_pairs(pairs: &PairCounts, alone: u64) -> bool {
    2 * pairs.count() > alone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(games: [u64; 3], pairs: [u64; 5]) -> Duel {
        let names = ["A", "B"].map(String::from);
        Duel::of(names, &Frequencies(games), &Frequencies(pairs), None)
    }

    #[test]
    fn a_single_game_does_not_change_the_elo_of_pairs() {
        let pairs = [0, 0, 7, 0, 3];
        let whole = duel([7, 0, 13], pairs);
        assert_eq!((whole.alone, whole.left_out()), (0, 0));
        let more = duel([8, 0, 13], pairs);
        assert_eq!((more.alone, more.left_out()), (1, 1));
        let numbers = |duel: &Duel| (duel.elo, duel.low, duel.high, duel.los);
        assert_eq!(numbers(&more), numbers(&whole));
    }

    #[test]
    fn single_games_count_if_most_have_no_pair() {
        let games = [10, 0, 14];
        let single = duel(games, [0, 0, 2, 0, 0]);
        assert_eq!((single.alone, single.left_out()), (20, 0));
        assert_eq!(single.elo, duel(games, [0; 5]).elo);
        assert_eq!(duel([0; 3], [0; 5]).elo, None);
    }
}
