//! Counts the results of a tournament, game by game.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;
use serde_json::Value;

use crate::record::{Ending, GameRecord};
use crate::rules::Card;
use crate::stats::{Duel, GameCounts, PairCounts, SprtSetting};

/// The results of all games so far. Players are numbered in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// The name of each player.
    pub names: Vec<String>,
    /// The results of each player, in the same order.
    pub players: Vec<PlayerResults>,
    /// `games[a][b]`: the games of `a` against `b`, counted for `a`.
    pub games: Vec<Vec<GameCounts>>,
    /// `pairs[a][b]`: the complete pairs of `a` against `b`, counted for `a`.
    pub pairs: Vec<Vec<PairCounts>>,
    /// The results of each card, counted for its player. Here and in the next two fields only
    /// games with a turn count.
    pub cards: BTreeMap<Card, GameCounts>,
    /// The results by the cards of the first and second player, counted for the first.
    pub card_pairs: BTreeMap<[Card; 2], GameCounts>,
    /// The results of the players who moved first.
    pub first_mover: GameCounts,
    /// The different games with a turn, by hashes of their players, start and turns.
    different: HashSet<u64>,
    /// For each pair with one known game, the points of the lower numbered player.
    half_pairs: HashMap<u64, f64>,
    seen: HashSet<u64>,
}

/// The results of one player.
#[derive(Debug, Clone, Default)]
pub struct PlayerResults {
    /// The games lost, drawn and won.
    pub games: GameCounts,
    /// The number of games by ending.
    pub endings: BTreeMap<String, WonLost>,
    /// The number of legal placements.
    pub placements: u64,
    /// Their total time, which includes starting the program.
    pub setup_seconds: f64,
    /// The number of legal turns.
    pub turns: u64,
    /// Their total time.
    pub seconds: f64,
    /// The longest time of one.
    pub worst_seconds: f64,
    /// The number of games lost because a turn came too late or never.
    pub late: u64,
}

impl PlayerResults {
    /// Whether the player has made a legal placement or turn.
    pub fn has_answered(&self) -> bool {
        self.placements + self.turns > 0
    }

    /// The mean time of a turn, in seconds; `None` without turns.
    pub fn mean_seconds(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.seconds / self.turns as f64)
    }
}

/// The number of games won and not won.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct WonLost {
    /// The number of games won.
    pub won: u64,
    /// The number of games lost or without a winner.
    pub lost: u64,
}

/// The number of games lost by each fault, from the games by ending. A game in which neither
/// player could be started counts for both.
pub fn faults(endings: &BTreeMap<String, WonLost>) -> Vec<(Ending, u64)> {
    let faults = endings.iter().filter_map(|(name, count)| {
        let ending = Ending::from_name(name).filter(|ending| ending.is_fault())?;
        (count.lost > 0).then_some((ending, count.lost))
    });
    faults.collect()
}

/// Whether there are games lost by faults and no others. For a player without a legal answer,
/// games won by a fault of the opponent do not count: the opponent only failed earlier.
pub(super) fn only_faults(endings: &BTreeMap<String, WonLost>, has_answered: bool) -> bool {
    let is_fault = |name: &str| Ending::from_name(name).is_some_and(Ending::is_fault);
    let mut others = endings
        .iter()
        .filter(|(name, count)| !is_fault(name) || has_answered && count.won > 0);
    others.next().is_none() && !faults(endings).is_empty()
}

/// Why a record cannot be counted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultsError {
    /// A record names a player that the settings lack.
    #[error("game {game}: {name:?} is not a player of this tournament")]
    UnknownPlayer {
        /// The number of the game.
        game: u64,
        /// The name in the record.
        name: String,
    },
    /// A player is its own opponent in this game.
    #[error("game {0}: both players have the same name")]
    SamePlayer(u64),
    /// Two records have this number.
    #[error("game {0} appears twice")]
    Twice(u64),
}

impl Results {
    /// Creates empty results.
    pub fn new(names: Vec<String>) -> Self {
        let count = names.len();
        Self {
            names,
            players: vec![PlayerResults::default(); count],
            games: vec![vec![GameCounts::default(); count]; count],
            pairs: vec![vec![PairCounts::default(); count]; count],
            ..Self::default()
        }
    }

    /// The number of games.
    pub fn count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// The mean time of all answers of a game, in seconds; `None` without games.
    pub fn mean_game_seconds(&self) -> Option<f64> {
        let players = self.players.iter();
        let seconds: f64 = players
            .map(|player| player.setup_seconds + player.seconds)
            .sum();
        (self.count() > 0).then(|| seconds / self.count() as f64)
    }

    /// The number of different games with a turn. [`Self::first_mover`] counts all of them.
    pub fn different_games(&self) -> u64 {
        self.different.len() as u64
    }

    /// Whether the game with this number was added.
    pub fn has(&self, game: u64) -> bool {
        self.seen.contains(&game)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it was added before, or its players are not in this tournament.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ResultsError> {
        let [a, b] = self.players_of(record)?;
        if !self.seen.insert(record.game) {
            return Err(ResultsError::Twice(record.number()));
        }
        let points = [record.points(0), record.points(1)];
        self.games[a][b].add(points[0]);
        self.games[b][a].add(points[1]);
        if !record.turns.is_empty() {
            self.add_to_seats(record, points);
            self.different.insert(hash_of(record));
        }
        for (seat, player) in [a, b].into_iter().enumerate() {
            let won = record.winner == Some(seat as u8);
            let player = &mut self.players[player];
            player.games.add(points[seat]);
            let ending = player
                .endings
                .entry(record.ending_of(seat).into())
                .or_default();
            match won {
                true => ending.won += 1,
                false => ending.lost += 1,
            }
        }
        self.add_times(record, [a, b]);
        if let Some(pair) = record.pair {
            self.add_to_pair(pair, [a, b], points);
        }
        Ok(())
    }

    fn players_of(&self, record: &GameRecord) -> Result<[usize; 2], ResultsError> {
        let number = |name: &String| {
            let found = self.names.iter().position(|known| known == name);
            found.ok_or_else(|| ResultsError::UnknownPlayer {
                game: record.number(),
                name: name.clone(),
            })
        };
        match [number(&record.players[0])?, number(&record.players[1])?] {
            [a, b] if a == b => Err(ResultsError::SamePlayer(record.number())),
            players => Ok(players),
        }
    }

    /// Adds the points of a game by seat and card.
    fn add_to_seats(&mut self, record: &GameRecord, points: [f64; 2]) {
        self.first_mover.add(points[record.player_of(0)]);
        let Some(cards) = record.cards else {
            return;
        };
        self.card_pairs.entry(cards).or_default().add(points[0]);
        for (card, points) in cards.into_iter().zip(points) {
            self.cards.entry(card).or_default().add(points);
        }
    }

    fn add_times(&mut self, record: &GameRecord, players: [usize; 2]) {
        for (seat, &seconds) in record.setup_seconds.iter().take(2).enumerate() {
            let player = &mut self.players[players[seat]];
            player.placements += 1;
            player.setup_seconds += seconds;
        }
        for (index, &seconds) in record.seconds.iter().enumerate() {
            let player = &mut self.players[players[record.player_of(index)]];
            player.turns += 1;
            player.seconds += seconds;
            player.worst_seconds = player.worst_seconds.max(seconds);
        }
        let ending = Ending::from_name(&record.ending);
        // Without a start board a placement was late.
        if matches!(ending, Some(Ending::TimeOut | Ending::Stalled))
            && record.start.is_some()
            && let Some(winner) = record.winner
        {
            self.players[players[usize::from(winner == 0)]].late += 1;
        }
    }

    fn add_to_pair(&mut self, pair: u64, [a, b]: [usize; 2], points: [f64; 2]) {
        let (low, high) = (a.min(b), a.max(b));
        let of_low = points[usize::from(a != low)];
        match self.half_pairs.remove(&pair) {
            None => {
                self.half_pairs.insert(pair, of_low);
            }
            Some(other) => {
                self.pairs[low][high].add(of_low + other);
                self.pairs[high][low].add(2.0 - of_low - other);
            }
        }
    }

    /// The difference between the first two players.
    pub fn duel(&self, sprt: Option<SprtSetting>) -> Duel {
        let names = [self.names[0].clone(), self.names[1].clone()];
        Duel::of(names, &self.games[0][1], &self.pairs[0][1], sprt)
    }

    /// `points[a][b]`: the points of `a` against `b`.
    pub fn points(&self) -> Vec<Vec<f64>> {
        let points = |counts: &GameCounts| counts.0[1] as f64 / 2.0 + counts.0[2] as f64;
        self.games
            .iter()
            .map(|row| row.iter().map(points).collect())
            .collect()
    }
}

/// A hash of what was played by whom.
fn hash_of(record: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    let start = record.start.as_ref().map(Value::to_string);
    (&record.players, start, &record.turns).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    /// A record with a turn if there is a winner, but without times.
    pub(crate) fn game(number: u64, players: [&str; 2], winner: Option<u8>) -> GameRecord {
        let ending = if winner.is_some() {
            "win"
        } else {
            "could-not-start"
        };
        let turns: &[&str] = winner.map_or(&[], |_| &["c3-c4+b4"]);
        let record = json!({"game": number, "pair": number / 2, "players": players,
            "start": null, "turns": turns, "winner": winner, "ending": ending});
        serde_json::from_value(record).unwrap()
    }

    fn results(games: &[GameRecord]) -> Results {
        let mut results = Results::new(["A", "B", "C"].map(String::from).to_vec());
        for game in games {
            results.add(game).unwrap();
        }
        results
    }

    #[test]
    fn games_and_pairs_count_for_both_sides() {
        let results = results(&[
            game(0, ["A", "B"], Some(0)),
            game(1, ["B", "A"], Some(1)),
            game(2, ["A", "B"], Some(0)),
            game(3, ["B", "A"], Some(0)),
            game(4, ["A", "B"], None),
            game(6, ["B", "C"], Some(1)),
            game(5, ["B", "A"], Some(0)),
        ]);
        assert_eq!(results.count(), 7);
        assert_eq!(results.games[0][1].0, [2, 1, 3]);
        assert_eq!(results.games[1][0].0, [3, 1, 2]);
        // 2 points, 1 point, half a point; the pair of B against C is incomplete.
        assert_eq!(results.pairs[0][1].0, [0, 1, 1, 0, 1]);
        assert_eq!(results.pairs[1][0].0, [1, 0, 1, 1, 0]);
        assert_eq!(results.pairs[1][2].count(), 0);
        assert_eq!(results.points()[0], [0.0, 3.5, 0.0]);
        assert_eq!(results.players[1].games.0, [4, 1, 2]);
        let endings = &results.players[1].endings;
        assert_eq!(endings["win"], WonLost { won: 2, lost: 4 });
        assert_eq!(endings["could-not-start"], WonLost { won: 0, lost: 1 });
        // The drawn game had no turn.
        assert_eq!(results.first_mover.0, [2, 0, 4]);
    }

    #[test]
    fn times_count_for_the_player_to_move() {
        let mut record = game(0, ["A", "B"], Some(0));
        record.setup_seconds = vec![5.0, 0.25];
        record.seconds = vec![1.0, 2.0, 3.0];
        record.start = Some(json!({"turn": 1}));
        let results = results(&[record]);
        // The second player moved first, and lost.
        assert_eq!(results.first_mover.0, [1, 0, 0]);
        let [a, b] = [&results.players[0], &results.players[1]];
        assert_eq!((a.turns, a.seconds, a.worst_seconds), (1, 2.0, 2.0));
        assert_eq!((b.turns, b.seconds, b.worst_seconds), (2, 4.0, 3.0));
        assert_eq!((a.setup_seconds, b.setup_seconds), (5.0, 0.25));
        assert_eq!(results.mean_game_seconds(), Some(11.25));
        assert_eq!(results.players[2].mean_seconds(), None);
    }

    #[test]
    fn late_turns_count_for_the_loser() {
        let late = |number, ending: &str, start: Value| {
            let mut record = game(number, ["A", "B"], Some(0));
            record.ending = ending.into();
            record.start = Some(start).filter(|start| !start.is_null());
            record
        };
        let board = json!({"turn": 0});
        let results = results(&[
            late(0, "time-out", board.clone()),
            late(1, "stalled", board.clone()),
            late(2, "crashed", board),
            late(3, "time-out", Value::Null),
        ]);
        assert_eq!([0, 1].map(|player| results.players[player].late), [0, 2]);
    }

    #[test]
    fn copies_of_a_game_count_once() {
        let played = |number, players, turn: &str| {
            let mut record = game(number, players, Some(0));
            record.turns = vec![turn.into()];
            record
        };
        let results = results(&[
            played(0, ["A", "B"], "c3-c4+b4"),
            played(1, ["B", "A"], "c3-c4+b4"),
            played(2, ["A", "B"], "c3-c4+b4"),
            played(3, ["A", "B"], "c3-c4+c3"),
        ]);
        assert_eq!(results.different_games(), 3);
        assert_eq!(results.first_mover.count(), 4);
    }

    #[test]
    fn cards_count_for_their_seat() {
        let mut record = game(0, ["A", "B"], Some(1));
        record.cards = Some([Card::Pan, Card::Atlas]);
        let mut crash = game(1, ["A", "B"], Some(0));
        crash.cards = Some([Card::Pan, Card::Atlas]);
        crash.turns.clear();
        let results = results(&[record, crash]);
        assert_eq!(results.cards[&Card::Pan].0, [1, 0, 0]);
        assert_eq!(results.cards[&Card::Atlas].0, [0, 0, 1]);
        assert_eq!(results.card_pairs.len(), 1);
        assert_eq!(results.card_pairs[&[Card::Pan, Card::Atlas]].0, [1, 0, 0]);
    }

    #[test]
    fn duplicate_games_and_unknown_players_are_refused() {
        let mut results = results(&[game(0, ["A", "B"], Some(0))]);
        assert_eq!(
            results.add(&game(0, ["A", "B"], Some(0))),
            Err(ResultsError::Twice(1))
        );
        assert!(matches!(
            results.add(&game(1, ["A", "X"], Some(0))),
            Err(ResultsError::UnknownPlayer { game: 2, .. })
        ));
        assert_eq!(
            results.add(&game(1, ["A", "A"], Some(0))),
            Err(ResultsError::SamePlayer(2))
        );
        assert_eq!(results.count(), 1);
    }
}
