//! Failing players: the match ends, says why, and can be resumed.

use std::fs;
use std::process::Command;

use super::{Place, assert_whole, errors, fake, last_line};
use crate::program::{SANTORINI, stdout, success, write_program};

/// Writes to its standard error and exits, like a script with a bug.
const BROKEN: &str = "broken=sh -c 'echo Traceback: no such module >&2; exit 1'";

#[test]
fn a_player_that_cannot_start_ends_the_tournament() {
    let place = Place::new();
    let players = [fake("a", "random"), "late=./player".to_string()];
    for words in ["--rounds 3 --output g.jsonl", "--sprt 0 5 --output s.jsonl"] {
        let output = place.run(words, &players);
        assert_eq!(output.status.code(), Some(1), "{words}");
        let told = errors(&output);
        assert!(
            told.contains("cannot start late: ./player does not exist"),
            "{told}"
        );
        assert!(told.contains("--keep-going"), "{told}");
        let table = stdout(&output);
        assert!(
            !table.contains("inf") && !table.contains("accepted"),
            "{table}"
        );
    }
    assert_eq!(place.games("g.jsonl").len(), 1);
    assert_eq!(place.games("s.jsonl").len(), 1);
    // Once the program exists, the rest is played.
    let script = format!("#!/bin/sh\nexec {SANTORINI} fake-player random\n");
    write_program(&place.path("player"), script);
    let output = place.run("--rounds 3 --output g.jsonl --resume", &players);
    assert!(output.status.success(), "{}", errors(&output));
    assert_whole(&place.games("g.jsonl"), 6);
}

#[test]
fn a_lack_of_files_is_no_fault_of_a_player() {
    let place = Place::new();
    let players = ["1", "2"].map(|seed| fake(seed, &format!("late --seconds 0.2 --seed {seed}")));
    for (limit, words) in [
        ("40", "--keep-going"),
        // Fails in the check before the games.
        ("10", "--keep-going --check --isolate off"),
    ] {
        let words = format!("--rounds 20 --jobs 20 --time 5 --output {limit}.jsonl {words}");
        let command = place.tournament(&words, &players);
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words = shlex::try_join(words.map(|word| word.to_str().unwrap())).unwrap();
        // Open files of the tests' own parent would count.
        let no_others: String = (3..10).map(|file| format!(" {file}>&-")).collect();
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -n {limit}; exec {words}{no_others}")])
            .current_dir(place.folder())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{limit}: {output:?}");
        let told = errors(&output);
        assert!(
            told.contains("the limit on open files is reached (ulimit -n); use a higher limit"),
            "{limit}: {told}"
        );
        assert!(
            !told.contains("cannot start 1") && !told.contains("FAILS"),
            "{told}"
        );
        assert!(last_line(&output).contains(" tournament "), "{told}");
    }
    let games = place.games("40.jsonl");
    assert!(games.iter().all(|game| game.why.is_none()), "{games:?}");
}

#[test]
fn ten_games_lost_by_faults_end_the_tournament() {
    let place = Place::new();
    let players = [fake("a", "random"), BROKEN.to_string()];
    let output = place.run("--rounds 10 --output games.jsonl", &players);
    assert_eq!(output.status.code(), Some(1));
    let told = errors(&output);
    for part in [
        "broken lost 10 of 10 games by faults. Game 10: broken exited without an answer",
        "\n  standard error   Traceback: no such module\n",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(last_line(&output).contains("tournament --resume --rounds 10"));
    assert_eq!(place.games("games.jsonl").len(), 10);
    let output = place.run(
        "--rounds 10 --output games.jsonl --resume --keep-going",
        &players,
    );
    let table = success(&output);
    assert_whole(&place.games("games.jsonl"), 20);
    assert!(
        table.contains("broken failed in all of its 20 games"),
        "{table}"
    );
}

#[test]
fn a_short_tournament_of_faults_only_fails() {
    let place = Place::new();
    let players = [fake("a", "random"), BROKEN.to_string()];
    let output = place.run("--rounds 1 --output games.jsonl", &players);
    assert_eq!(output.status.code(), Some(1));
    let told = errors(&output);
    assert!(
        told.contains("broken lost 2 of 2 games by faults"),
        "{told}"
    );
    assert!(
        told.contains("Traceback") && !told.contains("--resume"),
        "{told}"
    );
    assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 1);
}
