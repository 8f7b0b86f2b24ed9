//! A rating in sentences, for the terminal and the page.

use super::ladder::{LadderRung, neighbours};
use super::rating::{ProgramRating, thousands};

/// The sentences, in plain text.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingText {
    /// The games lost by faults, by kind; `None` without faults.
    pub faults: Option<String>,
    /// The opponents just below and above, a sentence each; empty with faults, which make the
    /// program look weaker than it plays.
    pub place: Vec<String>,
    /// The number of games won and lost.
    pub games: String,
}

impl RatingText {
    /// Describes a rating.
    pub fn of(rating: &ProgramRating) -> Self {
        let ProgramRating { games, won, .. } = rating;
        let neighbours = match rating.faults {
            0 => neighbours([rating.estimate.low, rating.estimate.high]),
            _ => [None, None],
        };
        Self {
            faults: (rating.faults > 0).then(|| faults(rating)),
            place: place(neighbours),
            games: format!("It won {won} of {games} games and lost {}.", games - won),
        }
    }
}

fn faults(rating: &ProgramRating) -> String {
    let lost = match rating.faults {
        1 => "was lost by a fault",
        _ => "were lost by faults",
    };
    let kinds = rating.faults_by.iter();
    let kinds: Vec<String> = kinds.map(|(kind, lost)| format!("{lost} {kind}")).collect();
    format!(
        "{} of {} games {lost} ({}). Fix faults first: each counts as a lost game, \
         so the rating and its interval do not measure how well it plays. `evidence` in the \
         record of such a game shows the program's standard error.",
        rating.faults,
        rating.games,
        kinds.join(", ")
    )
}

fn place([below, above]: [Option<LadderRung>; 2]) -> Vec<String> {
    let sentence = |than: &str, rung: Option<LadderRung>| {
        let LadderRung { agent, elo, words } = rung?;
        Some(format!(
            "Rated {than} {agent} ({}): {words}.",
            thousands(elo)
        ))
    };
    let sentences = [sentence("above", below), sentence("below", above)];
    sentences.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ending;
    use crate::stats::Estimate;

    fn rating(elo: f64, faults_by: Vec<(Ending, u64)>) -> ProgramRating {
        ProgramRating {
            estimate: Estimate {
                elo,
                low: elo - 50.0,
                high: elo + 50.0,
            },
            games: 40,
            won: 18,
            faults: faults_by.iter().map(|(_, lost)| lost).sum(),
            faults_by,
            against: Vec::new(),
        }
    }

    #[test]
    fn faults_are_listed_by_kind() {
        let faults = vec![(Ending::TimeOut, 3), (Ending::Crashed, 1)];
        let words = RatingText::of(&rating(500.0, faults));
        let told = words.faults.unwrap();
        assert!(told.starts_with("4 of 40 games were lost by faults (3 time-out, 1 crashed)."));
        assert!(told.contains("do not measure how well it plays") && words.place.is_empty());
        assert_eq!(words.games, "It won 18 of 40 games and lost 22.");
        assert_eq!(RatingText::of(&rating(500.0, Vec::new())).faults, None);
    }

    #[test]
    fn neighbours_are_named_with_their_ratings() {
        let place = |elo: f64| RatingText::of(&rating(elo, Vec::new())).place;
        let both = [
            "Rated above alphabeta:depth=1,eval=tuned (1,269): looks 1 turn ahead, with better weights.",
            "Rated below alphabeta:depth=2 (1,459): looks 2 turns ahead.",
        ];
        assert_eq!(place(1360.0), both);
        let ends = [place(-100.0), place(9000.0)];
        assert_eq!(ends.each_ref().map(Vec::len), [1, 1]);
        assert!(ends[0][0].starts_with("Rated below random (0)"));
        assert!(ends[1][0].starts_with("Rated above engine:"));
    }
}
