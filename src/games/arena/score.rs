//! The score of a match of many pairs of games, with Elo and sequential test.

use serde::{Deserialize, Serialize};

use super::pair::Pair;
use crate::jobs::Jobs;
use crate::stats::{Duel, GameCounts, PairCounts, SprtSetting};

/// The results of a match so far.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchScore {
    games: GameCounts,
    pairs: PairCounts,
    /// The number of games won by the player that moved first.
    first_mover: u64,
}

/// The outcome of a match, as its JSON shows it.
#[derive(Clone, Debug, Serialize)]
pub struct MatchOutcome {
    /// The share of games won by the player that moved first; `None` without games.
    pub first_mover_score: Option<f64>,
    /// The comparison of the two engines.
    #[serde(flatten)]
    pub duel: Duel,
}

impl MatchScore {
    fn add(&mut self, pair: Pair) {
        for won in [pair.moving_first, pair.moving_second] {
            self.games.add(f64::from(u8::from(won)));
        }
        self.pairs.add(pair.wins() as f64);
        self.first_mover += pair.first_mover_wins();
    }

    /// Adds the pairs of another score.
    pub fn add_all(&mut self, other: &Self) {
        let add = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from)
        };
        add(&mut self.games.0, &other.games.0);
        add(&mut self.pairs.0, &other.pairs.0);
        self.first_mover += other.first_mover;
    }

    /// Whether the counts are consistent: two games without a draw for each pair, with its
    /// points.
    pub fn is_possible(&self) -> bool {
        // Larger counts could overflow the sums.
        const MOST: u64 = 1 << 40;
        let counts = self.games.0.iter().chain(&self.pairs.0);
        let [lost, drawn, won] = self.games.0;
        let [none, half, one, three_halves, two] = self.pairs.0;
        counts.copied().all(|count| count < MOST)
            && [drawn, half, three_halves] == [0; 3]
            && lost == 2 * none + one
            && won == one + 2 * two
            && self.first_mover <= lost + won
    }

    /// The pairs, counted by the points of the first player.
    pub fn pairs(&self) -> &PairCounts {
        &self.pairs
    }

    /// The outcome of the match of players with these names.
    pub fn outcome(&self, names: [String; 2], sprt: Option<SprtSetting>) -> MatchOutcome {
        let games = self.games.count();
        MatchOutcome {
            first_mover_score: (games > 0).then(|| self.first_mover as f64 / games as f64),
            duel: Duel::of(names, &self.games, &self.pairs, sprt),
        }
    }
}

/// Resumes a match at `score` and plays pairs until there are `most`, the test is decided,
/// or the jobs are stopped. `pair` plays the pair with the given number; its result is
/// ignored once the jobs are stopped. `report` is called with the score after each pair. If
/// the result of a pair depends only on its number, the score does not depend on the number
/// of threads.
pub fn play_pairs(
    mut score: MatchScore,
    most: u64,
    sprt: Option<SprtSetting>,
    jobs: &Jobs,
    pair: impl Fn(u64) -> Pair + Sync,
    mut report: impl FnMut(&MatchScore),
) -> MatchScore {
    let test = sprt.and_then(|setting| setting.test().ok());
    let is_decided =
        |score: &MatchScore| test.is_some_and(|test| test.decision(&score.pairs).is_some());
    if is_decided(&score) {
        return score;
    }
    // An error ends the jobs before the last pair.
    let _ = jobs.run_whole(score.pairs.count()..most, pair, |_, pair| {
        score.add(pair);
        report(&score);
        match is_decided(&score) {
            true => Err(()),
            false => Ok(()),
        }
    });
    score
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::stats::EloModel;

    /// Of these pairs the first player loses every third and wins the others, except that
    /// every fourth is even.
    fn pair(number: u64) -> Pair {
        let wins = !number.is_multiple_of(3);
        Pair {
            moving_first: wins,
            moving_second: wins != number.is_multiple_of(4),
        }
    }

    fn run(threads: usize, most: u64, sprt: Option<SprtSetting>, stop: bool) -> MatchScore {
        let stop = AtomicBool::new(stop);
        let jobs = Jobs {
            threads,
            stop: &stop,
        };
        let mut seen = 0;
        let score = play_pairs(MatchScore::default(), most, sprt, &jobs, pair, |score| {
            seen += 1;
            assert_eq!(score.pairs().count(), seen);
        });
        assert_eq!(score.pairs().count(), seen);
        score
    }

    fn outcome(score: &MatchScore, sprt: Option<SprtSetting>) -> MatchOutcome {
        score.outcome(["a".into(), "b".into()], sprt)
    }

    #[test]
    fn the_score_does_not_depend_on_the_threads() {
        let score = run(1, 30, None, false);
        assert_eq!(run(3, 30, None, false), score);
        let wins: u64 = (0..30).map(|number| pair(number).wins()).sum();
        let by_first: u64 = (0..30).map(|number| pair(number).first_mover_wins()).sum();
        let outcome = outcome(&score, None);
        assert_eq!(outcome.duel.games, [60 - wins, 0, wins]);
        assert_eq!(outcome.duel.pairs, [7, 0, 8, 0, 15]);
        assert_eq!(outcome.first_mover_score, Some(by_first as f64 / 60.0));
        assert!(outcome.duel.elo > Some(90.0), "{:?}", outcome.duel);
    }

    #[test]
    fn a_match_resumes_at_a_score() {
        let (begun, all) = (run(1, 12, None, false), run(1, 30, None, false));
        let jobs = Jobs::unstoppable(2);
        assert_eq!(play_pairs(begun, 30, None, &jobs, pair, |_| {}), all);
        assert_eq!(play_pairs(all, 12, None, &jobs, pair, |_| {}), all);
    }

    #[test]
    fn a_decided_test_and_a_stop_end_a_match() {
        let setting = SprtSetting {
            elo0: 0.0,
            elo1: 100.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
        };
        let score = run(2, 1000, Some(setting), false);
        let outcome = outcome(&score, Some(setting));
        assert_eq!(outcome.duel.sprt.unwrap().decision, Some("H1"));
        assert!(score.pairs().count() < 200, "{score:?}");
        let jobs = Jobs::unstoppable(1);
        let more = play_pairs(score, 1000, Some(setting), &jobs, pair, |_| {});
        assert_eq!(more, score, "a decided test plays no more");
        assert_eq!(run(2, 1000, None, true).pairs().count(), 0);
    }
}
