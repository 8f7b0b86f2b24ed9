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
use crate::files::{Kind, write_whole};
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
        for number in 1_u32.. {
            let mut name = self.file.clone().into_os_string();
            name.push(format!(".{number}"));
            let free = PathBuf::from(name);
            match File::create_new(&free) {
                Ok(_) => {
                    fs::rename(&self.file, &free)?;
                    return Ok(Some(free));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Saves the game, without turns that were taken back.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write<const N: usize>(&self, cursor: &GameCursor<N>) -> io::Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let scenes: Vec<_> = cursor.game().iter().collect();
        let players = Seat::BOTH.map(|seat| scenes[0].name(seat).to_string());
        let mut more = Map::new();
        more.insert(KEY.into(), json!(self.players));
        let record = record_of_scenes(&scenes, players, more);
        let line = serde_json::to_string(&record)? + "\n";
        write_whole(&self.file, line.as_bytes())
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
        let autosave = Autosave {
            file: folder.path().join("below/game.json"),
            players: GamePlayers {
                second: true,
                against: OpponentKind::Engine,
                level: Some(3),
            },
        };
        let start: Position<5> = "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap();
        let scene = Scene::new(&start).named(["level 3", "you"]);
        let mut cursor = GameCursor::new(vec![scene]).unwrap();
        for turn in ["c2-c1+b1", "b3-b2+a1"] {
            cursor.play(Turn::parse::<5>(turn).unwrap());
            autosave.write(&cursor).unwrap();
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
