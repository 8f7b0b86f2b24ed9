//! FILE.killed, beside the games in FILE: the players that ran when a tournament or rating
//! was killed, one line of JSON for each kill. It is written after a kill, read when the
//! games are resumed, and removed when they end.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf, absolute};

use nix::libc;

use super::isolate::IsolateArgs;
use super::output::say;
use crate::files::{Kind, open_regular};
use crate::printable::listed;
use crate::program::note_kills_in;

/// The maximum number of bytes to read.
const MOST: u64 = 1 << 20;

/// The file of kills: its first line is a list of names. A line may be longer than the bytes
/// that are examined.
const KILLS_FILE: Kind = Kind {
    name: "a list of kills",
    begins: |head| match head.iter().position(|&byte| byte == b'\n') {
        Some(end) => serde_json::from_slice::<Vec<String>>(&head[..end]).is_ok(),
        None => head.starts_with(b"[\""),
    },
};

/// Adds a line to the file. Called by the guard. A symbolic link is not followed, because the
/// name is not the user's choice.
///
/// # Errors
/// If it cannot be written, or is another kind of file.
pub(super) fn note_kill(file: &Path, players: &[String]) -> io::Result<()> {
    if file.exists() && !KILLS_FILE.is_of(file)? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let line = serde_json::to_string(players)? + "\n";
    let mut options = File::options();
    options
        .append(true)
        .create(true)
        .custom_flags(libc::O_NOFOLLOW);
    options.open(file)?.write_all(line.as_bytes())
}

/// Reports who played when earlier runs with these games were killed, and arranges
/// for a kill of this run to be noted. The file of the games need not exist yet.
pub(super) fn say_and_note(games: &Path, isolate: &IsolateArgs) {
    // Games in a pipe or device have no file beside them.
    let Some(file) = kills_file(games) else {
        return;
    };
    if let Some(text) = earlier(&read(&file)) {
        let advice = match isolate.is_off() {
            true => "; if a player did it, --isolate processes keeps it from doing so",
            false => "",
        };
        say(&format!("santorini: {text}{advice}"));
    }
    note_kills_in(file);
}

/// Removes the file, once the games have ended. A file of another kind stays.
pub(super) fn forget(games: &Path) {
    // Usually there is none.
    if let Some(file) = kills_file(games)
        && KILLS_FILE.is_of(&file).is_ok_and(|is_ours| is_ours)
    {
        let _ = fs::remove_file(file);
    }
}

fn kills_file(games: &Path) -> Option<PathBuf> {
    let games = absolute(games).ok()?;
    if games.exists() && !games.is_file() {
        return None;
    }
    let mut name = games.file_name()?.to_os_string();
    name.push(".killed");
    Some(games.with_file_name(name))
}

/// The players of each kill. Invalid lines are ignored.
fn read(file: &Path) -> Vec<Vec<String>> {
    let mut text = String::new();
    // A file that cannot be read counts as empty. A player may have put a pipe in its place.
    if let Ok(file) = open_regular(file) {
        let _ = file.take(MOST).read_to_string(&mut text);
    }
    let lines = text.lines();
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// One line about the kills; `None` without any.
fn earlier(kills: &[Vec<String>]) -> Option<String> {
    let last = kills.last()?;
    if kills.len() == 1 {
        let players = listed(last);
        return Some(format!("an earlier run was killed while {players} played"));
    }
    let mut always: BTreeSet<&String> = last.iter().collect();
    for players in kills {
        always.retain(|name| players.contains(name));
    }
    let always: Vec<&String> = always.into_iter().collect();
    let who = match always.is_empty() {
        true => "no player ran each time".to_string(),
        false => format!("each time while {} played", listed(&always)),
    };
    Some(format!("{} earlier runs were killed, {who}", kills.len()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn repeated_kills_name_who_always_played() {
        let kills = |games: &[[&str; 2]]| -> Vec<Vec<String>> {
            games
                .iter()
                .map(|names| names.map(String::from).to_vec())
                .collect()
        };
        assert_eq!(earlier(&[]), None);
        let said = |games: &[[&str; 2]]| earlier(&kills(games)).unwrap();
        assert!(said(&[["Ada", "Bob"]]).starts_with("an earlier run was killed while Ada and Bob"));
        let twice = said(&[["Ada", "Bob"], ["Bob", "Cleo"]]);
        assert!(twice.starts_with("2 earlier runs were killed, each time while Bob played"));
        let others = said(&[["Ada", "Bob"], ["Cleo", "Dan"]]);
        assert!(others.contains("no player ran each time"));
    }

    #[test]
    fn a_kill_is_noted_beside_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.jsonl");
        let file = kills_file(&games).unwrap();
        assert!(read(&file).is_empty());
        let players = ["Ada", "two\nlines"].map(String::from);
        note_kill(&file, &players).unwrap();
        note_kill(&file, &players).unwrap();
        assert_eq!(read(&file), [players.to_vec(), players.to_vec()]);
        fs::write(&file, "[\"Ada\"]\n[1\n[\"Bob\"]\n").unwrap();
        assert_eq!(read(&file), [["Ada"], ["Bob"]]);
        forget(&games);
        assert!(!file.exists());
        assert_eq!(kills_file(Path::new("/dev/null")), None);
    }

    #[test]
    fn a_pipe_in_its_place_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.jsonl.killed");
        nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(read(&file).is_empty());
        assert!(note_kill(&file, &["Ada".to_string()]).is_err());
    }

    #[test]
    fn a_file_of_another_kind_stays() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.jsonl");
        let file = kills_file(&games).unwrap();
        let players = ["Ada".to_string()];
        for notes in ["my own notes", "[x] a task\n[\"Ada\"]\n"] {
            fs::write(&file, notes).unwrap();
            assert!(note_kill(&file, &players).is_err(), "{notes}");
            forget(&games);
            assert_eq!(fs::read_to_string(&file).unwrap(), notes);
        }
        fs::remove_file(&file).unwrap();
        symlink("elsewhere", &file).unwrap();
        assert!(note_kill(&file, &players).is_err());
        assert!(!folder.path().join("elsewhere").exists());
    }
}
