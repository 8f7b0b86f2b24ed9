//! Statistics of a match: wins, lengths and times.

use super::games::MatchGame;
use crate::stats::{Frequencies, score_interval, win_interval};

/// The results of games between two agents.
#[derive(Clone, Debug, Default)]
pub struct MatchStats {
    /// The number of games.
    pub games: u64,
    /// Games won: `[player][seat]`, seat 0 moves first.
    pub wins: [[u64; 2]; 2],
    /// Turns a game.
    pub turns: SampleStats,
    /// Seconds a game.
    pub game_seconds: SampleStats,
    /// Seconds an action (placement or turn), for each player.
    pub action_seconds: [SampleStats; 2],
}

/// Mean, minimum and maximum of numbers.
#[derive(Clone, Copy, Debug)]
pub struct SampleStats {
    count: u64,
    sum: f64,
    /// The minimum; infinite without numbers.
    pub least: f64,
    /// The maximum; 0 without numbers.
    pub most: f64,
}

impl Default for SampleStats {
    fn default() -> Self {
        Self {
            count: 0,
            sum: 0.0,
            least: f64::INFINITY,
            most: 0.0,
        }
    }
}

impl SampleStats {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        self.sum += number;
        self.least = self.least.min(number);
        self.most = self.most.max(number);
    }

    /// The mean, or 0 without numbers.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

impl MatchStats {
    /// Adds a game.
    pub fn add(&mut self, game: &MatchGame) {
        self.games += 1;
        let winner = game.winner();
        self.wins[winner][game.seat_of(winner)] += 1;
        self.turns.add(game.played.turns.len() as f64);
        self.game_seconds.add(game.total_seconds());
        for (seat, &player) in game.seats.iter().enumerate() {
            for seconds in game.seconds_of(seat) {
                self.action_seconds[player].add(seconds);
            }
        }
    }

    /// Games won by a player.
    pub fn won(&self, player: usize) -> u64 {
        self.wins[player].iter().sum()
    }

    /// A player's share of the games with its 95% confidence interval, which is exact if one
    /// player won every game: 4 wins of 4 do not show who is stronger.
    pub fn score(&self, player: usize) -> Option<(f64, [f64; 2])> {
        let won = self.won(player);
        let lost = self.games - won;
        let interval = match won.min(lost) {
            0 => score_interval(&Frequencies([lost, 0, won]))?,
            _ => win_interval(won, self.games)?,
        };
        Some((won as f64 / self.games as f64, interval))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::factory::Factory;
    use crate::lab::games::Match;
    use crate::openings::Openings;

    #[test]
    fn wins_count_by_player_and_seat() {
        let factory = |text: &str| Factory::new(&text.parse().unwrap(), 0, &mut |_, _| {}).unwrap();
        let games = Match {
            players: [factory("alphabeta:depth=1"), factory("random")],
            seed: 1,
            swap: true,
            openings: Openings::SetUp,
        };
        let mut summary = MatchStats::default();
        let mut turns = 0;
        for number in 0..20 {
            let game = games.play(number).unwrap();
            turns += game.played.turns.len();
            summary.add(&game);
        }
        assert_eq!(summary.won(0) + summary.won(1), 20);
        assert!(summary.wins[0].iter().all(|&wins| wins >= 8), "{summary:?}");
        assert_eq!(summary.turns.mean(), turns as f64 / 20.0);
        let (score, [low, high]) = summary.score(0).unwrap();
        assert!(low <= score && score <= high && low > 0.5);
        let seconds = summary.action_seconds.map(|spread| spread.sum);
        let all: f64 = seconds.iter().sum();
        assert!((all - summary.game_seconds.sum).abs() < 1e-9);
        assert_eq!(MatchStats::default().score(0), None);
        // An equal opponent loses 4 of 4 games with a probability of 6%, 6 of 6 with 2%.
        for (games, low) in [(4, 0.3976), (6, 0.5407)] {
            let stats = MatchStats {
                games,
                wins: [[games / 2; 2], [0; 2]],
                ..MatchStats::default()
            };
            let [won, lost] = [0, 1].map(|player| stats.score(player).unwrap());
            assert!((won.1[0] - low).abs() < 1e-4 && won.1[1] == 1.0, "{won:?}");
            assert!((lost.1[1] - 1.0 + low).abs() < 1e-4 && lost.1[0] == 0.0);
        }
    }
}
