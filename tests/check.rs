//! Tests of `santorini check`.

use std::process::Output;

use serde_json::Value;

use crate::program::{errors, run, stdout};

const TOO_HIGH: &str = r#""too high"
{"players":[[[2,3],[4,4]],[[2,5],[3,5]]],"spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],"turn":18}
{"players":[[[2,5],[3,5]],[[2,3],[4,3]]],"spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],"turn":19}
"#;

fn check(options: &[&str], input: &str) -> (Output, Vec<String>, Vec<String>) {
    let output = run(&[&["check"], options].concat(), input);
    let lines = |text: String| text.lines().map(str::to_string).collect();
    let (said, why) = (lines(stdout(&output)), lines(errors(&output)));
    (output, said, why)
}

/// 282 real games with cards hold 4,396 turns, of which one is illegal.
#[test]
fn the_recorded_games_have_one_illegal_turn() {
    let mut input = String::new();
    for line in include_str!("data/card-games.jsonl").lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let name = game["game"].as_str().unwrap();
        for (turn, boards) in game["boards"].as_array().unwrap().windows(2).enumerate() {
            let (before, after) = (&boards[0], &boards[1]);
            input += &format!("\"game {name}, turn {turn}\" {before}\n{after}\n");
        }
    }
    let (output, said, why) = check(&["--why"], &input);
    assert!(output.status.success());
    let count = |word: &str| said.iter().filter(|line| *line == word).count();
    assert_eq!((count("\"ok\""), count("\"invalid\"")), (4395, 1));
    assert_eq!(said.len(), 2 * 4396);
    assert_eq!(
        why,
        [
            "\"game 157, turn 38\": nothing can be built on d3 (3,4), where the opponent's worker that was pushed there stands"
        ]
    );
}

#[test]
fn the_reason_is_shown_only_with_why() {
    let (output, said, why) = check(&["--why"], TOO_HIGH);
    assert!(output.status.success());
    assert_eq!(said, ["\"too high\"", "\"invalid\""]);
    assert_eq!(
        why,
        ["\"too high\": the worker on d4 (4,4) cannot step to c4 (4,3): from level 0 to 3"]
    );
    let (_, said, why) = check(&[], TOO_HIGH);
    assert_eq!(said, ["\"too high\"", "\"invalid\""]);
    assert!(why.is_empty());
}

#[test]
fn values_other_than_boards_are_invalid() {
    let input = "\"a \\\"b\\\"\\n\" [] {} \"next\" {\"turn\":0} [1]";
    let (output, said, why) = check(&["--why"], input);
    assert!(output.status.success());
    assert_eq!(
        said,
        [
            "\"a \\\"b\\\"\\n\"",
            "\"invalid\"",
            "\"next\"",
            "\"invalid\""
        ]
    );
    assert!(why[0].contains("the board before: "), "{why:?}");
    assert_eq!(why.len(), 2);
}

#[test]
fn a_broken_stream_is_an_error_with_its_position() {
    for (input, words) in [
        (
            "\"one\" {} ",
            "the input ends where the board after the turn should be",
        ),
        (
            "\"one\"\n{}\n\"two\"",
            "line 3, column 1: expected the board after the turn, found a string",
        ),
        (
            "\n{}",
            "line 2, column 1: expected a string that describes the next turn",
        ),
        (
            "\"one\" {} {} 7 ",
            "line 1, column 13: expected a string that describes the next turn, found 7",
        ),
        (
            "\"one\" 5 {}",
            "line 1, column 7: expected the board before the turn, found 5",
        ),
        ("hello", "line 1, column 1: not JSON"),
        ("\"one", "not JSON: the input ends inside a value"),
        (
            "\"one\" {'players': []}",
            "line 1, column 8: not JSON: expected a key in quotes or }, found '\\''; JSON has \
             double quotes only; in Python use json.dumps",
        ),
        ("\"one\"\n[(2, 3)]", "JSON has [ ] where Python has ( )"),
        ("\u{feff}\"one\" \u{feff}{}", "write UTF-8 without it"),
    ] {
        let (output, _, why) = check(&[], input);
        assert_eq!(output.status.code(), Some(1), "{input}");
        assert!(why[0].starts_with("santorini: standard input: "), "{why:?}");
        assert!(why[0].contains(words), "{input}: {why:?}");
    }
    let (output, _, why) = check(&["/nowhere/file"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(why[0].contains("/nowhere/file: No such file"), "{why:?}");
}
