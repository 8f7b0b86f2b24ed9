//! The record of one game: one JSON object on one line, used by everything that plays,
//! draws or learns from games.
//!
//! | key | value |
//! |---|---|
//! | `game` | the number of the game in its file, from 0; messages count from 1 |
//! | `players` | both players' names; the first plays the boards with an even `turn` |
//! | `cards` | both players' cards in the same order; absent in the base game |
//! | `start` | the board after both placements; `null` if the game ended before |
//! | `turns` | the turns in notation (`c3-c4+b4`) |
//! | `seconds` | the time of each turn |
//! | `setup_seconds` | the time of each placement by a player |
//! | `winner` | 0, 1 (an index into `players`) or `null` |
//! | `ending` | how the game ended: a name from `ending.rs` |
//! | `endings` | of the server: how each player forfeited, if both did in different ways |
//! | `why` | one line on the fault that ended the game; otherwise absent |
//! | `pair` | the same number for the two games of a pair; absent without pairs |
//!
//! Other keys are kept as they are.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::ending::Ending;
use crate::protocol::excerpt;
use crate::protocol::exchange::{ExchangeError, board_size, read_board};
use crate::rules::{Card, Geometry, Position, Turn, TurnTextError};

/// The key of the endings of both players.
pub const ENDINGS_KEY: &str = "endings";

/// The maximum number of turns, on the largest board.
const MOST_TURNS: usize = Geometry::<6>::MOST_TURNS;

/// The maximum time of a turn in seconds, about thirty years. It keeps sums of times
/// finite.
const MOST_SECONDS: f64 = 1e9;

/// One game as stored in a file. See the head of this file for the keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Counted from 0; messages show [`GameRecord::number`].
    pub game: u64,
    /// The names of the first and the second player.
    pub players: [String; 2],
    /// Their cards; `None` in the base game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<[Card; 2]>,
    /// The board after both placements, as JSON; `None` if the game ended earlier.
    pub start: Option<Value>,
    /// The turns in order, such as `c2-d3+c4`.
    pub turns: Vec<String>,
    /// The time of each turn, in seconds.
    #[serde(default, serialize_with = "in_microseconds")]
    pub seconds: Vec<f64>,
    /// The time of each placement, in seconds.
    #[serde(
        default,
        serialize_with = "in_microseconds",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub setup_seconds: Vec<f64>,
    /// The index of the winner in `players`; `None` without a winner.
    pub winner: Option<u8>,
    /// How the game ended: the text of an [`Ending`](super::Ending).
    pub ending: String,
    /// The details of a game lost by a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The number of the pair; its two games share it. `None` without pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<u64>,
    /// Keys that only some programs write.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Why a JSON value is not a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A key is missing, or has a value of another type.
    #[error(transparent)]
    Form(#[from] serde_json::Error),
    /// A time is negative, too long or not a number.
    #[error("a turn took {0} seconds; use a number from 0 to {MOST_SECONDS}")]
    Seconds(f64),
    /// The winner is not the index of a player.
    #[error("winner is {0}; use 0, 1 or null")]
    Winner(u8),
}

/// A recorded game, replayed by the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay<const N: usize> {
    /// The board after placement, then the board after each turn.
    pub positions: Vec<Position<N>>,
    /// `turns[i]` leads from `positions[i]` to `positions[i + 1]`.
    pub turns: Vec<Turn>,
}

/// Why a record cannot be replayed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The record has no start board.
    #[error("the game ended before both players had placed their workers")]
    NoStart,
    /// The start is not a valid board.
    #[error("the start: {0}")]
    Start(#[from] ExchangeError),
    /// A turn, counted from 0, cannot be played.
    #[error("turn {0}: {1}")]
    Turn(usize, TurnTextError),
    /// Turns follow after the end of the game.
    #[error("turn {number}: {turn} is not legal on the board {board}: the game is over")]
    Over {
        /// The number of the first such turn, from 0.
        number: usize,
        /// Its text.
        turn: String,
        /// The final board, as text.
        board: String,
    },
    /// The record has more turns than any game can have.
    #[error("{0} turns; a game has no more than {MOST_TURNS}")]
    TooLong(usize),
    /// The recorded ending is not the name of an [`Ending`].
    #[error(
        "the ending {0} is unknown; use a name such as \"win\", \"no-turn-left\" or \"crashed\""
    )]
    UnknownEnding(String),
    /// The recorded ending does not follow from the turns.
    #[error("the ending {0:?} contradicts the turns or the winner")]
    Ending(String),
    /// The recorded cards are not the cards of the start board.
    #[error("the cards are not the cards of the start board")]
    Cards,
}

impl GameRecord {
    /// The record in a JSON value. Does not check the turns.
    ///
    /// # Errors
    /// If the value is not a record.
    pub fn from_value(value: Value) -> Result<Self, RecordError> {
        let record: Self = serde_json::from_value(value)?;
        let mut seconds = record.seconds.iter().chain(&record.setup_seconds);
        if let Some(&seconds) = seconds.find(|it| !(0.0..=MOST_SECONDS).contains(*it)) {
            return Err(RecordError::Seconds(seconds));
        }
        match record.winner {
            None | Some(0 | 1) => Ok(record),
            Some(winner) => Err(RecordError::Winner(winner)),
        }
    }

    /// The number of the game for messages, from 1.
    pub const fn number(&self) -> u64 {
        self.game.saturating_add(1)
    }

    /// The number of rows of the game's board; `None` without a start.
    pub fn size(&self) -> Option<usize> {
        board_size(self.start.as_ref()?)
    }

    /// The turn number of the start board; 0 without a start.
    pub fn first_turn(&self) -> u64 {
        let turn = self.start.as_ref().and_then(|start| start["turn"].as_u64());
        turn.unwrap_or(0)
    }

    /// The seat, 0 or 1, of the player with this name.
    pub fn seat_of(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player == name)
    }

    /// The player, 0 or 1, of the turn with this index in `turns`.
    pub fn player_of(&self, index: usize) -> usize {
        ((self.first_turn() % 2 + index as u64) % 2) as usize
    }

    /// Replays the game, checking each turn by the rules.
    ///
    /// # Errors
    /// If there is no start, or a turn cannot be read or is illegal.
    pub fn replay<const N: usize>(&self) -> Result<Replay<N>, ReplayError> {
        if self.turns.len() > MOST_TURNS {
            return Err(ReplayError::TooLong(self.turns.len()));
        }
        let start = self.start.as_ref().ok_or(ReplayError::NoStart)?;
        let mut position = read_board::<N>(start)?;
        let mut replay = Replay {
            positions: vec![position],
            turns: Vec::with_capacity(self.turns.len()),
        };
        let mut won = position.shows_win();
        for (number, text) in self.turns.iter().enumerate() {
            if won {
                return Err(ReplayError::Over {
                    number,
                    turn: text.clone(),
                    board: position.to_string(),
                });
            }
            let turn = position.read_turn(text);
            let turn = turn.map_err(|error| ReplayError::Turn(number, error))?;
            position = position.play(turn);
            won = turn.wins();
            replay.positions.push(position);
            replay.turns.push(turn);
        }
        Ok(replay)
    }

    /// Checks that the turns are legal, the ending and the winner follow from them, and the
    /// cards are the cards of the start board.
    ///
    /// # Errors
    /// If a turn is illegal, or the record contradicts itself.
    pub fn check(&self) -> Result<(), ReplayError> {
        let unknown = || ReplayError::UnknownEnding(excerpt(&json!(self.ending)));
        let ending = Ending::from_name(&self.ending).ok_or_else(unknown)?;
        let is_right = match (&self.start, self.size()) {
            // The game ended before both players had placed their workers.
            (None, _) if self.turns.is_empty() => ending.is_off_board() && self.fits_winner(ending),
            (_, Some(6)) => self.ends_by::<6>(ending)?,
            _ => self.ends_by::<5>(ending)?,
        };
        match is_right {
            true => Ok(()),
            false => Err(ReplayError::Ending(self.ending.clone())),
        }
    }

    /// Whether the replayed game can have this ending and the recorded winner.
    fn ends_by<const N: usize>(&self, ending: Ending) -> Result<bool, ReplayError> {
        let Replay { positions, turns } = self.replay::<N>()?;
        let (start, last) = (&positions[0], &positions[turns.len()]);
        if start.first_cards() != self.cards.map_or([None; 2], |cards| cards.map(Some)) {
            return Err(ReplayError::Cards);
        }
        let is_won = turns.last().is_some_and(|turn| turn.wins());
        // The last turn was made by the player who is not to move.
        let by_last = self.winner == Some(1 - self.player_of(turns.len()) as u8);
        Ok(match ending {
            Ending::Win => is_won && by_last,
            Ending::NoTurnLeft => !is_won && !last.has_turn() && by_last,
            _ => !is_won && self.fits_winner(ending),
        })
    }

    /// Whether an ending off the board fits the recorded winner, or that there is none.
    const fn fits_winner(&self, ending: Ending) -> bool {
        match self.winner {
            Some(_) => ending.is_fault(),
            None => ending.may_lack_winner(),
        }
    }

    /// How the game ended for the player with this index.
    pub fn ending_of(&self, player: usize) -> &str {
        let endings = self.more.get(ENDINGS_KEY);
        let own = endings.and_then(|endings| endings.get(player)?.as_str());
        let known = own.filter(|name| Ending::from_name(name).is_some());
        known.unwrap_or(&self.ending)
    }

    /// The points of the player with this index: 1 for a win, 0.5 without a winner.
    pub fn points(&self, player: usize) -> f64 {
        match self.winner {
            Some(winner) if usize::from(winner) == player => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }
}

/// A time rounded to microseconds, the precision of records.
pub fn to_microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

fn in_microseconds<S: Serializer>(seconds: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(seconds.iter().map(|&seconds| to_microseconds(seconds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short game in which the first player climbs and wins.
    pub(super) fn short_game() -> GameRecord {
        let record = json!({
            "game": 3, "players": ["A", "B \"quoted\""],
            "start": {"players": [[[1, 1], [1, 3]], [[5, 1], [5, 5]]],
                      "spaces": [[0, 3, 0, 0, 0], [2, 0, 0, 0, 0], [0, 0, 0, 0, 0],
                                 [0, 0, 0, 0, 0], [1, 0, 0, 0, 0]],
                      "turn": 0},
            "turns": ["c1-d1+e1", "a5-a4+a5", "d1-c1+b1"],
            "seconds": [0.25, 0.1234567, 0.5],
            "winner": 0, "ending": "win", "nodes": [1, 2, 3],
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn a_record_reads_back_and_keeps_further_keys() {
        let mut record = short_game();
        let line = serde_json::to_string(&record).unwrap();
        assert!(!line.contains('\n'));
        record.seconds[1] = 0.123457;
        assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
        assert_eq!(record.more["nodes"], json!([1, 2, 3]));
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused() {
        let mut good = short_game();
        // The worker on level 2 next to level 3 wins.
        good.start.as_mut().unwrap()["players"][0] = json!([[2, 1], [1, 3]]);
        good.turns = vec!["a2-b1#".into()];
        good.seconds = vec![0.25];
        good.check().unwrap();
        let mut lost = short_game();
        lost.turns.pop();
        lost.ending = "crashed".into();
        lost.check().unwrap();
        let mut unplaced = lost.clone();
        unplaced.start = None;
        unplaced.turns.clear();
        for (ending, winner) in [("absent", None), ("absent", Some(1)), ("interrupted", None)] {
            unplaced.ending = ending.into();
            unplaced.winner = winner;
            unplaced.check().unwrap();
        }
        type Change = fn(&mut GameRecord);
        let changes: [(&GameRecord, Change); 14] = [
            (&good, |record| record.winner = Some(1)),
            (&good, |record| record.winner = None),
            (&good, |record| record.ending = "crashed".into()),
            (&good, |record| drop(record.turns.pop())),
            (&good, |record| record.turns[0] = "c1-c5+c4".into()),
            (&good, |record| {
                record.cards = Some([Card::Pan, Card::Atlas])
            }),
            (&lost, |record| record.ending = "no-turn-left".into()),
            (&lost, |record| record.ending = "timeout".into()),
            (&lost, |record| record.ending = "interrupted".into()),
            (&lost, |record| record.winner = None),
            (&unplaced, |record| record.winner = Some(0)),
            (&unplaced, |record| record.ending = "win".into()),
            (&unplaced, |record| record.ending = "no-turn-left".into()),
            (&unplaced, |record| record.ending = "crashed".into()),
        ];
        for (index, (record, change)) in changes.into_iter().enumerate() {
            let mut record = record.clone();
            change(&mut record);
            assert!(record.check().is_err(), "{index}");
        }
    }

    #[test]
    fn a_player_without_a_turn_has_lost() {
        let mut record = short_game();
        record.turns.clear();
        // Both workers of the player to move stand in a corner between domes.
        record.start = Some(
            json!({"players": [[[1, 1], [1, 2]], [[5, 1], [5, 5]]], "turn": 7,
            "spaces": [[0, 0, 4, 0, 0], [4, 4, 4, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0],
                       [0, 0, 0, 0, 0]]}),
        );
        record.ending = "no-turn-left".into();
        record.check().unwrap();
        let mut open = record.clone();
        open.start.as_mut().unwrap()["spaces"][0][2] = json!(0);
        assert!(open.check().is_err(), "it has a turn");
        record.winner = Some(1);
        let error = record.check().unwrap_err();
        assert_eq!(error, ReplayError::Ending("no-turn-left".into()));
    }

    #[test]
    fn a_game_is_replayed_board_by_board() {
        let record = short_game();
        assert_eq!(record.size(), Some(5));
        let replay = record.replay::<5>().unwrap();
        assert_eq!(replay.positions.len(), 4);
        for (index, turn) in replay.turns.iter().enumerate() {
            assert_eq!(
                replay.positions[index].play(*turn),
                replay.positions[index + 1]
            );
        }
        assert_eq!(replay.positions[3].turn(), 3);
    }

    #[test]
    fn unplayable_records_are_refused() {
        let mut record = short_game();
        record.turns[1] = "a5-a3+a4".into();
        assert!(matches!(
            record.replay::<5>(),
            Err(ReplayError::Turn(1, TurnTextError::Illegal { .. }))
        ));
        record.turns[1] = "nonsense".into();
        assert!(matches!(
            record.replay::<5>(),
            Err(ReplayError::Turn(1, TurnTextError::Form(_)))
        ));
        assert!(matches!(record.replay::<6>(), Err(ReplayError::Start(_))));
        record.turns = vec!["a1-a2+a1".into(); 500];
        assert_eq!(record.replay::<5>(), Err(ReplayError::TooLong(500)));
        record.turns.clear();
        record.start = None;
        assert_eq!(record.replay::<5>(), Err(ReplayError::NoStart));
    }

    #[test]
    fn nothing_is_played_after_a_win() {
        let mut record = short_game();
        record.start.as_mut().unwrap()["players"][0] = json!([[1, 2], [1, 3]]);
        assert!(matches!(
            record.replay::<5>(),
            Err(ReplayError::Over { number: 0, .. })
        ));
        record.start.as_mut().unwrap()["players"][0] = json!([[2, 1], [1, 3]]);
        record.turns = vec!["a2-b1#".into()];
        assert_eq!(record.replay::<5>().unwrap().positions.len(), 2);
        record.turns.push("a5-a4+a5".into());
        assert!(matches!(
            record.replay::<5>(),
            Err(ReplayError::Over { number: 1, .. })
        ));
    }

    #[test]
    fn turns_are_replayed_in_every_spelling() {
        let mut record = short_game();
        record.turns = vec!["C1xD1+E1 ".into(), "a5-a4+a5".into(), "d1-c1+b1".into()];
        assert_eq!(record.replay::<5>(), short_game().replay::<5>());
    }

    #[test]
    fn the_turn_number_determines_the_player() {
        let mut record = short_game();
        assert_eq!([0, 1, 2].map(|i| record.player_of(i)), [0, 1, 0]);
        record.start.as_mut().unwrap()["turn"] = json!(3);
        assert_eq!([0, 1, 2].map(|i| record.player_of(i)), [1, 0, 1]);
        record.start.as_mut().unwrap()["turn"] = json!(u64::MAX);
        assert_eq!([0, 1].map(|i| record.player_of(i)), [1, 0]);
        record.start = None;
        assert_eq!(record.player_of(0), 0);
    }

    #[test]
    fn a_win_gives_1_point_and_no_winner_half_a_point() {
        let mut record = short_game();
        assert_eq!([record.points(0), record.points(1)], [1.0, 0.0]);
        record.winner = None;
        assert_eq!([record.points(0), record.points(1)], [0.5, 0.5]);
    }
}
