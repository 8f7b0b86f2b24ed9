//! Players that keep running between games.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use santorini::program::{Player, TimeLimit};
use santorini::referee::{GameOptions, GameOutcome, play};

use crate::program::{HANG, SANTORINI};

fn fake(program: &Path, name: &str, kind: &str) -> Player {
    let command = format!("{} fake-player {kind}", program.display());
    Player::new(name, command.parse().unwrap(), TimeLimit::unannounced(HANG))
}

fn game(first: &mut Player, second: &mut Player) -> GameOutcome {
    let options = GameOptions {
        reuse: true,
        ..GameOptions::default()
    };
    play([first, second], &options, &AtomicBool::new(false), &mut ())
}

/// The ids of the running processes of a program.
fn running(program: &Path) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ours = entries.filter(|entry| {
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.split(|&byte| byte == 0).next() == Some(program.as_os_str().as_bytes())
    });
    let mut ids: Vec<String> = ours
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    ids.sort();
    ids
}

#[test]
fn good_players_stay_and_faulty_ones_restart() {
    // A unique name tells its processes from those of other tests.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("player");
    symlink(SANTORINI, &program).unwrap();
    let running = || running(&program);
    let mut first = fake(&program, "A", "random");
    let mut second = fake(&program, "B", "random --seed 2");
    let outcome = game(&mut first, &mut second);
    assert!(!outcome.ending.kind().is_fault(), "{outcome:?}");
    let ids = running();
    assert_eq!(ids.len(), 2);
    for _ in 0..5 {
        assert!(!game(&mut second, &mut first).ending.kind().is_fault());
        assert_eq!(running(), ids, "the same processes play on");
    }

    let mut crashing = fake(&program, "C", "crash --after 3");
    for _ in 0..2 {
        let outcome = game(&mut crashing, &mut first);
        assert_eq!(outcome.ending.kind().name(), "crashed");
        assert_eq!(outcome.winner, Some(1));
        // One placement and two turns, each by a new process.
        assert_eq!((outcome.setup_seconds.len(), outcome.seconds.len()), (2, 4));
        assert_eq!(running(), ids, "only the faulty one is gone");
    }

    drop((first, second, crashing));
    assert!(running().is_empty());
}
