//! The summary of a tournament: all numbers of its tables, report and JSON, computed
//! once.

use std::collections::BTreeMap;

use serde::Serialize;

use super::results::{Results, WonLost, only_faults};
use super::settings::Settings;
use crate::record::Ending;
use crate::rules::Card;
use crate::stats::{Duel, Frequencies, Ratings, win_interval};

/// The outcome of a tournament. Infinite numbers are `null` in JSON.
#[derive(Debug, Clone, Serialize)]
pub struct TournamentSummary {
    /// The number of games played.
    pub games: u64,
    /// The number of games in the schedule, or in this shard of it.
    pub scheduled: u64,
    /// Best first.
    pub players: Vec<PlayerSummary>,
    /// `cross[i][j]`: the number of games that the player in place `i` lost, drew and won
    /// against the player in place `j`.
    pub cross: Vec<Vec<[u64; 3]>>,
    /// The number of games with a turn.
    #[serde(skip)]
    pub with_turn: u64,
    /// How many of them are different.
    #[serde(skip)]
    pub different: u64,
    /// The score of the players who moved first, from 0 to 1.
    pub first_mover_score: Option<f64>,
    /// The score of each card, if cards were played.
    pub cards: BTreeMap<String, CardSummary>,
    /// The score of the first player, by the cards of both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub card_pairs: Vec<CardPairSummary>,
    /// For two players: the difference between them.
    #[serde(rename = "match")]
    pub duel: Option<Duel>,
}

/// The results of one player.
#[derive(Debug, Clone, Serialize)]
pub struct PlayerSummary {
    /// From 1; players with the same score share a rank.
    pub rank: usize,
    /// The name of the player.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// The number of games played.
    pub games: u64,
    /// The number of games won.
    pub won: u64,
    /// The number of games without a winner.
    pub drawn: u64,
    /// The number of games lost.
    pub lost: u64,
    /// One for a win, a half for a drawn game.
    pub points: f64,
    /// The share of the possible points; `None` without games.
    pub score: Option<f64>,
    /// The Elo rating; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of its 95% confidence interval.
    pub error: f64,
    /// The likelihood that it is stronger than the player in the next place (LOS).
    pub stronger_than_next: Option<f64>,
    /// The mean time of a turn, in seconds.
    pub mean_seconds: Option<f64>,
    /// The longest time of a turn, in seconds; at least the time limit if one was late.
    pub worst_seconds: Option<f64>,
    /// Whether a turn took longer than that: it came too late or never.
    #[serde(skip)]
    pub was_late: bool,
    /// Whether the player has made a legal placement or turn.
    #[serde(skip)]
    pub has_answered: bool,
    /// The number of games by ending.
    pub endings: BTreeMap<String, WonLost>,
}

impl PlayerSummary {
    /// Whether the player lost all its games by faults, or some without one legal answer.
    pub fn only_faults(&self) -> bool {
        only_faults(&self.endings, self.has_answered)
    }
}

/// The results of a card.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CardSummary {
    pub games: u64,
    pub score: f64,
}

/// The first player's results with one card against another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CardPairSummary {
    /// The cards of the first and the second player.
    pub cards: [Card; 2],
    pub games: u64,
    /// The games that the first player lost, drew and won.
    #[serde(skip)]
    pub counts: [u64; 3],
    pub score: f64,
    /// The 95% confidence interval of the winning probability.
    pub low: f64,
    pub high: f64,
}

impl TournamentSummary {
    /// Summarizes the results of a tournament.
    pub fn of(settings: &Settings, results: &Results) -> Self {
        let places = places(results);
        let cross = places.iter().map(|&a| {
            let row = places.iter().map(|&b| results.games[a][b].0);
            row.collect()
        });
        let command = |number: usize| settings.players[number].command.clone();
        let mut players = Self::players_of(results, command);
        for player in players.iter_mut().filter(|player| player.was_late) {
            let limit = settings.time + settings.grace;
            player.worst_seconds = Some(player.worst_seconds.unwrap_or(0.0).max(limit));
        }
        Self {
            games: results.count(),
            scheduled: settings.games(),
            players,
            cross: cross.collect(),
            with_turn: results.first_mover.count(),
            different: results.different_games(),
            first_mover_score: results.first_mover.score(),
            cards: card_summaries(results),
            card_pairs: card_pair_summaries(results),
            duel: (results.names.len() == 2).then(|| results.duel(settings.sprt)),
        }
    }

    /// The players, best first. `command` gives the command of a player by its number.
    pub fn players_of(results: &Results, command: impl Fn(usize) -> String) -> Vec<PlayerSummary> {
        let ratings = Ratings::of(&results.points());
        let places = places(results);
        let players = places.iter().enumerate().map(|(place, &player)| {
            let next = places.get(place + 1);
            let stronger = next.and_then(|&next| ratings.likelihood_of_superiority(player, next));
            player_summary(command(player), results, &ratings, player, stronger)
        });
        let mut players: Vec<PlayerSummary> = players.collect();
        for place in 0..players.len() {
            let score = players[place].score;
            players[place].rank = 1 + players.partition_point(|other| other.score > score);
        }
        players
    }

    /// The difference between two players; `None` if one of them has only faults, because that
    /// says nothing about strength.
    pub fn fair_duel(&self) -> Option<&Duel> {
        let fails = self.players.iter().any(PlayerSummary::only_faults);
        self.duel.as_ref().filter(|_| !fails)
    }

    /// The endings of the games, in the order of [`Ending::ALL`]; unknown names come
    /// last.
    pub fn endings(&self) -> Vec<&str> {
        let players = self.players.iter();
        let mut names: Vec<&str> = players
            .flat_map(|player| player.endings.keys().map(String::as_str))
            .collect();
        names.sort_by_key(|name| {
            let ending = Ending::from_name(name);
            (ending.is_none(), ending, *name)
        });
        names.dedup();
        names
    }
}

/// The players by number, best first. Equal players stay in the order they were named.
fn places(results: &Results) -> Vec<usize> {
    let score = |player: usize| results.players[player].games.score().unwrap_or(-1.0);
    let mut places: Vec<usize> = (0..results.names.len()).collect();
    places.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
    places
}

fn player_summary(
    command: String,
    results: &Results,
    ratings: &Ratings,
    number: usize,
    stronger_than_next: Option<f64>,
) -> PlayerSummary {
    let player = &results.players[number];
    let Frequencies([lost, drawn, won]) = player.games;
    PlayerSummary {
        rank: 0,
        name: results.names[number].clone(),
        command,
        games: player.games.count(),
        won,
        drawn,
        lost,
        points: won as f64 + drawn as f64 / 2.0,
        score: player.games.score(),
        elo: ratings.players()[number].elo,
        error: ratings.players()[number].error,
        stronger_than_next,
        mean_seconds: player.mean_seconds(),
        worst_seconds: player.mean_seconds().map(|_| player.worst_seconds),
        was_late: player.late > 0,
        has_answered: player.has_answered(),
        endings: player.endings.clone(),
    }
}

fn card_summaries(results: &Results) -> BTreeMap<String, CardSummary> {
    let cards = results.cards.iter().filter_map(|(card, counts)| {
        let score = counts.score()?;
        let games = counts.count();
        Some((card.name().to_string(), CardSummary { games, score }))
    });
    cards.collect()
}

fn card_pair_summaries(results: &Results) -> Vec<CardPairSummary> {
    let pairs = results.card_pairs.iter().filter_map(|(&cards, counts)| {
        let [lost, _, won] = counts.0;
        let [low, high] = win_interval(won, won + lost)?;
        Some(CardPairSummary {
            cards,
            games: counts.count(),
            counts: counts.0,
            score: counts.score()?,
            low,
            high,
        })
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::results::tests::game;
    use crate::tournament::settings::tests::settings;

    fn summary(names: &[&str], games: &[crate::record::GameRecord]) -> TournamentSummary {
        let settings = settings(names);
        let mut results = Results::new(settings.names());
        for game in games {
            results.add(game).unwrap();
        }
        TournamentSummary::of(&settings, &results)
    }

    #[test]
    fn players_are_sorted_by_score() {
        let summary = summary(
            &["A", "B", "C"],
            &[
                game(0, ["A", "B"], Some(1)),
                game(1, ["B", "A"], Some(0)),
                game(2, ["A", "C"], Some(0)),
                game(3, ["C", "A"], Some(0)),
                game(4, ["B", "C"], Some(0)),
                game(5, ["C", "B"], None),
            ],
        );
        let names: Vec<&str> = summary.players.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["B", "C", "A"]);
        assert_eq!(summary.players[0].points, 3.5);
        let ranks: Vec<usize> = summary.players.iter().map(|player| player.rank).collect();
        assert_eq!(ranks, [1, 2, 3]);
        assert_eq!(summary.cross[0][2], [0, 0, 2]);
        assert_eq!(summary.cross[1][0], [1, 1, 0]);
        assert_eq!((summary.games, summary.scheduled), (6, 12));
        assert!(summary.players[0].elo > summary.players[1].elo);
        assert!(summary.players[0].stronger_than_next.unwrap() > 0.5);
        assert_eq!(summary.players[2].stronger_than_next, None);
        assert!(summary.duel.is_none());
        assert_eq!(
            summary.players[1].endings["win"],
            WonLost { won: 1, lost: 2 }
        );
    }

    #[test]
    fn two_players_are_compared_by_pairs() {
        let games: Vec<_> = (0..20)
            .map(|n| {
                let players = if n % 2 == 0 { ["A", "B"] } else { ["B", "A"] };
                // The first seat wins, except in the last three pairs.
                game(n, players, Some(u8::from(n >= 14 && n % 2 == 1)))
            })
            .collect();
        let all = summary(&["A", "B"], &games).duel.unwrap();
        assert_eq!((all.games, all.pairs), ([7, 0, 13], [0, 0, 7, 0, 3]));
        let score = (7.0 * 0.5 + 3.0) / 10.0;
        assert!((all.elo.unwrap() - crate::stats::elo_of_score(score)).abs() < 1e-9);
        // A game without its pair is ignored.
        let odd = summary(&["A", "B"], &games[..19]).duel.unwrap();
        let even = summary(&["A", "B"], &games[..18]).duel.unwrap();
        assert_eq!((odd.elo, odd.high, odd.alone), (even.elo, even.high, 1));
    }

    #[test]
    fn a_late_turn_took_longer_than_the_limit() {
        let mut late = game(0, ["A", "B"], Some(0));
        late.ending = "time-out".into();
        late.start = Some(serde_json::json!({"turn": 0}));
        late.seconds = vec![0.25, 0.5];
        let summary = summary(&["A", "B"], &[late]);
        let worst = summary.players.iter().map(|player| player.worst_seconds);
        assert_eq!(worst.collect::<Vec<_>>(), [Some(0.25), Some(1.1)]);
        let table = crate::tournament::tables::standings(&summary).text();
        let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
        assert!(lines[1].ends_with(" 250"), "{table}");
        assert!(lines[2].ends_with(" over 1100"), "{table}");
    }

    #[test]
    fn a_summary_without_games_has_no_ratings() {
        let empty = summary(&["A", "B"], &[]);
        assert_eq!(empty.players[1].rank, 1, "a tie");
        assert_eq!(empty.players[0].score, None);
        assert_eq!(empty.duel.as_ref().unwrap().elo, None);
        assert_eq!(
            serde_json::to_value(&empty).unwrap()["players"][0]["error"],
            serde_json::Value::Null
        );
    }
}
