//! The file of a tournament: resuming after a kill or interruption, sharding, full disks.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use santorini::record::GameRecord;
use serde_json::Value;

use super::{Place, assert_whole, errors, fake, last_line, wait_for_lines};
use crate::place::players_of;
use crate::program::{SANTORINI, Signal, signal, success};

#[test]
fn killed_and_resumed() {
    let place = Place::new();
    let players = [
        fake("a", "late --seconds 0.01"),
        fake("b", "random --seed 2"),
    ];
    let words = "--rounds 10 --time 5 --output games.jsonl";
    let mut child = place.tournament(words, &players).spawn().unwrap();
    wait_for_lines(&place.path("games.jsonl"), 4);
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = place.games("games.jsonl");
    assert!(kept.len() >= 3 && kept.len() < 20);
    // A truncated line, as after a power failure.
    let text = fs::read_to_string(place.path("games.jsonl")).unwrap();
    fs::write(place.path("games.jsonl"), text + "{\"game\":19,\"pl").unwrap();

    let refused = place.run(words, &players);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        errors(&refused).contains("--resume"),
        "{}",
        errors(&refused)
    );

    let other = place.run(&format!("{words} --resume --seed 5 --grace 0"), &players);
    assert_eq!(other.status.code(), Some(2));
    for setting in [
        "seed is 1 there and 5 here",
        "grace is 0.1 there and 0.0 here",
    ] {
        assert!(errors(&other).contains(setting), "{}", errors(&other));
    }

    let outcome = place.json(&format!("{words} --resume"), &players);
    assert_eq!(outcome["games"], 20);
    let games = place.games("games.jsonl");
    assert_whole(&games, 20);
    assert_eq!(games[..kept.len()], kept);

    let shorter = words.replace("10", "9");
    let refused = place.run(&format!("{shorter} --resume"), &players);
    assert_eq!(refused.status.code(), Some(2));
    let told = errors(&refused);
    assert!(told.contains("use --rounds 10 or more"), "{told}");
    assert_eq!(place.games("games.jsonl"), games);

    // A finished tournament continues if more rounds are requested.
    let longer = words.replace("10", "11");
    let outcome = place.json(&format!("{longer} --resume"), &players);
    assert_eq!(outcome["games"], 22);
    assert_whole(&place.games("games.jsonl"), 22);
}

#[test]
fn an_interrupted_tournament_resumes_by_its_last_line() {
    let place = Place::new();
    let players = [
        format!("it=sh -c 'exec {SANTORINI} fake-player random'"),
        fake("a", "late --seconds 0.01"),
        fake("b", "random --seed 2"),
    ];
    let child = place
        .tournament("--rounds 4 --time 5 --jobs 2", &players)
        .spawn()
        .unwrap();
    wait_for_lines(&place.path("tournament-1.jsonl"), 4);
    let id = child.id();
    signal(id, Signal::SIGINT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
    assert_eq!(players_of(id), [0; 0], "players are left behind");
    let command = last_line(&output);
    assert!(
        command.contains("--resume --output tournament-1.jsonl"),
        "{command}"
    );

    let resumed = Command::new("sh")
        .args(["-c", &command])
        .current_dir(place.folder())
        .output()
        .unwrap();
    let table = success(&resumed);
    assert_whole(&place.games("tournament-1.jsonl"), 24);
    assert!(!place.path("tournament-2.jsonl").exists());
    assert!(table.starts_with("24 of 24 games;"), "{table}");
}

#[test]
fn a_file_that_the_user_did_not_name_replaces_nothing() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random --seed 2")];
    symlink("elsewhere", place.path("tournament-1.jsonl")).unwrap();
    fs::write(place.path("tournament-2.jsonl.killed"), "my own notes\n").unwrap();
    success(&place.run("--rounds 1 --time 5", &players));
    assert!(!place.path("elsewhere").exists());
    assert_eq!(place.games("tournament-2.jsonl").len(), 2);
    let notes = fs::read_to_string(place.path("tournament-2.jsonl.killed"));
    assert_eq!(notes.unwrap(), "my own notes\n");
}

/// The outcome without what depends on the clock.
pub(super) fn without_times(mut outcome: Value) -> Value {
    for player in outcome["players"].as_array_mut().unwrap() {
        for key in ["mean_seconds", "worst_seconds"] {
            player[key] = Value::Null;
        }
    }
    outcome
}

#[test]
fn four_shards_merge_to_the_table_of_one_run() {
    let place = Place::new();
    // New processes for each game, so that a game depends only on its opening.
    let players = [
        fake("a", "random --wins"),
        fake("b", "random --seed 2"),
        fake("c", "crash --after 12"),
    ];
    let words = "--rounds 4 --openings 2 --seed 11 --time 5 --keep-going";
    let whole = place.json(&format!("{words} --output whole.jsonl"), &players);
    let files = [1, 2, 3, 4].map(|shard| format!("{shard}.jsonl"));
    let running: Vec<_> = (1..=4)
        .map(|shard| {
            let words = format!("{words} --shard {shard}/4 --output {shard}.jsonl");
            place.tournament(&words, &players).spawn().unwrap()
        })
        .collect();
    for shard in running {
        assert!(shard.wait_with_output().unwrap().status.success());
    }
    let merged = place.json("merge --output merged.jsonl", &files);
    assert_eq!(without_times(merged), without_times(whole));
    assert_whole(&place.games("merged.jsonl"), 24);
    let same = |name: &str| -> Vec<(u64, Vec<String>)> {
        let mut games = place.games(name);
        games.sort_by_key(|game| game.game);
        games
            .into_iter()
            .map(|game| (game.game, game.turns))
            .collect()
    };
    assert_eq!(same("merged.jsonl"), same("whole.jsonl"));

    let twice = place.run("merge", &[files[0].clone(), files[0].clone()]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(
        errors(&twice).contains("appears twice"),
        "{}",
        errors(&twice)
    );
    let some = place.run("merge", &files[..3]);
    assert!(some.status.success());
    assert!(
        errors(&some).contains("6 of 24 games are missing"),
        "{}",
        errors(&some)
    );
    place.json(
        "--rounds 1 --seed 12 --openings 2 --time 5 --output other.jsonl",
        &players,
    );
    let other = place.run("merge", &["1.jsonl".into(), "other.jsonl".into()]);
    assert_eq!(other.status.code(), Some(2));
    assert!(errors(&other).contains("seed is 12"), "{}", errors(&other));
}

#[test]
fn an_unwritable_file_is_an_error_before_any_game() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random")];
    fs::create_dir(place.path("folder")).unwrap();
    for (file, cause) in [
        ("/dev/full", "No space left"),
        ("no/such/folder/games.jsonl", "No such file"),
        ("folder", "directory"),
    ] {
        let output = place.run(&format!("--output {file}"), &players);
        assert_eq!(output.status.code(), Some(1), "{file}");
        assert!(
            errors(&output).contains(cause),
            "{file}: {}",
            errors(&output)
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_full_disk_loses_no_game() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random --seed 3")];
    // The system refuses to let files grow beyond 10 KiB.
    let command = place.tournament("--rounds 20 --time 5 --output games.jsonl", &players);
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<&str> = words.map(|word| word.to_str().unwrap()).collect();
    let script = format!("ulimit -f 20; exec {}", shlex::try_join(words).unwrap());
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(place.folder())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let text = errors(&output);
    assert!(text.contains("games.jsonl: File too large"), "{text}");
    // The file has complete lines only, and the game that did not fit is printed.
    let kept = place.games("games.jsonl");
    assert!(!kept.is_empty() && kept.len() < 40);
    let lost = text
        .lines()
        .find_map(|line| serde_json::from_str::<GameRecord>(line).ok());
    assert_eq!(lost.unwrap().game, kept.len() as u64);
    let resumed = Command::new("sh")
        .args(["-c", &last_line(&output)])
        .current_dir(place.folder())
        .output()
        .unwrap();
    assert!(resumed.status.success(), "{}", errors(&resumed));
    assert_whole(&place.games("games.jsonl"), 40);
}
