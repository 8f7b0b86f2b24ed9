//! The player program over real pipes, against every rule of the exchange protocol.

use std::io::{Read, Write, pipe};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{Ended, Program, player};
use crate::reference::Board;

/// The example board of the protocol; c4 can step up to win.
pub fn example() -> Value {
    json!({
        "players": [[[2, 3], [4, 4]], [[2, 5], [3, 5]]],
        "spaces": [[0, 0, 0, 0, 2], [1, 1, 2, 0, 0], [1, 0, 0, 3, 0], [0, 0, 3, 0, 0], [0, 0, 0, 1, 4]],
        "turn": 18
    })
}

/// A board with cards, Pan to move.
pub fn example_with_cards() -> Value {
    let mut board = example();
    board["players"] = json!([
        {"card": "Pan", "tokens": [[1, 1], [5, 1]]},
        {"card": "Atlas", "tokens": [[2, 5], [3, 5]]}
    ]);
    board
}

/// An end without further output.
const SILENT_END: Ended = Ended {
    output: vec![],
    errors: vec![],
    code: Some(0),
};

/// Runs the command on this input to its end.
pub fn run(command: Command, input: &[u8]) -> Ended {
    let mut program = Program::start(command);
    program.send(input);
    program.end()
}

pub fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// Checks that the answer is the board after a legal turn.
pub fn assert_legal(board: &Value, answer: &str) {
    let legal = Board::from_json(board).after_turns();
    assert!(
        legal.contains(&Board::from_json(&parse(answer))),
        "{answer} to {board}"
    );
}

/// Checks for two different spaces of the board that are not taken.
fn assert_placed(tokens: &Value, taken: &[[u64; 2]]) {
    let mut spaces: Vec<[u64; 2]> = serde_json::from_value(tokens.clone()).unwrap();
    assert_eq!(spaces.len(), 2);
    spaces.extend(taken);
    assert!(
        spaces.iter().flatten().all(|d| (1..=5).contains(d)),
        "{spaces:?}"
    );
    spaces.sort_unstable();
    assert!(spaces.windows(2).all(|two| two[0] != two[1]), "{spaces:?}");
}

#[test]
fn set_ups_are_answered_in_both_seats() {
    let inputs = concat!(
        r#"[] [[[4,3],[2,3]]] [{"card":"Pan"},{"card":"Atlas"}]"#,
        r#"[{"card":"Pan"},{"card":"Atlas","tokens":[[4,3],[2,3]]}]"#,
    );
    let ended = run(player("0.05"), inputs.as_bytes());
    assert_eq!((ended.code, &ended.errors), (Some(0), &vec![]));
    let [first, second, first_card, second_card] = &ended.output[..] else {
        panic!("{ended:?}")
    };
    let first = parse(first);
    assert_eq!(first.as_array().unwrap().len(), 1);
    assert_placed(&first[0], &[]);
    // The first player's workers stay as given, in order.
    let second = parse(second);
    assert_eq!(second.as_array().unwrap().len(), 2);
    assert_eq!(second[0], json!([[4, 3], [2, 3]]));
    assert_placed(&second[1], &[[4, 3], [2, 3]]);
    let first = parse(first_card);
    assert_eq!(first[0], json!({"card": "Atlas"}));
    assert_eq!(first[1]["card"], "Pan");
    assert_placed(&first[1]["tokens"], &[]);
    let second = parse(second_card);
    assert_eq!(
        second[0],
        json!({"card": "Atlas", "tokens": [[4, 3], [2, 3]]})
    );
    assert_eq!(second[1]["card"], "Pan");
    assert_placed(&second[1]["tokens"], &[[4, 3], [2, 3]]);
}

#[test]
fn boards_of_unrelated_games_are_answered_in_any_order() {
    let mut later = example();
    later["players"] = json!([[[1, 1], [5, 1]], [[2, 5], [3, 5]]]);
    let boards = [
        example(),
        example_with_cards(),
        later.clone(),
        example(),
        later,
    ];
    let mut program = Program::start(player("0.05"));
    program.send(b"[]");
    program.line();
    for board in &boards {
        program.send(board.to_string().as_bytes());
        assert_legal(board, &program.line());
    }
    assert_eq!(program.end(), SILENT_END);
}

#[test]
fn a_win_is_played_without_a_build() {
    let ended = run(player("5"), example().to_string().as_bytes());
    let mut won = example();
    won["players"] = json!([[[2, 5], [3, 5]], [[3, 4], [4, 4]]]);
    won["turn"] = json!(19);
    assert_eq!(ended.output.len(), 1);
    assert_eq!(parse(&ended.output[0]), won);
}

#[test]
fn an_answer_needs_only_the_closing_bracket() {
    let mut program = Program::start(player("0.02"));
    let board = example().to_string();
    let (start, last) = board.as_bytes().split_at(board.len() - 1);
    for &byte in start {
        program.send(&[byte]);
    }
    program.send(last);
    assert_legal(&example(), &program.line());
    // Several values in one write, white space wherever JSON allows it.
    let spread = board.replace(',', " ,\r\n\t").replace('[', "[ \n");
    program.send(format!("{spread}{board}\n\n{board}").as_bytes());
    for _ in 0..3 {
        assert_legal(&example(), &program.line());
    }
    assert_eq!(program.end().code, Some(0));
}

#[test]
fn no_input_needs_no_answer() {
    for input in ["", " \n\t\r\n"] {
        assert_eq!(run(player("0.02"), input.as_bytes()), SILENT_END);
    }
}

/// The example with one thing changed.
pub fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut board = example();
    change(&mut board);
    board.to_string()
}

#[test]
fn invalid_input_is_named_on_one_line_and_skipped() {
    let stuck = json!({
        "players": [[[1, 1], [1, 2]], [[2, 1], [2, 2]]],
        "spaces": [[0, 0, 4, 0, 0], [0, 0, 4, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
        "turn": 9
    });
    let cases = [
        ("nonsense".into(), "line 1, column 2: not JSON"),
        (
            "5".into(),
            "line 1, column 1: expected an array or an object, found 5",
        ),
        (
            " \"[]\"".into(),
            "line 1, column 2: expected an array or an object",
        ),
        ("[[]]".into(), "the first player"),
        ("[1,2,3]".into(), "the set-up array"),
        (
            "[[[1,1],[1,1]]]".into(),
            "two workers stand on space a1 (1,1)",
        ),
        ("[[[1,1],[1,6]]]".into(), "from 1 to 5"),
        (
            r#"[{"card":"Pan"},{"card":"Zeus"}]"#.into(),
            "no card is called \"Zeus\"",
        ),
        (
            r#"[{"card":"Pan"},{"card":"Pan"}]"#.into(),
            "both players have the card Pan",
        ),
        (
            r#"[{"card":"Pan"},[[1,1],[2,2]]]"#.into(),
            "the second player",
        ),
        (r#"[{"card":"Pan"}]"#.into(), "the set-up array"),
        (
            r#"[{"card":"Pan","tokens":[[1,1],[2,2]]},{"card":"Atlas"}]"#.into(),
            "tokens",
        ),
        ("{}".into(), "the board has no \"spaces\""),
        (
            changed(|board| board["spaces"][4][4] = json!(5)),
            "spaces, row 5, column 5: expected a level",
        ),
        (
            changed(|board| board["spaces"][4][4] = json!(-1)),
            "row 5, column 5",
        ),
        (
            changed(|board| board["spaces"][2] = json!([0, 0, 0, 0])),
            "spaces, row 3: expected an array of 5",
        ),
        (
            changed(|board| board["spaces"] = json!(vec![[0; 6]; 6])),
            "spaces: expected an array of 5 rows",
        ),
        (
            changed(|board| board["turn"] = json!("18")),
            "turn: expected a whole number",
        ),
        (
            changed(|board| board["turn"] = json!(-1)),
            "turn: expected a whole number",
        ),
        (
            changed(|board| board["players"][0][0] = json!([4, 4])),
            "two workers stand on space d4 (4,4)",
        ),
        (
            changed(|board| board["players"][0][0] = json!([2, 5])),
            "two workers stand on space e2 (2,5)",
        ),
        (
            changed(|board| board["players"][0][0] = json!([5, 5])),
            "a worker stands on space e5 (5,5)",
        ),
        (
            changed(|board| board["players"][0][0] = json!([0, 1])),
            "players[0]: expected a space",
        ),
        (
            changed(|board| board["players"][0] = json!([[1, 1]])),
            "players[0]: expected an array of 2",
        ),
        (
            changed(|board| board["players"][1] = json!({"card": "Pan"})),
            "players[1], tokens",
        ),
        (
            changed(|board| {
                board["players"][1] = json!({"card": "Pan", "tokens": [[1, 1], [1, 2]]})
            }),
            "one player has the card Pan and the other has none",
        ),
        (
            changed(|board| board["players"][0][0] = json!([3, 4])),
            "the game is over: a worker stands on level 3",
        ),
        (
            stuck.to_string(),
            "the game is over: the player to move cannot move and build",
        ),
        (
            format!("{}{}", "[".repeat(65), "]".repeat(65)),
            "nested more than 64 deep",
        ),
        (
            format!("[{}]", " ".repeat(1 << 20)),
            "more than 1048576 bytes",
        ),
    ];
    for (input, reason) in cases {
        let ended = run(
            player("0.02"),
            format!("{input}\n{}\n", example()).as_bytes(),
        );
        assert_eq!(ended.errors.len(), 1, "{input}: {ended:?}");
        let error = &ended.errors[0];
        assert!(error.starts_with("santorini: line 1, column "), "{error}");
        assert!(error.contains(reason), "{error} names {reason}");
        assert!(error.len() < 250, "{error}");
        assert_eq!(ended.output.len(), 1, "{input}");
        assert_legal(&example(), &ended.output[0]);
        assert_eq!(ended.code, Some(1), "{input}");
    }
}

#[test]
fn unknown_keys_are_ignored() {
    let input = changed(|board| board["comment"] = json!({"by": ["a", "referee"]}));
    let ended = run(player("0.02"), input.as_bytes());
    assert_eq!(
        (ended.output.len(), ended.errors.len(), ended.code),
        (1, 0, Some(0))
    );
}

#[test]
fn truncated_input_is_invalid() {
    let board = example().to_string();
    let ended = run(player("0.02"), &board.as_bytes()[..board.len() - 1]);
    assert_eq!(
        (ended.output.len(), ended.errors.len(), ended.code),
        (0, 1, Some(1))
    );
    assert!(ended.errors[0].contains("the input ends inside a value"));
}

#[test]
fn a_closed_output_is_an_error() {
    let (closed, output) = pipe().unwrap();
    drop(closed);
    let mut command = player("0.02");
    command
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // Two boards: another test that starts a program just then holds the closed end for a
    // moment. The input stays open: the closed output ends the program.
    let boards = format!("{0}\n{0}\n", example());
    input.write_all(boards.as_bytes()).unwrap();
    let mut errors = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut errors).unwrap();
    let message = "santorini: standard output: Broken pipe (os error 32)\n";
    assert_eq!(errors, message);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn an_invalid_time_variable_is_named_but_ignored() {
    for seconds in ["soon", "", "-1", "0", "inf", "1e99"] {
        let ended = run(player(seconds), example().to_string().as_bytes());
        assert_eq!((ended.output.len(), ended.code), (1, Some(0)), "{seconds}");
        assert_eq!(ended.errors.len(), 1);
        assert!(
            ended.errors[0].contains("SANTORINI_TIME"),
            "{}",
            ended.errors[0]
        );
    }
}

#[test]
fn the_player_subcommand_takes_options() {
    let with = |arguments: &[&str]| {
        let mut command = player("3600");
        command.arg("player").args(arguments);
        command
    };
    let board = example_with_cards();
    for arguments in [
        ["--time", "0.05", "--hash", "1"],
        ["--hash", "3", "--time", ".05"],
        ["--overhead", "0", "--time", "0.05"],
        ["--time", "0.02", "--overhead", "60"],
    ] {
        let ended = run(with(&arguments), board.to_string().as_bytes());
        assert_legal(&board, &ended.output[0]);
        assert_eq!(ended.code, Some(0));
    }
}
