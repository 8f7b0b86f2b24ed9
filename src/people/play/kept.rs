//! The game that is being played, kept in a file after every turn, so that it can
//! be gone on with after Ctrl-C or a crash.
//!
//! The file is a record of one game, as tournaments write it, with the key `play`:
//! who plays. So it can be drawn and reviewed too.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::story::Story;
use crate::draw::Seat;
use crate::files::{Kind, write_whole};
use crate::protocol::exchange::write_board;
use crate::record::{Ending, FileError, GameRecord, read_games};

/// The file of a game that is kept.
pub const KEPT_FILE: Kind = Kind {
    name: "a game of `santorini play`",
    begins: |head| head.starts_with(b"{\"game\":"),
};

/// The key of [`Playing`] in the record.
const KEY: &str = "play";

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Playing {
    /// Whether the person plays second.
    pub second: bool,
    pub against: OpponentKind,
    /// The level of the engine, if not full strength.
    pub level: Option<u8>,
}

/// Whom the person plays against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpponentKind {
    Engine,
    Nobody,
    Program,
}

/// Where a game is kept.
#[derive(Clone, Debug)]
pub struct Keeper {
    pub file: PathBuf,
    pub playing: Playing,
}

/// Why no kept game can be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0} holds no game of `santorini play`")]
    Foreign(PathBuf),
}

/// The place for games where nothing else is said, by the rules for files of
/// programs on this system: `santorini/game.json` below `$XDG_STATE_HOME`, or
/// `~/.local/state`. `None` if there is no home.
pub fn usual_file() -> Option<PathBuf> {
    let folder = |name: &str| {
        env::var_os(name)
            .filter(|it| !it.is_empty())
            .map(PathBuf::from)
    };
    let state = folder("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("santorini/game.json"))
}

/// The kept game, and who plays it.
///
/// # Errors
/// If the file cannot be read, or holds something else or more.
pub fn read_kept(file: &Path) -> Result<(GameRecord, Playing), KeptError> {
    let foreign = || KeptError::Foreign(file.to_path_buf());
    let games: [GameRecord; 1] = read_games(file)?.try_into().map_err(|_| foreign())?;
    let [game] = games;
    let playing = game.more.get(KEY).cloned().ok_or_else(foreign)?;
    let playing = serde_json::from_value(playing).map_err(|_| foreign())?;
    Ok((game, playing))
}

impl Keeper {
    /// Keeps the game as it stands, without turns that were taken back.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep<const N: usize>(&self, story: &Story<N>) -> io::Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut line = serde_json::to_string(&self.record(story))?;
        line.push('\n');
        write_whole(&self.file, line.as_bytes())
    }

    fn record<const N: usize>(&self, story: &Story<N>) -> GameRecord {
        let scenes = story.game();
        let (first, last) = (&scenes[0], &scenes[scenes.len() - 1]);
        let ending = match last.winner() {
            None => Ending::Interrupted,
            Some(_)
                if last.position().has_turn() || last.last().is_some_and(|it| it.turn.wins()) =>
            {
                Ending::Win
            }
            Some(_) => Ending::NoTurnLeft,
        };
        let cards = Seat::BOTH.map(|seat| first.card(seat));
        let mut more = Map::new();
        more.insert(KEY.into(), json!(self.playing));
        GameRecord {
            game: 0,
            players: Seat::BOTH.map(|seat| first.name(seat).to_string()),
            cards: cards[0]
                .zip(cards[1])
                .map(|(first, second)| [first, second]),
            start: Some(write_board(first.position())),
            turns: scenes
                .iter()
                .filter_map(|scene| scene.turn_text())
                .collect(),
            seconds: Vec::new(),
            setup_seconds: Vec::new(),
            winner: last.winner().map(|seat| seat as u8),
            ending: ending.name().to_string(),
            why: None,
            pair: None,
            more,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Scene, record_scenes};
    use crate::rules::{Position, Turn};

    #[test]
    fn a_kept_game_is_gone_on_with_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = Keeper {
            file: folder.path().join("below/game.json"),
            playing: Playing {
                second: true,
                against: OpponentKind::Engine,
                level: Some(3),
            },
        };
        let start: Position<5> = "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap();
        let scene = Scene::new(&start).named(["level 3", "you"]);
        let mut story = Story::new(vec![scene]).unwrap();
        for turn in ["c2-c1+b1", "b3-b2+a1"] {
            story.play(Turn::parse::<5>(turn).unwrap());
            keeper.keep(&story).unwrap();
        }
        let (record, playing) = read_kept(&keeper.file).unwrap();
        let line = fs::read_to_string(&keeper.file).unwrap();
        let two = folder.path().join("two.jsonl");
        fs::write(&two, line.repeat(2)).unwrap();
        assert!(matches!(read_kept(&two), Err(KeptError::Foreign(_))));
        assert_eq!(playing, keeper.playing);
        assert_eq!(
            (record.ending.as_str(), record.winner),
            ("interrupted", None)
        );
        let scenes = record_scenes::<5>(&record).unwrap();
        assert_eq!(scenes.last().unwrap().position(), story.position());
        assert_eq!(scenes[0].name(Seat::Second), "you");
        fs::write(&keeper.file, "{\"game\":1,\"players\":[\"a\",\"b\"],\"start\":null,\"turns\":[],\"winner\":null,\"ending\":\"win\"}\n").unwrap();
        assert!(matches!(
            read_kept(&keeper.file),
            Err(KeptError::Foreign(_))
        ));
        assert!(matches!(read_kept(folder.path()), Err(KeptError::File(_))));
    }
}
