//! Tests of `santorini review`: all kinds of games, in all output formats.

use std::process::Output;

use serde_json::Value;

use crate::program::{errors, run, success};

const CARDS: &str = "tests/data/card-games.jsonl";

fn review(arguments: &[&str]) -> Output {
    run(&[&["review", "--nodes", "500"], arguments].concat(), "")
}

#[test]
fn a_game_with_cards_is_reviewed_in_every_format() {
    let chosen = [CARDS, "--game", "5"];
    let said = success(&review(&chosen));
    assert!(
        said.starts_with("The chance of winning for X first player ("),
        "{said}"
    );
    assert!(
        said.contains("\n  100% |") && said.contains("judged"),
        "{said}"
    );
    let json = success(&review(&[&chosen[..], &["--json"]].concat()));
    let value: Value = serde_json::from_str(&json).unwrap();
    let turns = value["turns"].as_array().unwrap();
    assert_eq!(value["chances"].as_array().unwrap().len(), turns.len() + 1);
    let [first, second] = [0, 1].map(|player| value["summary"][player]["turns"].as_u64().unwrap());
    assert_eq!((first + second) as usize, turns.len());
    for turn in turns {
        let lost = turn["lost"].as_f64().unwrap();
        let blunder = turn["judgement"] == "blunder";
        assert_eq!(blunder, lost >= 0.2, "{turn}");
    }
    // The output is reproducible.
    assert_eq!(success(&review(&[&chosen[..], &["--json"]].concat())), json);

    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("review.html").display().to_string();
    success(&review(&[&chosen[..], &["--html", &page]].concat()));
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("<title>Review of a game</title>") && html.contains("\"chances\""));
    success(&review(&[&chosen[..], &["--html", &page]].concat()));
    let refused = review(&[&chosen[..], &["--html", "Cargo.toml"]].concat());
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn input_other_than_one_game_is_refused() {
    let board = r#"{"players":[[[2,3],[4,3]],[[3,2],[3,4]]],"spaces":[[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]],"turn":0}"#;
    for (input, arguments, message) in [
        (
            "",
            &[CARDS][..],
            "more than one game; choose one with --game N",
        ),
        ("", &["-"], "there is no game to review"),
        (board, &["-"], "the game has no turn to review"),
        ("nonsense", &["-"], "JSON"),
    ] {
        let output = run(&[&["review"], arguments].concat(), input);
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn the_text_ends_with_the_end_of_the_game() {
    let games = "tests/data/outputs/input/faults.jsonl";
    for (number, end) in [
        ("2", "\n\nwins wins\n"),
        (
            "3",
            "\n\nwins wins, crashed: Error: crash ended without an answer: exit code 3\n",
        ),
    ] {
        let said = success(&review(&[games, "--game", number]));
        assert!(said.ends_with(end), "{said}");
    }
}
