//! Chooses the next opponent of a program: one of about its estimated strength, because
//! such games are the most informative.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::ladder::LADDER;
use super::rating::ProgramRating;
use crate::openings::OpeningNumber;
use crate::stats::score_of_elo;
use crate::tournament::{Results, ScheduledGame};

/// When to stop playing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopRule {
    /// The maximum number of games. They are played in pairs.
    pub games: u64,
    /// Stop when the error of the rating is at most this.
    pub error: f64,
    /// The deadline. A game that would probably run past it is not started.
    pub until: Option<Instant>,
}

/// The minimum number of games before the error counts: the first ones only locate the
/// program on the ladder.
const LEAST_GAMES: u64 = 20;

/// Opponents whose games have at least this share of the best opponent's information take
/// turns, so that the rating does not depend on a single one.
const NEARLY_BEST: f64 = 0.7;

/// Chooses the games of a program, which is player 0, against the ladder, which is
/// players 1 and up.
pub struct Chooser {
    stop_rule: StopRule,
    /// The number of pairs started against each opponent.
    pairs: Vec<u64>,
    next_pair: u64,
    /// The remaining games of started pairs.
    open: Vec<ScheduledGame>,
}

impl Chooser {
    /// Creates a chooser that continues after `played` games, each given by its number
    /// and its opponent, from 1.
    pub fn new(stop_rule: StopRule, played: &[(u64, usize)]) -> Self {
        let mut this = Self {
            stop_rule,
            pairs: vec![0; LADDER.len()],
            next_pair: 0,
            open: Vec::new(),
        };
        let numbers: HashSet<u64> = played.iter().map(|&(game, _)| game).collect();
        let is_played = |number: u64| numbers.contains(&number);
        for &(number, opponent) in played {
            let pair = number / 2;
            this.next_pair = this.next_pair.max(pair + 1);
            if is_played(number ^ 1) && number % 2 == 1 {
                continue;
            }
            this.pairs[opponent - 1] += 1;
            let whole = games_of(pair, opponent).into_iter();
            this.open.extend(whole.filter(|game| !is_played(game.game)));
        }
        this
    }

    /// Whether the games played are enough.
    fn is_over(&self, results: &Results) -> bool {
        let begun = 2 * self.pairs.iter().sum::<u64>();
        let rating = ProgramRating::of(results);
        begun + 2 > self.stop_rule.games
            || results.count() >= LEAST_GAMES && rating.estimate.error() <= self.stop_rule.error
    }

    /// Whether another game of average length would end too late.
    fn is_time_over(&self, results: &Results) -> bool {
        let game = results.mean_game_seconds().map(Duration::from_secs_f64);
        let end = Instant::now() + game.unwrap_or_default();
        self.stop_rule.until.is_some_and(|until| end > until)
    }

    /// The best opponent among those with informative games: the least played one.
    fn opponent(&self, results: &Results) -> usize {
        let elo = ProgramRating::of(results).estimate.elo;
        // The Fisher information of a game about the rating.
        let information = |rung: usize| {
            let share = score_of_elo(elo - LADDER[rung].elo);
            share * (1.0 - share)
        };
        let most = (0..LADDER.len()).map(information).fold(0.0, f64::max);
        let near = (0..LADDER.len()).filter(|&rung| information(rung) >= NEARLY_BEST * most);
        let rung = near.min_by(|&a, &b| {
            let by_pairs = self.pairs[a].cmp(&self.pairs[b]);
            by_pairs.then(information(b).total_cmp(&information(a)))
        });
        rung.unwrap_or(0) + 1
    }

    /// The next game; `None` if the games played are enough.
    pub fn next_game(&mut self, results: &Results) -> Option<ScheduledGame> {
        if self.is_time_over(results) {
            return None;
        }
        if let Some(game) = self.open.pop() {
            return Some(game);
        }
        if self.is_over(results) {
            return None;
        }
        let opponent = self.opponent(results);
        let [first, second] = games_of(self.next_pair, opponent);
        self.next_pair += 1;
        self.pairs[opponent - 1] += 1;
        self.open.push(second);
        Some(first)
    }
}

/// Both games of a pair: one opening from both seats.
fn games_of(pair: u64, opponent: usize) -> [ScheduledGame; 2] {
    let opening = OpeningNumber::of_one_game(pair);
    ScheduledGame::pair(pair, [0, opponent], [None, None], opening)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::seeds::seeded;
    use crate::tournament::results::tests::game;

    const ENOUGH: StopRule = StopRule {
        games: 1000,
        error: 60.0,
        until: None,
    };

    fn results() -> Results {
        let ladder = LADDER.iter().map(|rung| rung.agent.to_string());
        Results::new([String::from("mine")].into_iter().chain(ladder).collect())
    }

    /// Simulates the games of a program of this strength, and rates it.
    fn rated(elo: f64, seed: u64) -> (Vec<ScheduledGame>, ProgramRating) {
        let mut rng = seeded(seed);
        let mut results = results();
        let mut chooser = Chooser::new(ENOUGH, &[]);
        let mut games = Vec::new();
        while let Some(next) = chooser.next_game(&results) {
            let opponent = next.players[0].max(next.players[1]);
            let wins = rng.random_bool(score_of_elo(elo - LADDER[opponent - 1].elo));
            let names = next.players.map(|player| results.names[player].clone());
            let winner = u8::from(wins != (next.players[0] == 0));
            let record = game(
                next.game,
                names.each_ref().map(String::as_str),
                Some(winner),
            );
            results.add(&record).unwrap();
            games.push(next);
        }
        (games, ProgramRating::of(&results))
    }

    #[test]
    fn the_rating_of_a_program_is_found() {
        let mut inside = 0;
        for seed in 0..30 {
            let elo = 100.0 * seed as f64;
            let (games, rating) = rated(elo, seed);
            assert!(games.len() < 300, "{} games at {elo}", games.len());
            assert!(rating.estimate.error() <= 61.0);
            inside += u32::from((rating.estimate.low..=rating.estimate.high).contains(&elo));
        }
        // Fewer than 25 of 30 intervals of 95% contain it with a probability of 1 in 600.
        assert!(inside >= 25, "{inside} of 30");
    }

    #[test]
    fn most_games_are_pairs_against_near_opponents() {
        let (games, _) = rated(LADDER[5].elo, 1);
        let near = |game: &&ScheduledGame| {
            let opponent = game.players[0].max(game.players[1]) - 1;
            (LADDER[opponent].elo - LADDER[5].elo).abs() < 450.0
        };
        let late = &games[10..];
        assert!(late.iter().filter(near).count() * 10 > late.len() * 9);
        for pair in games.chunks(2) {
            assert_eq!(
                (pair[0].pair, pair[0].opening),
                (pair[1].pair, pair[1].opening)
            );
            assert_eq!(pair[0].players, [pair[1].players[1], pair[1].players[0]]);
        }
    }

    #[test]
    fn games_already_played_are_continued() {
        let mut results = results();
        // Half of the pairs 0 and 2 was played.
        let played = [(0, 3), (2, 4), (3, 4), (5, 1)];
        for (number, opponent) in played {
            let players = if number % 2 == 0 {
                [0, opponent]
            } else {
                [opponent, 0]
            };
            let names = players.map(|player| results.names[player].clone());
            let record = game(number, names.each_ref().map(String::as_str), Some(0));
            results.add(&record).unwrap();
        }
        let mut chooser = Chooser::new(ENOUGH, &played);
        let mut next = || chooser.next_game(&results).unwrap();
        let mut halves = [next(), next()].map(|game| (game.game, game.players));
        halves.sort_unstable();
        assert_eq!(halves, [(1, [3, 0]), (4, [0, 1])]);
        assert_eq!(next().game, 6);
    }

    #[test]
    fn the_maximum_number_of_games_is_kept() {
        for (most, played) in [(2, 2), (3, 2), (4, 4), (5, 4)] {
            let stop_rule = StopRule {
                games: most,
                ..ENOUGH
            };
            let mut chooser = Chooser::new(stop_rule, &[]);
            let results = results();
            let games = std::iter::from_fn(|| chooser.next_game(&results));
            assert_eq!(games.count(), played, "{most}");
        }
    }

    #[test]
    fn no_game_starts_when_the_time_is_over() {
        let stop_rule = StopRule {
            until: Some(Instant::now()),
            ..ENOUGH
        };
        assert_eq!(Chooser::new(stop_rule, &[]).next_game(&results()), None);
    }

    #[test]
    fn no_game_starts_that_would_last_too_long() {
        let next = |seconds: f64, minutes: u64| {
            let mut results = results();
            let names = results.names.clone();
            let mut record = game(0, [&names[0], &names[4]], Some(0));
            record.seconds = vec![seconds; 30];
            results.add(&record).unwrap();
            let until = Instant::now() + Duration::from_secs(60 * minutes);
            let stop_rule = StopRule {
                until: Some(until),
                ..ENOUGH
            };
            // The other game of the pair is pending.
            let game = Chooser::new(stop_rule, &[(0, 4)]).next_game(&results);
            game.map(|game| game.game)
        };
        assert_eq!(next(1.0, 10), Some(1));
        assert_eq!(next(30.0, 10), None);
    }
}
