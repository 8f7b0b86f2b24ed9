//! The results file: settings first, then one record a game, on disk as soon
//! as the game is over; and going on with such a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::game::Game;
use super::outcome::Outcome;
use super::play::Played;
use super::schedule::{Pairing, round_robin};
use super::tournament::{MOST_BOTS, MOST_ROUNDS};
use crate::protocol::exchange::write_board;
use crate::protocol::tcp::{Answer, BotName, NameError, SIZE};
use crate::record::{Ending, Entry, FileError, GameRecord, HEADER_KEY, RecordFile};

/// The first line of a results file: what decides the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The bots in the order of entry.
    pub bots: Vec<String>,
    /// How many times everybody meets everybody.
    pub rounds: usize,
}

/// Why a results file cannot be written or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResultsFileError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{path} is not the results file of a tournament server: {cause}")]
    Foreign { path: PathBuf, cause: String },
}

/// What a results file says has been played.
#[derive(Debug)]
pub struct Resumed {
    pub names: Vec<BotName>,
    pub rounds: usize,
    pub played: Vec<Played>,
}

impl Resumed {
    /// How many games the tournament has in all.
    pub fn games(&self) -> usize {
        round_robin(self.names.len(), self.rounds).len()
    }
}

/// The results file, or nothing.
pub struct ResultsFile(Option<RecordFile>);

impl ResultsFile {
    /// No file: for tournaments whose results nobody will ask for again.
    pub const fn none() -> Self {
        Self(None)
    }

    /// Writes to a file, and gives what has been played by the `entries` that
    /// it holds; that is nothing if the tournament has not begun.
    ///
    /// # Errors
    /// If they are not of such a tournament.
    pub fn of_file(
        file: RecordFile,
        entries: Vec<Entry>,
        path: &Path,
    ) -> Result<(Self, Option<Resumed>), ResultsFileError> {
        let resumed = read_entries(entries).map_err(|cause| ResultsFileError::Foreign {
            path: path.into(),
            cause,
        })?;
        Ok((Self(Some(file)), resumed))
    }

    /// Writes the first line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, field: &Field) -> Result<(), ResultsFileError> {
        self.append(&json!({ HEADER_KEY: field }))
    }

    /// Writes the record of a game that is over.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, played: &Played, outcome: Outcome) -> Result<(), ResultsFileError> {
        if self.0.is_none() {
            return Ok(());
        }
        self.append(&record(played, outcome))
    }

    fn append(&mut self, entry: &impl Serialize) -> Result<(), ResultsFileError> {
        if let Some(file) = &mut self.0 {
            file.append(entry)?;
        }
        Ok(())
    }
}

/// The record of a game. Beside the keys that all records have it holds
/// `round` and, in the words of the protocol, all legal `answers`.
fn record(played: &Played, outcome: Outcome) -> GameRecord {
    let game = &played.game;
    let placed = played.seconds.len().min(4);
    let answers = game.answers().iter().map(Answer::to_string);
    let more = [
        ("round", json!(played.pairing.round)),
        ("answers", answers.collect::<Vec<_>>().into()),
    ];
    GameRecord {
        game: played.pairing.game as u64,
        players: played.names.clone().map(|name| name.to_string()),
        cards: None,
        start: game.start().map(write_board),
        turns: game
            .turns()
            .iter()
            .map(|turn| turn.text::<SIZE>().to_string())
            .collect(),
        // A turn is a move and a build, the last one perhaps a move that wins. A game may
        // end between the two, too; that is no turn.
        seconds: played.seconds[placed..]
            .chunks(2)
            .map(|turn| turn.iter().sum())
            .take(game.turns().len())
            .collect(),
        setup_seconds: played.seconds[..placed].to_vec(),
        winner: outcome.winner.map(|winner| winner as u8),
        ending: outcome.ending.name().to_string(),
        why: played.why.clone(),
        pair: None,
        more: more
            .into_iter()
            .map(|(key, value)| (key.to_string(), value))
            .collect::<Map<_, _>>(),
    }
}

/// What is wrong with a file that begins with something else.
const NO_TOURNAMENT: &str = "its first line is not a tournament";

fn read_entries(entries: Vec<Entry>) -> Result<Option<Resumed>, String> {
    let mut entries = entries.into_iter();
    let field: Field = match entries.next() {
        None => return Ok(None),
        Some(Entry::Header(mut header)) => {
            let field = header.remove(HEADER_KEY).ok_or(NO_TOURNAMENT)?;
            serde_json::from_value(field).map_err(|error| format!("its first line: {error}"))?
        }
        Some(Entry::Game(_)) => return Err(NO_TOURNAMENT.to_string()),
    };
    let names = read_names(&field.bots).map_err(|error| error.to_string())?;
    if names.len() > MOST_BOTS || !(1..=MOST_ROUNDS).contains(&field.rounds) {
        return Err(format!(
            "{} bots and {} rounds; at most {MOST_BOTS} bots play 1 to {MOST_ROUNDS} rounds",
            names.len(),
            field.rounds
        ));
    }
    let mut schedule: Vec<Option<Pairing>> = round_robin(names.len(), field.rounds)
        .into_iter()
        .map(Some)
        .collect();
    let mut played = Vec::new();
    for entry in entries {
        let Entry::Game(record) = entry else {
            return Err("it holds a second tournament".to_string());
        };
        let number = record.game as usize;
        let pairing = schedule.get_mut(number).and_then(Option::take);
        let pairing = pairing.ok_or(format!(
            "game {} is not to be played, or twice",
            record.number()
        ))?;
        let game = read_game(&record, pairing, &names);
        played.push(game.map_err(|error| format!("game {}: {error}", record.number()))?);
    }
    Ok(Some(Resumed {
        names,
        rounds: field.rounds,
        played,
    }))
}

fn read_names(bots: &[String]) -> Result<Vec<BotName>, NameError> {
    bots.iter()
        .map(|bot| BotName::parse(bot.as_bytes()))
        .collect()
}

/// Plays a recorded game again.
fn read_game(record: &GameRecord, pairing: Pairing, names: &[BotName]) -> Result<Played, String> {
    let names = pairing.bots.map(|bot| names[bot].clone());
    if record.players != names.clone().map(|name| name.to_string()) {
        return Err(format!("{:?} do not meet in it", record.players));
    }
    let mut game = Game::new();
    let answers = record.more.get("answers").and_then(Value::as_array);
    for answer in answers.ok_or("it has no answers")? {
        let text = answer.as_str().unwrap_or_default();
        let read = Answer::parse(game.status(), text.as_bytes());
        let player = game.to_answer().ok_or("an answer after its end")?;
        let read = read.map_err(|error| error.to_string())?;
        game.answer(player, read)
            .map_err(|error| format!("{text:?}: {error}"))?;
    }
    let ending = Ending::from_name(&record.ending);
    let outcome = Outcome {
        winner: record.winner.map(usize::from),
        ending: ending.ok_or(format!("unknown ending {:?}", record.ending))?,
    };
    match outcome.winner {
        Some(winner) => game.forfeit(1 - winner, outcome.ending),
        None => game.draw(outcome.ending),
    }
    if game.outcome() != Some(outcome) {
        return Err("its answers lead to another result".to_string());
    }
    Ok(Played {
        pairing,
        names,
        game,
        seconds: Vec::new(),
        why: record.why.clone(),
    })
}
