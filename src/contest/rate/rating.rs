//! The rating of a program, from its games against the ladder.

use serde::Serialize;

use super::ladder::LADDER;
use crate::record::Ending;
use crate::stats::{AnchoredGames, Estimate, Prior, rate_against, score_of_elo};
use crate::table::{Table, percent};
use crate::tournament::{Results, faults};

/// The prior is wide: a program may be anywhere on the ladder.
const PRIOR: Prior = Prior {
    mean: 1400.0,
    deviation: 1000.0,
};

/// The rating of a program on the scale of the ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramRating {
    /// The rating in Elo above random play, with its interval.
    pub estimate: Estimate,
    /// The number of games played.
    pub games: u64,
    /// The number of games won.
    pub won: u64,
    /// The games lost by faults.
    pub faults: u64,
    /// The number of games lost by each fault, the most frequent first.
    pub faults_by: Vec<(Ending, u64)>,
    /// The results against each opponent, the weakest first.
    pub against: Vec<OpponentScore>,
}

/// The results against one opponent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpponentScore {
    /// The opponent's name on the ladder.
    pub opponent: String,
    /// The opponent's rating.
    pub elo: f64,
    /// The number of games against it.
    pub games: u64,
    /// The number of those games won.
    pub won: u64,
    /// The expected score with the estimated rating.
    pub expected: f64,
}

impl ProgramRating {
    /// Rates the first player of the results. The others must be the opponents of the
    /// ladder.
    pub fn of(results: &Results) -> Self {
        let counts = LADDER.iter().zip(&results.games[0][1..]);
        let counts: Vec<_> = counts.filter(|(_, counts)| counts.count() > 0).collect();
        let anchored = counts.iter().map(|(rung, counts)| AnchoredGames {
            elo: rung.elo,
            games: counts.count(),
            points: counts.0[2] as f64 + counts.0[1] as f64 / 2.0,
        });
        let estimate = rate_against(PRIOR, &anchored.collect::<Vec<_>>());
        let against = counts.iter().map(|(rung, counts)| OpponentScore {
            opponent: rung.agent.to_string(),
            elo: rung.elo,
            games: counts.count(),
            won: counts.0[2],
            expected: score_of_elo(estimate.elo - rung.elo),
        });
        let against: Vec<OpponentScore> = against.collect();
        let mut faults_by = faults(&results.players[0].endings);
        faults_by.sort_by_key(|&(_, lost)| std::cmp::Reverse(lost));
        Self {
            estimate,
            games: against.iter().map(|against| against.games).sum(),
            won: against.iter().map(|against| against.won).sum(),
            faults: faults_by.iter().map(|(_, lost)| lost).sum(),
            faults_by,
            against,
        }
    }

    /// Whether the program has games and lost all of them by faults.
    pub const fn only_faults(&self) -> bool {
        self.games > 0 && self.faults == self.games
    }

    /// The rating as text, such as `1,540 +- 60`.
    pub fn text(&self) -> String {
        let Estimate { elo, .. } = self.estimate;
        format!("{} +- {:.0}", thousands(elo), self.estimate.error())
    }

    /// The table of results against each opponent.
    pub fn table(&self) -> Table {
        let head = [
            "opponent", "Elo", "games", "won", "lost", "score", "expected",
        ];
        let mut table = Table::new(head).with_names_in(0);
        for against in &self.against {
            table.add(against.cells());
        }
        table
    }
}

impl OpponentScore {
    /// The cells of its row in the table: opponent, Elo, games, won, lost, score,
    /// expected score.
    pub fn cells(&self) -> [String; 7] {
        [
            self.opponent.clone(),
            thousands(self.elo),
            self.games.to_string(),
            self.won.to_string(),
            (self.games - self.won).to_string(),
            percent(self.won as f64 / self.games as f64),
            percent(self.expected),
        ]
    }
}

/// Formats a rounded number with a comma after the thousands.
pub(super) fn thousands(number: f64) -> String {
    let number = number.round() as i64;
    match number.abs() {
        size if size < 1000 => number.to_string(),
        size => format!("{},{:03}", number / 1000, size % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_a_comma() {
        let shown = [-12.4, 999.4, 999.6, 1540.0, -1234.0].map(thousands);
        assert_eq!(shown, ["-12", "999", "1,000", "1,540", "-1,234"]);
    }
}
