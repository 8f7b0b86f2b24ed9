//! Games, cards, set-up and other options.

use std::fs;
use std::process::Stdio;

use santorini::jobs::NEVER;
use santorini::program::{Player, Termination, TimeLimit};
use santorini::referee::{GameOptions, play};
use santorini::rules::Card;

use super::{command, fake, loses, referee};
use crate::place::is_regular;
use crate::program::{HANG, errors};

#[test]
fn a_whole_game_is_played_and_reported() {
    let game = referee(&[], &fake("random"), &fake("random --seed 2"));
    assert_eq!(game.code, Some(0));
    let told: Vec<&str> = game.commentary.lines().collect();
    assert!(
        told[0].starts_with("Ada places its workers on "),
        "{told:?}"
    );
    assert!(told[1].starts_with("Bob places its workers on "));
    assert!(told[2].starts_with("turn 0: Ada "));
    assert!(told[3].starts_with("turn 1: Bob "));
    assert!(told[2].ends_with(" s)"), "the seconds are shown");
    assert_eq!(told.len(), 2 + (game.boards.len() - 1) + 1);
    assert!(is_regular(game.last_line()), "{}", game.last_line());
    for (turn, board) in game.boards.iter().enumerate() {
        let board: serde_json::Value = serde_json::from_str(board).unwrap();
        assert_eq!(board["turn"], turn);
    }
}

#[test]
fn a_game_with_cards_is_set_up_with_them() {
    let cards = ["--cards", "Hephastus", "Minotaur"];
    let game = referee(&cards, &fake("random"), &fake("random --seed 2"));
    assert_eq!(game.code, Some(0), "{}", game.commentary);
    let board: serde_json::Value = serde_json::from_str(&game.boards[0]).unwrap();
    assert_eq!(board["players"][0]["card"], "Hephastus");
    assert_eq!(board["players"][1]["card"], "Minotaur");
}

#[test]
fn every_pair_of_cards_is_played_to_a_valid_end() {
    let player = |name: &str, seed: u32| {
        let command = fake(&format!("random --seed {seed}"));
        Player::new(name, command.parse().unwrap(), TimeLimit::unannounced(HANG))
    };
    let (mut first, mut second) = (player("Ada", 1), player("Bob", 2));
    let mut options = GameOptions {
        reuse: true,
        ..GameOptions::default()
    };
    for pair in Card::pairs() {
        options.cards = pair.map(Some);
        let outcome = play([&mut first, &mut second], &options, &NEVER, &mut ());
        let message = outcome.message(["Ada", "Bob"]);
        assert!(!outcome.ending.kind().is_fault(), "{pair:?}: {message}");
        let mut board = outcome.start.unwrap();
        assert_eq!(board.cards(), options.cards);
        for &turn in &outcome.turns {
            board = board.play(turn);
        }
        let won_by_turn = outcome.turns.last().is_some_and(|turn| turn.wins());
        assert_eq!(won_by_turn, outcome.ending == Termination::Win);
        assert!(won_by_turn || !board.has_turn());
        let last_mover = (outcome.turns.len() + 1) % 2;
        assert_eq!(outcome.winner, Some(last_mover), "{pair:?}: {message}");
    }
}

#[test]
fn valid_answers_in_unusual_forms_are_accepted() {
    for kind in ["no-newline", "bytewise", "spacious", "chatty", "late"] {
        let game = referee(&[], &fake(kind), &fake("random"));
        let last = game.last_line();
        assert!(is_regular(last), "{kind}: {last}");
    }
    // A byte order mark before the first answer.
    let marked = format!(
        "sh -c 'printf \"\\357\\273\\277\"; exec {}'",
        fake("random")
    );
    let game = referee(&[], &marked, &fake("random"));
    assert!(!game.commentary.contains("not JSON"), "{}", game.commentary);
}

#[test]
fn the_set_up_can_be_given() {
    let options = [
        "--set-up", "a1e5", "b2d4", "--cards", "Pan", "Atlas", "--show",
    ];
    let game = referee(&options, &fake("random"), &fake("random --seed 2"));
    assert_eq!(game.code, Some(0));
    let start = "{\"players\":[{\"card\":\"Pan\",\"tokens\":[[1,1],[5,5]]},\
{\"card\":\"Atlas\",\"tokens\":[[2,2],[4,4]]}]";
    assert!(game.boards[0].starts_with(start), "{}", game.boards[0]);
    assert!(game.commentary.contains("+------+"), "boards are drawn");
}

#[test]
fn standard_error_is_logged_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stderr");
    let options = ["--stderr", file.to_str().unwrap()];
    loses(&options, &fake("crash --after 1"), "exit code 3");
    loses(&options, &fake("crash --after 2"), "exit code 3");
    let line = "Ada: fake player: crashing on purpose\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), line.repeat(2));
    loses(
        &[&options[..], &["--time", "0.5"]].concat(),
        &fake("flood-stderr"),
        "sent no answer",
    );
    let length = fs::metadata(&file).unwrap().len();
    assert!((1 << 20..16 << 20).contains(&length), "{length}");
}

#[test]
fn usage_errors_are_refused_before_a_game() {
    let over = "{\"players\":[[[2,3],[5,5]],[[1,1],[1,2]]],\"spaces\":[[0,0,0,0,0],\
[0,0,3,0,0],[0,0,3,0,0],[0,0,0,0,0],[0,0,0,0,0]],\"turn\":8}";
    for (options, words) in [
        (vec!["--cards", "Pan", "Pan"], "must differ"),
        (
            vec!["--set-up", "a1b2", "a1c3"],
            "two workers stand on space a1 (1,1)",
        ),
        (vec!["--start", "{}"], "--start: the board has no"),
        (vec!["--start", over], "the game is over"),
        (
            vec![
                "--start",
                "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0",
            ],
            "--start: it has 6x6 spaces; the referee's games have 5x5",
        ),
    ] {
        let game = referee(&options, &fake("random"), &fake("random"));
        assert_eq!(game.code, Some(2), "{options:?}");
        assert!(
            game.commentary.contains(words),
            "{options:?}: {}",
            game.commentary
        );
    }
    let game = referee(&[], "'unclosed", &fake("random"));
    assert_eq!(game.code, Some(2));
    let game = referee(
        &["--stderr", "/nowhere/file"],
        &fake("random"),
        &fake("random"),
    );
    assert_eq!(game.code, Some(1));
    assert!(
        game.commentary.contains("/nowhere/file: No such file"),
        "{}",
        game.commentary
    );
}

#[test]
fn a_closed_output_ends_the_game() {
    // The output is closed from the start: the game may be over in milliseconds.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = command(&[], &fake("random"), &fake("random --seed 2"))
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    // It reports what was played, and exits quietly.
    let commentary = errors(&output);
    assert!(!commentary.contains("Win by "), "{commentary}");
    assert!(!commentary.contains("standard output"), "{commentary}");
    assert_eq!(output.status.code(), Some(141));
}
