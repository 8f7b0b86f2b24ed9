//! Players that stay running between games. The tests stand in a program of
//! their own, because they count the processes that it has started.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use santorini::referee::{GameOptions, GameOutcome, Patience, Player, play};

fn fake(name: &str, kind: &str) -> Player {
    let command = format!("{} fake-player {kind}", env!("CARGO_BIN_EXE_santorini"));
    Player::new(name, command.parse().unwrap())
}

fn game(first: &mut Player, second: &mut Player) -> GameOutcome {
    let mut options = GameOptions::new(Patience::new(Duration::from_secs(60)));
    options.reuse = true;
    play([first, second], &options, &AtomicBool::new(false), &mut ())
}

/// The marks of the player processes that this program has running.
fn running() -> Vec<String> {
    let start = format!("SANTORINI_PLAYER={}-", std::process::id());
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let marks = entries.filter_map(|entry| {
        let environment = fs::read(entry.path().join("environ")).ok()?;
        let variables = environment.split(|&byte| byte == 0);
        let mut texts = variables.map(|variable| String::from_utf8_lossy(variable).into_owned());
        texts.find(|text| text.starts_with(&start))
    });
    let mut marks: Vec<String> = marks.collect();
    marks.sort();
    marks
}

#[test]
fn good_players_stay_and_faulty_ones_start_anew() {
    let mut first = fake("A", "random");
    let mut second = fake("B", "random --seed 2");
    let outcome = game(&mut first, &mut second);
    assert!(!outcome.ending.kind().is_fault(), "{outcome:?}");
    let marks = running();
    assert_eq!(marks.len(), 2);
    for _ in 0..5 {
        assert!(!game(&mut second, &mut first).ending.kind().is_fault());
        assert_eq!(running(), marks, "the same processes play on");
    }

    let mut crashing = fake("C", "crash --after 3");
    for _ in 0..2 {
        let outcome = game(&mut crashing, &mut first);
        assert_eq!(outcome.ending.kind().name(), "crashed");
        assert_eq!(outcome.winner, Some(1));
        // One placement and two turns: each time by a new process.
        assert_eq!((outcome.setup_seconds.len(), outcome.seconds.len()), (2, 4));
        assert_eq!(running(), marks, "only the faulty one is gone");
    }

    drop((first, second, crashing));
    assert!(running().is_empty());
}
