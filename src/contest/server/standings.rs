//! The standings of a tournament.

use super::game::Outcome;
use crate::protocol::tcp::{BotName, FINAL_TABLE};
use crate::table::Table;

/// A bot's results so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// The games won.
    pub wins: u32,
    /// The games without a winner.
    pub draws: u32,
    /// The games lost.
    pub losses: u32,
    /// The losses and draws that the bot forfeited.
    pub forfeits: u32,
}

impl Score {
    /// Counts a game of the bot as player `place` (0 or 1).
    pub fn add(&mut self, outcome: Outcome, place: usize) {
        match outcome.winner {
            Some(winner) if winner == place => self.wins += 1,
            Some(_) => self.losses += 1,
            None => self.draws += 1,
        }
        if outcome.ending.is_fault() && outcome.winner != Some(place) {
            self.forfeits += 1;
        }
    }

    /// Games played.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The points: 1 for a win, 0.5 for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingsRow {
    /// From 1; bots with the same points share a rank.
    pub rank: usize,
    /// The bot's number in order of entry.
    pub bot: usize,
    pub name: BotName,
    pub score: Score,
}

/// The table: by points, ties in order of entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standings(pub Vec<StandingsRow>);

impl Standings {
    /// Ranks bots given in order of entry.
    pub fn of(scores: impl IntoIterator<Item = (BotName, Score)>) -> Self {
        let mut rows: Vec<StandingsRow> = scores
            .into_iter()
            .enumerate()
            .map(|(bot, (name, score))| StandingsRow {
                rank: 0,
                bot,
                name,
                score,
            })
            .collect();
        rows.sort_by(|a, b| b.score.points().total_cmp(&a.score.points()));
        for index in 0..rows.len() {
            let points = rows[index].score.points();
            rows[index].rank = 1 + rows.partition_point(|other| other.score.points() > points);
        }
        Self(rows)
    }

    /// The table in one line, for bots.
    pub fn sentence(&self) -> String {
        let rows = self.0.iter().map(|row| {
            let points = row.score.points();
            format!("{}. {} {points}", row.rank, row.name)
        });
        format!("{FINAL_TABLE}{}", rows.collect::<Vec<_>>().join(", "))
    }

    /// The table in columns, for people.
    pub fn text(&self) -> String {
        let head = [
            "rank", "bot", "points", "games", "wins", "draws", "losses", "forfeits",
        ];
        let mut table = Table::new(head).with_names_in(1);
        for StandingsRow {
            rank, name, score, ..
        } in &self.0
        {
            table.add([
                rank.to_string(),
                name.to_string(),
                format!("{:.1}", score.points()),
                score.games().to_string(),
                score.wins.to_string(),
                score.draws.to_string(),
                score.losses.to_string(),
                score.forfeits.to_string(),
            ]);
        }
        table.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ending;

    fn outcome(winner: Option<usize>, ending: Ending) -> Outcome {
        Outcome { winner, ending }
    }

    #[test]
    fn points_forfeits_and_ranks_are_counted() {
        let mut scores = [Score::default(); 3];
        scores[0].add(outcome(Some(1), Ending::Win), 0);
        scores[1].add(outcome(Some(1), Ending::Win), 1);
        scores[0].add(outcome(None, Ending::Disconnected), 0);
        scores[2].add(outcome(None, Ending::Disconnected), 1);
        scores[1].add(outcome(Some(0), Ending::TimeOut), 0);
        scores[2].add(outcome(Some(0), Ending::TimeOut), 1);
        let name = |text: &str| BotName::parse(text.as_bytes()).unwrap();
        let names = ["ann", "bob", "cy"].map(name);
        let table = Standings::of(names.into_iter().zip(scores));
        let ranks: Vec<_> = table.0.iter().map(|row| (row.rank, row.bot)).collect();
        assert_eq!(ranks, [(1, 1), (2, 0), (2, 2)]);
        assert_eq!(
            table.sentence(),
            "final table: 1. bob 2, 2. ann 0.5, 2. cy 0.5"
        );
        let expected = "\
rank  bot  points  games  wins  draws  losses  forfeits
   1  bob     2.0      2     2      0       0         0
   2  ann     0.5      2     0      1       1         1
   2  cy      0.5      2     0      1       1         2
";
        assert_eq!(table.text(), expected);
    }
}
