//! Ends a match when a player fails in most of its games, and explains why.

use std::collections::HashMap;
use std::fmt;

use super::results::{Results, only_faults};
use crate::program::Evidence;
use crate::record::{Ending, GameRecord};

/// The minimum number of games lost by faults in one run for a player to end the match.
const FAULTS_TO_END: u64 = 10;

/// The minimum ratio of these games to the player's games that ended on the board.
const FAULTS_A_GAME: u64 = 3;

/// A player that could not be started, or lost its games by faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingPlayer {
    /// The name of the player.
    pub player: String,
    /// The number of games lost by faults in this run.
    pub faults: u64,
    /// The games that ended on the board.
    pub played: u64,
    /// The number of the last game lost by a fault, from 1.
    pub game: u64,
    /// The fault in that game, for a message.
    pub why: String,
    /// The evidence of that fault.
    pub evidence: Evidence,
}

impl FailingPlayer {
    fn new(player: &str, [faults, played]: [u64; 2], record: &GameRecord) -> Self {
        let why = record.why.as_deref().unwrap_or(&record.ending);
        Self {
            player: player.to_string(),
            faults,
            played,
            game: record.number(),
            why: why.strip_prefix("Error: ").unwrap_or(why).to_string(),
            evidence: Evidence::of(record).unwrap_or_default(),
        }
    }
}

impl fmt::Display for FailingPlayer {
    /// The fault and its evidence, in lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (player, faults) = (&self.player, self.faults);
        let games = faults + self.played;
        match faults {
            1 => write!(f, "{player} failed in a game. ")?,
            _ => write!(f, "{player} lost {faults} of {games} games by faults. ")?,
        }
        write!(f, "Game {}: {}", self.game, self.why)?;
        f.write_str(&self.evidence.short_text())
    }
}

/// Watches the games of one run for failing players.
#[derive(Debug, Default)]
pub(super) struct FaultWatch {
    /// For each player, the games lost by faults and the games that ended on the board. A
    /// game that the opponent lost by a fault does not count.
    counts: HashMap<String, [u64; 2]>,
    /// The last fault of each player.
    last: HashMap<String, GameRecord>,
}

impl FaultWatch {
    /// Adds a finished game. Returns the player whose faults end the match, if any.
    pub(super) fn add(&mut self, record: &GameRecord) -> Option<FailingPlayer> {
        let ending = Ending::from_name(&record.ending);
        let is_fault = ending.is_some_and(Ending::is_fault);
        for player in counted_players(record, is_fault) {
            let counts = self.counts.entry(player.clone()).or_default();
            counts[usize::from(!is_fault)] += 1;
            let [faults, played] = *counts;
            if !is_fault {
                continue;
            }
            self.last.insert(player.clone(), record.clone());
            let is_failing = faults >= FAULTS_TO_END && faults >= FAULTS_A_GAME * played;
            if is_failing || ending == Some(Ending::CouldNotStart) {
                return Some(FailingPlayer::new(player, *counts, record));
            }
        }
        None
    }

    /// A player with only faults in `results`, some of them in this run.
    pub(super) fn only_failing(&self, results: &Results) -> Option<FailingPlayer> {
        let players = results.names.iter().zip(&results.players);
        players
            .filter(|(_, games)| only_faults(&games.endings, games.has_answered()))
            .find_map(|(name, _)| {
                let record = self.last.get(name)?;
                Some(FailingPlayer::new(name, self.counts[name], record))
            })
    }
}

/// The players that a game counts for: its loser by a fault (both, if neither could be
/// started), otherwise both.
fn counted_players(record: &GameRecord, is_fault: bool) -> &[String] {
    match record.winner.map(usize::from) {
        Some(0) if is_fault => &record.players[1..],
        Some(_) if is_fault => &record.players[..1],
        _ => &record.players,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tournament::results::tests::game;

    /// A game between `bad` and `good` that `bad` lost with this ending.
    fn ended(number: u64, ending: &str) -> GameRecord {
        let mut record = game(number, ["bad", "good"], Some(1));
        record.ending = ending.into();
        record.why = Some(format!("Error: bad {ending}"));
        let evidence = json!({"stderr": "Traceback\nValueError: no\n"});
        record.more.insert("evidence".into(), evidence);
        record
    }

    /// The number of games, with the endings in turn, until the match ends; at most 400.
    fn ends_after(endings: &[&str]) -> Option<(u64, FailingPlayer)> {
        let mut watch = FaultWatch::default();
        (0..400).find_map(|number| {
            let ending = endings[number as usize % endings.len()];
            Some((number + 1, watch.add(&ended(number, ending))?))
        })
    }

    #[test]
    fn ten_games_lost_by_faults_end_a_match() {
        let (games, failing) = ends_after(&["crashed", "time-out"]).unwrap();
        assert_eq!((games, failing.faults, failing.played), (10, 10, 0));
        assert_eq!(
            failing.to_string(),
            "bad lost 10 of 10 games by faults. Game 10: bad time-out\
             \n  it was asked     nothing yet\n  it wrote         nothing\
             \n  standard error   Traceback\n  standard error   ValueError: no"
        );
    }

    #[test]
    fn a_player_that_cannot_start_ends_the_match_at_once() {
        let (games, failing) = ends_after(&["win", "could-not-start"]).unwrap();
        assert_eq!((games, failing.faults, failing.played), (2, 1, 1));
        let text = failing.to_string();
        assert!(text.starts_with("bad failed in a game. Game 2: bad could-not-start\n"));
    }

    #[test]
    fn a_few_completed_games_do_not_hide_faults() {
        let (games, _) = ends_after(&["win", "crashed", "crashed", "crashed", "crashed"]).unwrap();
        assert_eq!(games, 13);
        // Losing every second game by a fault is an ordinary result.
        assert_eq!(ends_after(&["crashed", "win"]), None);
    }

    #[test]
    fn faults_of_the_opponent_do_not_count() {
        let mut watch = FaultWatch::default();
        for number in 0..9 {
            assert_eq!(watch.add(&ended(number, "crashed")), None);
        }
        let mut of_good = ended(9, "crashed");
        of_good.winner = Some(0);
        assert_eq!(watch.add(&of_good), None);
        assert_eq!(watch.add(&ended(10, "crashed")).unwrap().faults, 10);
    }

    #[test]
    fn a_short_match_of_faults_only_is_noticed() {
        let names = ["bad", "good"].map(String::from).to_vec();
        let only = |endings: &[&str]| {
            let (mut watch, mut results) = (FaultWatch::default(), Results::new(names.clone()));
            for (number, ending) in (0..).zip(endings) {
                let record = ended(number, ending);
                assert_eq!(watch.add(&record), None);
                results.add(&record).unwrap();
            }
            watch.only_failing(&results)
        };
        assert_eq!(only(&["crashed", "stalled"]).unwrap().player, "bad");
        assert_eq!(only(&["crashed", "win"]), None);
        assert_eq!(only(&[]), None);
    }
}
