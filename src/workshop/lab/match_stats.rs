//! Statistics of a match: wins, lengths and times.

use super::games::MatchGame;
use crate::stats::{PairCounts, score_interval, win_interval};

/// The results of games between two agents.
#[derive(Clone, Debug, Default)]
pub struct MatchStats {
    /// The number of games.
    pub games: u64,
    /// Games won: `[player][seat]`, seat 0 moves first.
    pub wins: [[u64; 2]; 2],
    /// The turns of each game.
    pub turns: SampleStats,
    /// The seconds of each game.
    pub game_seconds: SampleStats,
    /// The seconds of each player's placements of both workers; none after an opening.
    pub placement_seconds: [SampleStats; 2],
    /// The seconds of each player's turns.
    pub turn_seconds: [SampleStats; 2],
    /// Whether every two games are a pair, with the same opening and swapped seats.
    in_pairs: bool,
    /// The games by twos, as the first player scored them.
    pairs: PairCounts,
    /// The games that the first player won in whole pairs.
    won_in_pairs: u64,
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

    /// Whether there are no numbers.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The mean, or 0 without numbers.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

impl MatchStats {
    /// Statistics without games yet. `in_pairs` tells whether every two games are a pair.
    pub fn new(in_pairs: bool) -> Self {
        Self {
            in_pairs,
            ..Self::default()
        }
    }

    /// Adds a game. The games come in order.
    pub fn add(&mut self, game: &MatchGame) {
        self.games += 1;
        let winner = game.winner();
        self.wins[winner][game.seat_of(winner)] += 1;
        if self.games.is_multiple_of(2) {
            let won = self.won(0);
            self.pairs.add((won - self.won_in_pairs) as f64);
            self.won_in_pairs = won;
        }
        self.turns.add(game.played.turns.len() as f64);
        self.game_seconds.add(game.total_seconds());
        for (seat, &player) in game.seats.iter().enumerate() {
            if let Some(&seconds) = game.setup_seconds.get(seat) {
                self.placement_seconds[player].add(seconds);
            }
            for seconds in game.played.seconds_of(seat) {
                self.turn_seconds[player].add(seconds);
            }
        }
    }

    /// Games won by a player.
    pub fn won(&self, player: usize) -> u64 {
        self.wins[player].iter().sum()
    }

    /// The first player's share of the games with its 95% confidence interval; `None` without
    /// games. If games are played in pairs, the interval is computed from whole pairs, since the
    /// two games of a pair share an opening. A last game without a partner is left out, unless it
    /// is the only game.
    pub fn score(&self) -> Option<(f64, [f64; 2])> {
        if self.in_pairs && self.games > 1 {
            return Some((self.pairs.score()?, score_interval(&self.pairs)?));
        }
        let won = self.won(0);
        let interval = win_interval(won, self.games)?;
        Some((won as f64 / self.games as f64, interval))
    }

    /// Whether the score leaves out the last game, which has no pair.
    pub const fn leaves_out_last(&self) -> bool {
        self.in_pairs && self.games > 1 && !self.games.is_multiple_of(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::PlayedGame;
    use crate::lab::factory::Factory;
    use crate::lab::games::{Match, random_openings};
    use crate::openings::{OpeningNumber, Openings};
    use crate::stats::Frequencies;

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
        let (score, [low, high]) = summary.score().unwrap();
        assert!(low <= score && score <= high && low > 0.5);
        let seconds = [summary.placement_seconds, summary.turn_seconds];
        let all: f64 = seconds.iter().flatten().map(|times| times.sum).sum();
        assert!((all - summary.game_seconds.sum).abs() < 1e-9);
        assert_eq!(summary.placement_seconds.map(|times| times.count), [20; 2]);
        assert_eq!(MatchStats::default().score(), None);
    }

    /// Adds games without turns, each won by the first player or lost.
    fn stats(in_pairs: bool, won: &[bool]) -> MatchStats {
        let start = random_openings(0, 1);
        let start = start.board(OpeningNumber::of_one_game(0), [None, None]);
        let mut stats = MatchStats::new(in_pairs);
        for &won in won {
            stats.add(&MatchGame {
                played: PlayedGame {
                    start: start.unwrap(),
                    turns: Vec::new(),
                    seconds: Vec::new(),
                    winner: usize::from(!won),
                },
                setup_seconds: Vec::new(),
                seats: [0, 1],
            });
        }
        stats
    }

    #[test]
    fn games_in_pairs_have_the_interval_of_pairs() {
        // Each opening favours one seat, so every pair is split.
        let won: Vec<bool> = (0..40).map(|game| game % 2 == 0).collect();
        let score = |in_pairs, won: &[bool]| stats(in_pairs, won).score().unwrap();
        let [single, paired] = [false, true].map(|in_pairs| score(in_pairs, &won));
        assert_eq!([single.0, paired.0], [0.5; 2]);
        assert_eq!(Some(single.1), win_interval(20, 40));
        assert_eq!(
            Some(paired.1),
            score_interval(&Frequencies([0, 0, 20, 0, 0]))
        );
        // A single game at the end has no pair and does not count.
        let odd = stats(true, &won[..39]);
        assert_eq!(odd.score(), stats(true, &won[..38]).score());
        assert!(odd.leaves_out_last() && !stats(false, &won[..39]).leaves_out_last());
        // If there is no pair, it counts.
        assert_eq!(score(true, &[true]), score(false, &[true]));
        // An equal opponent loses 4 of 4 games with a probability of 6%.
        let low = score(false, &[true; 4]).1[0];
        assert!((low - 0.3976).abs() < 1e-4, "{low}");
    }
}
