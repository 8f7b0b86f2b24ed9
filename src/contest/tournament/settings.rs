//! The settings of a tournament: everything that determines its games. They are the
//! header of its file of records, so that a later run can resume it or report what
//! differs.

use std::collections::HashSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::schedule::Schedule;
use crate::openings::{Openings, digest_of};
use crate::printable::{excerpt, listed};
use crate::program::TimeLimit;
use crate::record::{Entry, HEADER_KEY};
use crate::rules::{Card, Cards, PositionError};
use crate::shard::Shard;
use crate::stats::SprtSetting;

/// The maximum players and rounds of a tournament.
const MOST_PLAYERS: usize = 1000;
const MOST_ROUNDS: u64 = 1_000_000;

/// The maximum number of random turns before a game.
pub const MOST_RANDOM_TURNS: u32 = 30;

/// The maximum time for an answer, in seconds: a day.
const LONGEST_TIME: f64 = 86_400.0;

/// The settings of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The players, in the order of the command line.
    pub players: Vec<PlayerSetting>,
    /// The number of rounds. In each, every two players play a pair of games with each choice
    /// of cards.
    pub rounds: u64,
    /// The time for an answer in seconds, as announced to the players.
    pub time: f64,
    /// The extra seconds before an answer counts as late.
    pub grace: f64,
    /// The time for the first answer of a process in seconds, if it is longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<f64>,
    /// Which god cards are dealt, if any.
    pub cards: CardChoice,
    /// The boards that games begin with.
    pub openings: OpeningChoice,
    /// The seed of openings and cards.
    pub seed: u64,
    /// Whether a process plays several games in a row.
    pub reuse: bool,
    /// The share of the games to play here.
    pub shard: Shard,
    /// The test that may end the tournament early; `None` without one.
    pub sprt: Option<SprtSetting>,
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSetting {
    /// The name in tables and records.
    pub name: String,
    /// The command that starts it, as given.
    pub command: String,
}

/// Which cards are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardChoice {
    /// The base game.
    None,
    /// One pair: the first player's and the second player's.
    Pair([Card; 2]),
    /// Every ordered pair of two cards.
    All,
}

impl CardChoice {
    /// The pairs of cards played by each pairing in each round.
    pub fn pairs(self) -> Vec<Cards> {
        match self {
            Self::None => vec![[None, None]],
            Self::Pair(cards) => vec![cards.map(Some)],
            Self::All => Card::pairs().map(|pair| pair.map(Some)).collect(),
        }
    }
}

/// Which openings are played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningChoice {
    /// The players place their workers.
    SetUp,
    /// A random placement followed by this many random turns.
    Random(u32),
    /// Boards from a file.
    File {
        /// The path of the file, as given.
        path: String,
        /// The number of boards in it.
        boards: usize,
        /// Detects changes of the boards.
        digest: String,
    },
}

impl OpeningChoice {
    /// Creates the choice of the openings in a file.
    pub fn file(path: String, openings: &Openings) -> Self {
        let boards = openings.boards();
        Self::File {
            path,
            boards: boards.len(),
            digest: digest_of(&boards),
        }
    }
}

/// Why a file of records cannot be used for a tournament.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The file does not begin with settings.
    #[error(
        "its first line is not the settings of a tournament, as `santorini tournament` writes them"
    )]
    NoHeader,
    /// The header is that of a TCP server's results.
    #[error("it is a results file of `santorini serve`, not of `santorini tournament`")]
    Served,
    /// The settings have invalid values.
    #[error("its header is invalid: {0}")]
    Header(String),
    /// These settings differ from the command line; each is given with both values.
    #[error("it belongs to another tournament: {}", .0.join("; "))]
    Differ(Vec<String>),
    /// The tournament in the file has more rounds than wanted.
    #[error(
        "it belongs to a tournament with {there} rounds, more than {here}; \
         use --rounds {there} or more"
    )]
    FewerRounds {
        /// The rounds in the file.
        there: u64,
        /// The rounds wanted.
        here: u64,
    },
}

impl Settings {
    /// The schedule of all games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.players.len(), self.rounds, self.cards.pairs())
    }

    /// The pairs of the schedule in this shard.
    pub fn pairs(&self) -> impl Iterator<Item = u64> + use<> {
        let shard = self.shard;
        (0..self.schedule().pairs()).filter(move |&pair| shard.has(pair))
    }

    /// The number of games in this shard.
    pub fn games(&self) -> u64 {
        2 * self.shard.share_of(self.schedule().pairs())
    }

    /// The time limit for an answer.
    pub fn time_limit(&self) -> TimeLimit {
        let [time, grace] = [self.time, self.grace].map(Duration::from_secs_f64);
        let start = self.start_time.map(Duration::from_secs_f64);
        TimeLimit::announced(time).tolerating(grace).starting(start)
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|p| p.name.clone()).collect()
    }

    /// The header line of a file of records.
    pub fn header(&self) -> Value {
        json!({ HEADER_KEY: self })
    }

    /// Reads the settings from the header of a file. The last header counts.
    ///
    /// # Errors
    /// If there is no valid header.
    pub fn from_entries(entries: &[Entry]) -> Result<Self, SettingsError> {
        let mut headers = entries.iter().filter_map(|entry| match entry {
            Entry::Header(header) => header.get(HEADER_KEY),
            Entry::Game(_) => None,
        });
        let header = headers.next_back().ok_or(SettingsError::NoHeader)?;
        if header.get("bots").is_some() {
            return Err(SettingsError::Served);
        }
        let settings = serde_json::from_value::<Self>(header.clone());
        let settings = settings.map_err(|error| error.to_string());
        settings
            .and_then(Self::checked)
            .map_err(SettingsError::Header)
    }

    /// Checks the ranges of the settings; the error says what is wrong.
    fn checked(self) -> Result<Self, String> {
        let is_time = |time| (0.0..=LONGEST_TIME).contains(&time);
        if !(2..=MOST_PLAYERS).contains(&self.players.len()) {
            let count = self.players.len();
            return Err(format!(
                "{count} players; the limits are 2 to {MOST_PLAYERS}"
            ));
        }
        let mut names = HashSet::new();
        if let Some(player) = self.players.iter().find(|it| !names.insert(&it.name)) {
            return Err(format!("two players have the name {:?}", player.name));
        }
        if let CardChoice::Pair([a, b]) = self.cards
            && a == b
        {
            return Err(PositionError::SameCard(a).to_string());
        }
        if let OpeningChoice::Random(turns) = self.openings
            && turns > MOST_RANDOM_TURNS
        {
            return Err(format!(
                "{turns} random turns; the maximum is {MOST_RANDOM_TURNS}"
            ));
        }
        if self.rounds > MOST_ROUNDS {
            return Err(format!(
                "{} rounds; the maximum is {MOST_ROUNDS}",
                self.rounds
            ));
        }
        if ![self.time, self.grace, self.start_time.unwrap_or(0.0)]
            .into_iter()
            .all(is_time)
        {
            let wrong = "time, grace and start_time must be seconds from 0 to";
            return Err(format!("{wrong} {LONGEST_TIME}"));
        }
        Ok(self)
    }

    /// Checks that games played with the `other` settings belong to this tournament. The
    /// number of rounds, the test and the `allowed` keys may differ.
    ///
    /// # Errors
    /// If they differ otherwise; the error names every difference.
    pub fn check_same(&self, other: &Self, allowed: &[&str]) -> Result<(), SettingsError> {
        let (mine, others) = (self.object(), other.object());
        // A setting at its default may be left out.
        let keys = mine
            .keys()
            .chain(others.keys().filter(|&key| !mine.contains_key(key)));
        let may_differ = |key: &str| match key {
            "rounds" | "sprt" => true,
            "openings" if self.has_other_order_than(other) => true,
            _ => allowed.contains(&key),
        };
        let differ = keys.filter(|key| !may_differ(key) && others.get(*key) != mine.get(*key));
        let differ: Vec<String> = differ
            .map(|key| {
                if key == "players" {
                    return different_players(&other.players, &self.players);
                }
                let shown = |settings: &Map<String, Value>| {
                    excerpt(&settings.get(key).unwrap_or(&Value::Null).to_string(), 200)
                };
                let [theirs, mine] = [shown(&others), shown(&mine)];
                format!("{key} is {theirs} there and {mine} here")
            })
            .collect();
        if differ.is_empty() {
            Ok(())
        } else {
            Err(SettingsError::Differ(differ))
        }
    }

    /// Checks that a tournament with the `other` settings can be resumed with these. With
    /// a test the rounds are only a maximum.
    ///
    /// # Errors
    /// If the other one has more rounds.
    pub fn check_rounds(&self, other: &Self) -> Result<(), SettingsError> {
        let (there, here) = (other.rounds, self.rounds);
        if other.sprt.is_none() && there > here {
            return Err(SettingsError::FewerRounds { there, here });
        }
        Ok(())
    }

    /// Whether the seed has put the openings of the same file in another order.
    fn has_other_order_than(&self, other: &Self) -> bool {
        let file = |settings: &Self| match &settings.openings {
            OpeningChoice::File { path, boards, .. } => Some((path.clone(), *boards)),
            _ => None,
        };
        self.seed != other.seed && file(self).is_some() && file(self) == file(other)
    }

    fn object(&self) -> Map<String, Value> {
        match json!(self) {
            Value::Object(object) => object,
            _ => Map::new(),
        }
    }
}

/// How the players there differ from those here.
fn different_players(there: &[PlayerSetting], here: &[PlayerSetting]) -> String {
    let only = |these: &[PlayerSetting], others: &[PlayerSetting], place| {
        let is_known = |name| others.iter().any(|other| other.name == name);
        let names = these.iter().map(|player| player.name.as_str());
        let names: Vec<&str> = names.filter(|&name| !is_known(name)).collect();
        (!names.is_empty()).then(|| format!("only {place}: {}", listed(&names)))
    };
    let changed = there.iter().filter_map(|old| {
        let new = here.iter().find(|new| new.name == old.name)?;
        (old.command != new.command).then(|| {
            let [name, old, new] = [&old.name, &old.command, &new.command];
            format!("{name} is {old:?} there and {new:?} here")
        })
    });
    let only = [only(there, here, "there"), only(here, there, "here")];
    let all: Vec<String> = only.into_iter().flatten().chain(changed).collect();
    match all.is_empty() {
        true => "the players are in another order".into(),
        false => format!("the players differ: {}", all.join("; ")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::protocol::exchange::write_board;
    use crate::record::Reader;
    use crate::stats::EloModel;

    /// A small tournament for tests.
    pub(crate) fn settings(names: &[&str]) -> Settings {
        let player = |name: &&str| PlayerSetting {
            name: name.to_string(),
            command: format!("./{name}"),
        };
        Settings {
            players: names.iter().map(player).collect(),
            rounds: 2,
            time: 1.0,
            grace: 0.1,
            start_time: None,
            cards: CardChoice::None,
            openings: OpeningChoice::SetUp,
            seed: 1,
            reuse: false,
            shard: Shard::WHOLE,
            sprt: None,
        }
    }

    fn entries(lines: &[Value]) -> Vec<Entry> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let reader = Reader::new(text.as_bytes(), std::path::Path::new("test"));
        reader.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn the_header_reads_back() {
        let mut settings = settings(&["a", "b"]);
        settings.cards = CardChoice::Pair([Card::Pan, Card::Atlas]);
        settings.openings = OpeningChoice::Random(3);
        settings.shard = "2/4".parse().unwrap();
        settings.sprt = Some(SprtSetting {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Normalized,
        });
        let mut later = settings.clone();
        later.rounds = 7;
        let entries = entries(&[settings.header(), later.header()]);
        assert_eq!(Settings::from_entries(&entries), Ok(later));
        assert_eq!(Settings::from_entries(&[]), Err(SettingsError::NoHeader));
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let refused = |change: fn(&mut Settings), words: &str| {
            let mut settings = settings(&["a", "b"]);
            change(&mut settings);
            let read = Settings::from_entries(&entries(&[settings.header()]));
            let error = read.unwrap_err().to_string();
            assert_eq!(error, format!("its header is invalid: {words}"));
        };
        refused(
            |settings| settings.players[1].name = "a".into(),
            "two players have the name \"a\"",
        );
        refused(
            |settings| settings.cards = CardChoice::Pair([Card::Pan; 2]),
            "both players have the card Pan; their cards must differ",
        );
        refused(
            |settings| settings.openings = OpeningChoice::Random(31),
            "31 random turns; the maximum is 30",
        );
        refused(
            |settings| settings.rounds = 1_000_001,
            "1000001 rounds; the maximum is 1000000",
        );
    }

    #[test]
    fn every_differing_setting_is_named() {
        let mine = settings(&["a", "b"]);
        let mut other = mine.clone();
        other.rounds = 5;
        assert_eq!(mine.check_same(&other, &[]), Ok(()));
        other.time = 2.5;
        other.seed = 9;
        other.shard = "1/4".parse().unwrap();
        let text = mine.check_same(&other, &["shard"]).unwrap_err().to_string();
        assert!(text.contains("time is 2.5 there and 1.0 here"), "{text}");
        assert!(text.contains("seed is 9 there and 1 here"), "{text}");
        assert!(
            !text.contains("shard") && !text.contains("rounds"),
            "{text}"
        );
    }

    #[test]
    fn different_players_are_named() {
        let mine = settings(&["a", "b", "c"]);
        let told = |other: &Settings| mine.check_same(other, &[]).unwrap_err().to_string();
        let mut other = settings(&["b", "d", "c"]);
        other.players[0].command = "./old".into();
        assert_eq!(
            told(&other),
            "it belongs to another tournament: the players differ: only there: d; only here: a; \
             b is \"./old\" there and \"./b\" here"
        );
        let told = told(&settings(&["b", "a", "c"]));
        assert!(
            told.ends_with(": the players are in another order"),
            "{told}"
        );
    }

    #[test]
    fn a_tournament_cannot_be_shortened() {
        let mine = settings(&["a", "b"]);
        let mut other = mine.clone();
        other.rounds = 1;
        assert_eq!(mine.check_rounds(&other), Ok(()));
        other.rounds = 5;
        let text = mine.check_rounds(&other).unwrap_err().to_string();
        assert!(text.contains("use --rounds 5 or more"), "{text}");
    }

    #[test]
    fn other_boards_have_another_digest() {
        let board = |number| {
            write_board(&crate::openings::random_opening::<5>(
                2,
                1,
                number,
                [None, None],
            ))
        };
        let choice = |numbers: [u64; 2]| {
            let text = numbers.map(|n| board(n).to_string()).join("\n");
            OpeningChoice::file("f".into(), &Openings::from_lines(&text, 1).unwrap())
        };
        assert_eq!(choice([1, 2]), choice([1, 2]));
        assert_ne!(choice([1, 2]), choice([1, 3]));
    }
}
