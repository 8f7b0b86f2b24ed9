//! Saves the game to a file after every turn, so that it can be resumed after Ctrl-C or a
//! crash.
//!
//! The file is a game record, as tournaments write it, with the extra key `play` for
//! [`GamePlayers`], so it can be drawn and reviewed too.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::cursor::GameCursor;
use crate::draw::Seat;
use crate::files::{Kind, read_file, write_whole};
use crate::people::game_record::record_of_scenes;
use crate::record::{FileError, GameRecord, read_games};

/// The file of a saved game.
pub(crate) const AUTOSAVE_FILE: Kind = Kind {
    name: "a game of `santorini play`",
    begins: |head| head.starts_with(b"{\"game\":"),
};

/// The key of [`GamePlayers`] in the record.
const KEY: &str = "play";

/// Who plays the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct GamePlayers {
    /// Whether the person plays second.
    pub second: bool,
    /// Who plays the other side.
    pub against: OpponentKind,
    /// The level of the engine, if not full strength.
    pub level: Option<u8>,
}

/// The kind of opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OpponentKind {
    /// This program's engine.
    Engine,
    /// Nobody: the person plays both sides.
    Nobody,
    /// Another player program.
    Program,
}

/// Where and for whom a game is saved.
#[derive(Clone, Debug)]
pub(crate) struct Autosave {
    /// The file that is overwritten after each turn.
    pub file: PathBuf,
    /// The seats, to be restored with the game.
    pub players: GamePlayers,
    /// What this session last wrote to the file, or what the resumed game was read from;
    /// empty before. A file with another text belongs to another session.
    saved: Vec<u8>,
}

/// Why a saved game cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AutosaveError {
    /// The file cannot be read as records.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file holds games, but none saved by `play`.
    #[error("{0} is not a saved game of `santorini play`")]
    Foreign(PathBuf),
}

/// The default file, in the usual folder for program state: `santorini/game.json` below
/// `$XDG_STATE_HOME`, or `~/.local/state`. `None` without a home folder.
pub(crate) fn default_file() -> Option<PathBuf> {
    let folder = |name: &str| {
        env::var_os(name)
            .filter(|it| !it.is_empty())
            .map(PathBuf::from)
    };
    let state = folder("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("santorini/game.json"))
}

/// The maximum size of a saved game in bytes; the longest have a few thousand.
const LONGEST: u64 = 1 << 20;

/// The text of a saved game; empty if the file is too long or not a regular file.
pub(crate) fn autosave_text(file: &Path) -> Vec<u8> {
    let is_file = fs::metadata(file).is_ok_and(|found| found.is_file());
    let text = is_file.then(|| read_file(file, LONGEST));
    text.and_then(Result::ok).unwrap_or_default()
}

/// Reads the saved game and its players.
///
/// # Errors
/// If the file cannot be read, or is not exactly one saved game.
pub(crate) fn read_autosave(file: &Path) -> Result<(GameRecord, GamePlayers), AutosaveError> {
    let foreign = || AutosaveError::Foreign(file.to_path_buf());
    let games: [GameRecord; 1] = read_games(file)?.try_into().map_err(|_| foreign())?;
    let [game] = games;
    let players = game.more.get(KEY).cloned().ok_or_else(foreign)?;
    let players = serde_json::from_value(players).map_err(|_| foreign())?;
    Ok((game, players))
}

impl Autosave {
    /// Saves a new game.
    pub(crate) fn new(file: PathBuf, players: GamePlayers) -> Self {
        Self {
            file,
            players,
            saved: Vec::new(),
        }
    }

    /// Takes over the file while it holds this text.
    pub(crate) fn resuming(self, saved: Vec<u8>) -> Self {
        Self { saved, ..self }
    }

    /// Whether the file holds a game with turns and without a winner.
    pub(crate) fn holds_unfinished_game(&self) -> bool {
        read_autosave(&self.file)
            .is_ok_and(|(game, _)| game.winner.is_none() && !game.turns.is_empty())
    }

    /// Moves an unfinished game out of the way of a new one: `game.json` to `game.json.1`,
    /// or with the next free number. Returns its new file.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub(crate) fn set_aside(&self) -> io::Result<Option<PathBuf>> {
        if !self.holds_unfinished_game() {
            return Ok(None);
        }
        let free = self.free_file(|_| false)?;
        fs::rename(&self.file, &free).inspect_err(|_| remove_empty(&free))?;
        Ok(Some(free))
    }

    /// The file with the lowest number that is new, and created now, or for which `is_own`
    /// holds.
    fn free_file(&self, is_own: impl Fn(&Path) -> bool) -> io::Result<PathBuf> {
        for number in 1_u32.. {
            let mut name = self.file.clone().into_os_string();
            name.push(format!(".{number}"));
            let free = PathBuf::from(name);
            match File::create_new(&free) {
                Ok(_) => return Ok(free),
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                Err(_) if is_own(&free) => return Ok(free),
                Err(_) => {}
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Whether another session has saved its game in the file. Pipes and devices belong to
    /// all sessions.
    fn is_taken(&self) -> bool {
        let is_file = fs::metadata(&self.file).is_ok_and(|found| found.is_file());
        is_file && !self.saved.is_empty() && !self.is_own(&self.file)
    }

    /// Whether a file holds what this session saved.
    fn is_own(&self, file: &Path) -> bool {
        autosave_text(file) == self.saved
    }

    /// Writes the game to its file. If another session has taken that, writes to the file to
    /// which it moved this game, or else to a new one. Returns whether the file is another one
    /// now.
    fn put(&mut self, text: Vec<u8>) -> io::Result<bool> {
        let is_taken = self.is_taken();
        if is_taken {
            let free = self.free_file(|file| self.is_own(file))?;
            write_whole(&free, &text).inspect_err(|_| remove_empty(&free))?;
            self.file = free;
        } else {
            write_whole(&self.file, &text)?;
        }
        self.saved = text;
        Ok(is_taken)
    }

    /// Makes sure that the file holds this game as it was last saved: if another session has
    /// taken the file, saves the game in another one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn keep(&mut self) -> io::Result<()> {
        if self.is_taken() {
            self.put(self.saved.clone())?;
        }
        Ok(())
    }

    /// Saves the game, without turns that were taken back. Returns whether it went to
    /// another file, because another session has taken the last one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write<const N: usize>(&mut self, cursor: &GameCursor<N>) -> io::Result<bool> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let scenes: Vec<_> = cursor.game().iter().collect();
        let players = Seat::BOTH.map(|seat| scenes[0].name(seat).to_string());
        let mut more = Map::new();
        more.insert(KEY.into(), json!(self.players));
        let record = record_of_scenes(&scenes, players, more);
        let line = serde_json::to_string(&record)? + "\n";
        self.put(line.into_bytes())
    }
}

/// Removes a file that was created for a game and did not get it.
fn remove_empty(file: &Path) {
    if fs::metadata(file).is_ok_and(|found| found.len() == 0) {
        // The failure before this one is reported.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Scene, record_scenes};
    use crate::rules::{Position, Turn};

    #[test]
    fn a_saved_game_is_resumed_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let players = GamePlayers {
            second: true,
            against: OpponentKind::Engine,
            level: Some(3),
        };
        let mut autosave = Autosave::new(folder.path().join("below/game.json"), players);
        let start: Position<5> = "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap();
        let scene = Scene::new(&start).named(["level 3", "you"]);
        let mut cursor = GameCursor::new(vec![scene]).unwrap();
        for turn in ["c2-c1+b1", "b3-b2+a1"] {
            cursor.play(Turn::parse::<5>(turn).unwrap());
            assert!(!autosave.write(&cursor).unwrap());
        }
        let (record, players) = read_autosave(&autosave.file).unwrap();
        let line = fs::read_to_string(&autosave.file).unwrap();
        let two = folder.path().join("two.jsonl");
        fs::write(&two, line.repeat(2)).unwrap();
        assert!(matches!(
            read_autosave(&two),
            Err(AutosaveError::Foreign(_))
        ));
        assert_eq!(players, autosave.players);
        assert_eq!(
            (record.ending.as_str(), record.winner),
            ("interrupted", None)
        );
        let scenes = record_scenes::<5>(&record).unwrap();
        assert_eq!(scenes.last().unwrap().position(), cursor.position());
        assert_eq!(scenes[0].name(Seat::Second), "you");
        fs::write(&autosave.file, "{\"game\":1,\"players\":[\"a\",\"b\"],\"start\":null,\"turns\":[],\"winner\":null,\"ending\":\"win\"}\n").unwrap();
        assert!(matches!(
            read_autosave(&autosave.file),
            Err(AutosaveError::Foreign(_))
        ));
        assert!(matches!(
            read_autosave(folder.path()),
            Err(AutosaveError::File(_))
        ));
    }
}
