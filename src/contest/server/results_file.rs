//! The results file: a header, then a record for each game, written to disk as soon as
//! the game is over; and resuming from such a file.

use std::collections::HashSet;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::game::Outcome;
use super::play::TournamentGame;
use super::schedule::{MOST_BOTS, MOST_ROUNDS, Pairing, RoundRobin};
use crate::protocol::exchange::write_board;
use crate::protocol::tcp::{Answer, BotName, NameError, SIZE};
use crate::record::{ENDINGS_KEY, Ending, Entry, GameRecord, HEADER_KEY, RecordFile, SaveError};

/// The first line of a results file: what determines the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentHeader {
    /// The bots in order of entry.
    pub bots: Vec<String>,
    /// The address of each bot, from which alone it may return. Empty in files of versions
    /// that did not save them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<Option<IpAddr>>,
    /// The number of rounds: how often every two bots meet.
    pub rounds: usize,
}

/// A file that cannot be resumed: it holds other records, such as those of `tournament`.
#[derive(Debug, thiserror::Error)]
#[error("{path} is not the results file of a tournament server: {cause}")]
pub struct ForeignFile {
    /// The path as given.
    path: PathBuf,
    /// What shows that it is another kind of file.
    cause: String,
}

/// The tournament in a results file, with the games played.
#[derive(Debug)]
pub struct ResumedTournament {
    /// The bots of the tournament, in the order of entry.
    pub names: Vec<BotName>,
    /// The address of each bot, if it is known.
    pub addresses: Vec<Option<IpAddr>>,
    /// How often every two bots meet.
    pub rounds: usize,
    /// The games with a result.
    pub played: Vec<TournamentGame>,
}

impl ResumedTournament {
    /// The number of games in the tournament.
    pub fn games(&self) -> usize {
        RoundRobin::new(self.names.len(), self.rounds).len()
    }
}

/// The results file, if there is one.
pub struct ResultsFile(Option<RecordFile>);

impl ResultsFile {
    /// No file: the results are not saved.
    pub const fn none() -> Self {
        Self(None)
    }

    /// Uses a file that holds `entries`. Returns the tournament to resume, or `None` if
    /// it has not started.
    ///
    /// # Errors
    /// If the entries are not those of a server's tournament.
    pub fn of_file(
        file: RecordFile,
        entries: Vec<Entry>,
        path: &Path,
    ) -> Result<(Self, Option<ResumedTournament>), ForeignFile> {
        let resumed = read_entries(entries).map_err(|cause| ForeignFile {
            path: path.into(),
            cause,
        })?;
        Ok((Self(Some(file)), resumed))
    }

    /// Writes the header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, field: &TournamentHeader) -> Result<(), SaveError> {
        let header = json!({ HEADER_KEY: field });
        let written = self.0.as_mut().map_or(Ok(()), |file| file.append(&header));
        written.map_err(|cause| SaveError {
            cause,
            lost: Vec::new(),
        })
    }

    /// Writes the record of a finished game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, played: &TournamentGame, outcome: Outcome) -> Result<(), SaveError> {
        let Some(file) = &mut self.0 else {
            return Ok(());
        };
        let record = record(played, outcome);
        file.append(&record).map_err(|cause| SaveError {
            cause,
            lost: vec![record],
        })
    }
}

/// The record of a game. In addition to the usual keys it has `round` and all legal
/// `answers`, as in the protocol; if the players forfeited in different ways, also both
/// `endings`.
fn record(played: &TournamentGame, outcome: Outcome) -> GameRecord {
    let game = &played.game;
    let placed = played.seconds.len().min(4);
    let answers = game.answers().iter().map(Answer::to_string);
    let mut more = Map::new();
    more.insert("round".into(), json!(played.pairing.round));
    more.insert("answers".into(), answers.collect());
    if let Some([first, second]) = played.endings.filter(|[first, second]| first != second) {
        let endings = json!([first.name(), second.name()]);
        more.insert(ENDINGS_KEY.into(), endings);
    }
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
        // A turn is a move and a build, or a winning move. A game may also end between
        // the two; that is not a turn.
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
        more,
    }
}

/// The error for a file with another first line.
const NO_TOURNAMENT: &str = "its first line is not the header of a tournament";

fn read_entries(entries: Vec<Entry>) -> Result<Option<ResumedTournament>, String> {
    let mut entries = entries.into_iter();
    let field: TournamentHeader = match entries.next() {
        None => return Ok(None),
        Some(Entry::Header(mut header)) => {
            let field = header.remove(HEADER_KEY).ok_or(NO_TOURNAMENT)?;
            serde_json::from_value(field).map_err(|error| format!("its first line: {error}"))?
        }
        Some(Entry::Game(_)) => return Err(NO_TOURNAMENT.to_string()),
    };
    let names = field.bots.iter().map(|bot| BotName::parse(bot.as_bytes()));
    let names: Result<Vec<BotName>, NameError> = names.collect();
    let names = names.map_err(|error| error.to_string())?;
    let (bots, rounds) = (names.len(), field.rounds);
    if !(2..=MOST_BOTS).contains(&bots) || !(1..=MOST_ROUNDS).contains(&rounds) {
        return Err(format!(
            "{bots} bots and {rounds} rounds; the limits are 2 to {MOST_BOTS} bots and 1 to \
             {MOST_ROUNDS} rounds"
        ));
    }
    let mut distinct = HashSet::new();
    if let Some(twice) = names.iter().find(|&name| !distinct.insert(name)) {
        return Err(format!("its first line has the bot {twice} twice"));
    }
    let addresses = match field.addresses.len() {
        0 => vec![None; bots],
        known if known == bots => field.addresses,
        other => {
            return Err(format!(
                "its first line has {other} addresses of {bots} bots"
            ));
        }
    };
    let schedule = RoundRobin::new(bots, rounds);
    let mut seen = HashSet::new();
    let mut played = Vec::new();
    for entry in entries {
        let Entry::Game(record) = entry else {
            return Err("it contains a second tournament".to_string());
        };
        let number = record.game as usize;
        let pairing = schedule.pairing(number).filter(|_| seen.insert(number));
        let pairing = pairing.ok_or(format!(
            "game {} appears twice or is not in the schedule",
            record.number()
        ))?;
        let game = read_game(&record, pairing, &names);
        played.push(game.map_err(|error| format!("game {}: {error}", record.number()))?);
    }
    Ok(Some(ResumedTournament {
        names,
        addresses,
        rounds,
        played,
    }))
}

/// Replays a recorded game.
fn read_game(
    record: &GameRecord,
    pairing: Pairing,
    names: &[BotName],
) -> Result<TournamentGame, String> {
    let names = pairing.bots.map(|bot| names[bot].clone());
    if record.players != names.clone().map(|name| name.to_string()) {
        return Err(format!("it is not between {:?}", record.players));
    }
    let mut played = TournamentGame::new(pairing, names);
    let game = &mut played.game;
    let answers = record.more.get("answers").and_then(Value::as_array);
    for answer in answers.ok_or("its answers are missing")? {
        let text = answer.as_str().unwrap_or_default();
        let read = Answer::parse(game.status(), text.as_bytes());
        let player = game.to_answer().ok_or("it has an answer after its end")?;
        let read = read.map_err(|error| error.to_string())?;
        game.answer(player, read)
            .map_err(|error| format!("{text:?}: {error}"))?;
    }
    let ending = Ending::from_name(&record.ending);
    let outcome = Outcome {
        winner: record.winner.map(usize::from),
        ending: ending.ok_or(format!("unknown ending {:?}", record.ending))?,
    };
    if game.outcome().is_none() && !outcome.ending.is_fault() {
        return Err(format!(
            "its answers end before the game is over, so its ending cannot be {:?}",
            record.ending
        ));
    }
    game.end(outcome.winner, outcome.ending);
    if game.outcome() != Some(outcome) {
        return Err("its answers contradict its result".to_string());
    }
    played.why.clone_from(&record.why);
    Ok(played)
}
