//! The built-in player and player programs.

use super::{boards, contains, play, said};
use crate::place::fake;
use crate::program::{Program, errors, santorini, stdout};

#[test]
fn the_built_in_player_answers_in_either_seat() {
    let first = said(
        &["--time", "0.05"],
        &["hint", "b2 d4", "turns", "hint", "b2-b3+b2", "undo", "quit"],
    );
    contains(
        &first,
        &["would place", "engine places its workers on", "best turn: "],
    );
    contains(&first, &["X you, O engine"]);
    let shown = boards(&first);
    assert!(
        shown[1].starts_with("turn 1: O to move; X played b2-b3+b2"),
        "{shown:?}"
    );
    assert!(
        shown[2].starts_with("turn 2: X to move; O played "),
        "{shown:?}"
    );
    assert_eq!(shown[3], "turn 0: X to move");

    let second = said(
        &["--time", "0.05", "--second", "--cards", "Pan", "Atlas"],
        &["a1 e5", "quit"],
    );
    contains(
        &second,
        &[
            "the second player, who has Atlas",
            "X engine (Pan), O you (Atlas)",
        ],
    );
    assert!(boards(&second)[1].starts_with("turn 1: O to move; X played "));

    let six = said(
        &["--time", "0.05", "--size", "6"],
        &["f6 g1", "f6 e5", "go 2"],
    );
    assert_eq!(boards(&six).len(), 3);
    assert!(six.contains("columns a to f, rows 1 to 6"));
}

#[test]
fn a_player_program_can_be_the_opponent() {
    let random = fake("random", "random --seed 3");
    let text = said(
        &["--against", &random, "--cards", "Artemis", "Demeter"],
        &["b2 d4", "go", "go 4"],
    );
    contains(
        &text,
        &[
            "random places its workers on",
            "X you (Artemis), O random (Demeter)",
        ],
    );
    assert_eq!(boards(&text).len(), 6);
    let second = said(&["--second", "--against", &random], &["c3 c4"]);
    // The random player may have taken the space.
    contains(&second, &["random places its workers on"]);
}

#[test]
fn a_programs_fault_is_shown_and_the_game_goes_on() {
    let game = said(&["--against", "nobody"], &["b2 d4", "d2 b4", "json"]);
    let board = game.lines().find(|line| line.starts_with('{')).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.json");
    std::fs::write(&file, board).unwrap();
    let file = file.to_str().unwrap();
    let text = said(
        &["--from", file, "--against", "echo=cat", "--time", "5"],
        &["b2-b3+b2", "json", "go", "d2-d3+d2"],
    );
    // The person plays the even turns, so the program is asked after them.
    contains(
        &text,
        &[
            "Bad move by echo: no turn was made",
            "(type go to ask it again)",
        ],
    );
    assert_eq!(text.matches("Bad move by echo").count(), 2);
    assert!(text.contains("turn 2: X to move; O played d2-d3+d2"));
}

#[test]
fn a_program_that_cannot_start_is_refused_before_the_game() {
    let refusal = "santorini: cannot start it: ./no-such-program does not exist";
    let against = ["--against", "it=./no-such-program"];
    for web in [&[][..], &["--web"]] {
        let mut program = Program::start(santorini(&[&["play"], web, &against[..]].concat()));
        assert_eq!(program.wait(), Some(1), "{web:?}");
        let ended = program.end();
        assert_eq!(ended.output, [""; 0], "{web:?}");
        assert_eq!(ended.errors.last().unwrap(), refusal, "{web:?}");
    }
}

#[test]
fn a_program_has_the_time_limit_that_was_asked_for() {
    let late = fake("late", "late --seconds 100 --after 1");
    let options = ["--against", &late, "--time", "0.3", "--second"];
    let text = stdout(&play(&options, &["b2 d4"]));
    contains(&text, &["late sent no answer in ", "the limit is 0.3 s"]);
    // Its first answer includes its start.
    let late = fake("late", "late --seconds 100");
    let output = play(&["--against", &late, "--time", "0.3"], &["b2 d4"]);
    contains(
        &errors(&output),
        &["the limit is 2.3 s; it was the first answer"],
    );
}

#[test]
fn a_program_that_crashes_says_why() {
    let crash = "sh -c 'echo it broke >&2; exit 3'";
    let output = play(&["--against", crash, "--time", "5"], &["b2 d4"]);
    let message = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    contains(&message, &["exit code 3", "\n  standard error   it broke"]);
}
