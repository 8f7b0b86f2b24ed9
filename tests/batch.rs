//! `santorini analyze --json` and `--batch`: many positions, answered on all cores.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::program::{Program, Signal, run, santorini, signal, stdout};

const BOARD: &str = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
/// Pan can win by a step down.
const PAN_WINS: &str = "01210/11011/01221/10201/00200 c4e3 b2d4 15 Pan Prometheus";
const SIX: &str = "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0";

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The answers to these queries by id. Each is answered once.
fn answers(queries: &[Value], options: &[&str]) -> HashMap<String, Value> {
    let input: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let words = [&["analyze", "--batch", "--hash", "8"], options].concat();
    let output = run(&words, &input);
    let mut by_id = HashMap::new();
    for mut answer in lines(&output.stdout) {
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("seconds");
        }
        let id = answer["id"].to_string();
        assert!(by_id.insert(id.clone(), answer).is_none(), "{id} twice");
    }
    by_id
}

#[test]
fn the_example_in_the_help_is_what_the_program_writes() {
    let help = stdout(&run(&["help", "analyze"], ""));
    let after = |start: &str| help.split_once(start).unwrap().1;
    let query = after("is a query:\n").trim_start().lines().next().unwrap();
    let shown = after("an object on each line:\n").trim_start();
    let shown = shown.split("\n\n").next().unwrap().replace("[...]", "[]");
    let mut shown: Value = serde_json::from_str(&shown).unwrap();
    let output = run(&["analyze", "--batch", "--threads", "1"], query);
    let mut answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    for answer in [&mut shown, &mut answer] {
        answer["seconds"].take();
        answer["lines"][0]["variation"].take();
    }
    assert_eq!(shown, answer);
}

#[test]
fn one_board_is_answered_with_an_object() {
    let options = [
        "analyze",
        "--json",
        "--depth",
        "3",
        "--lines",
        "2",
        "--threads",
        "1",
    ];
    let output = run(&options, BOARD);
    let [answer] = &lines(&output.stdout)[..] else {
        panic!("{output:?}");
    };
    assert_eq!(answer["depth"], 3);
    let found = answer["lines"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    for line in found {
        assert_eq!(line["turn"], line["variation"][0]);
        assert!(line["score"].is_number() && line["plies"].is_null());
    }
    // The player to move wins at once, or loses in two plies whatever it does.
    for (board, plies) in [
        ("00000/00030/00200/00000/00000 c3a1 e1e5 10", 1),
        ("33000/22000/00000/00000/00000 e5d5 a2b2 10", -2),
    ] {
        let output = run(&["analyze", "--json", "--depth", "4"], board);
        let line = &lines(&output.stdout)[0]["lines"][0];
        assert_eq!(
            (&line["score"], &line["plies"]),
            (&Value::Null, &json!(plies)),
            "{board}"
        );
    }
}

#[test]
fn answers_do_not_depend_on_order_or_threads() {
    let boards = [BOARD, SIX, "00000/00000/00000/00000/00000 c2c4 b3d3 0"];
    let mut queries: Vec<Value> = (0..12)
        .map(|id| json!({"id": id, "board": boards[id % 3], "nodes": 2000 * (1 + id / 3)}))
        .collect();
    let one = answers(&queries, &["--threads", "1"]);
    assert_eq!(one.len(), 12);
    queries.reverse();
    assert_eq!(answers(&queries, &["--threads", "4"]), one);
    let output = run(&["analyze", "--batch"], "");
    assert!(output.status.success() && output.stdout.is_empty());
}

#[test]
fn a_wrong_query_gets_an_error_and_the_others_an_answer() {
    let input = format!(
        "{{\"id\":1,\"board\":{BOARD:?},\"nodes\":100}}\nhello\n{{\"id\":\"b\",\"board\":{{}}}}\n\
         {{\"id\":2,\"board\":{SIX:?},\"depth\":1}}\n"
    );
    let output = run(&["analyze", "--batch", "--threads", "1"], &input);
    assert_eq!(output.status.code(), Some(1));
    let answers = lines(&output.stdout);
    let errors: Vec<&Value> = answers.iter().filter(|it| !it["error"].is_null()).collect();
    assert_eq!(errors.len(), 2);
    assert!(
        errors[0]["error"]
            .as_str()
            .unwrap()
            .starts_with("line 2, column 1: not JSON")
    );
    assert_eq!(errors[1]["id"], "b");
    assert!(errors[1]["error"].as_str().unwrap().contains("line 3"));
    let good: Vec<&Value> = answers.iter().filter(|it| it["error"].is_null()).collect();
    assert_eq!(good.len(), 2);
    assert!(good.iter().all(|it| !it["lines"][0]["turn"].is_null()));
}

#[test]
fn partial_answers_come_and_a_query_can_be_stopped() {
    let mut program = Program::start(santorini(&["analyze", "--batch", "--threads", "1"]));
    let query = json!({"id": "long", "board": BOARD, "time": 600, "every": 0.01});
    program.send(format!("{query}\n").as_bytes());
    let line = |program: &Program| -> Value { serde_json::from_str(&program.line()).unwrap() };
    let partial = line(&program);
    assert_eq!(
        (&partial["id"], &partial["partial"]),
        (&json!("long"), &json!(true))
    );
    // With one thread, queries wait until the long one is stopped. The urgent one overtakes.
    let waiting = json!({"id": 1, "board": BOARD, "depth": 1});
    let urgent = json!({"id": 2, "board": BOARD, "depth": 1, "priority": 3});
    let again = json!({"id": "long", "board": BOARD});
    let stop = json!({"id": "long", "stop": true});
    program.send(format!("{waiting}\n{urgent}\n{again}\n{stop}\n").as_bytes());
    let mut finals = Vec::new();
    while finals.len() < 4 {
        let answer = line(&program);
        if answer["partial"] != true {
            finals.push((answer["id"].clone(), answer["error"].is_null()));
        }
    }
    let expected = [
        (json!("long"), false),
        (json!("long"), true),
        (json!(2), true),
        (json!(1), true),
    ];
    assert_eq!(finals, expected);
}

#[test]
fn ctrl_c_ends_open_queries_with_the_results_so_far() {
    let mut program = Program::start(santorini(&["analyze", "--batch", "--threads", "1"]));
    for id in [1, 2] {
        let query = json!({"id": id, "board": BOARD, "time": 600, "every": 0.01});
        program.send(format!("{query}\n").as_bytes());
    }
    program.line();
    signal(program.id(), Signal::SIGINT);
    let ended = program.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let last: Value = serde_json::from_str(ended.output.last().unwrap()).unwrap();
    assert_eq!((&last["id"], &last["partial"]), (&json!(1), &json!(false)));
    let told = ended.errors.join("\n");
    assert!(told.ends_with("without an answer: 1"), "{told}");
}

#[test]
fn perft_is_divided_by_turns() {
    for board in [BOARD, PAN_WINS] {
        check_division(board);
    }
}

fn check_division(board: &str) {
    let output = run(&["perft", "3", "--divide"], board);
    let told = stdout(&output);
    let rows: Vec<(&str, u64)> = told
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(turn, count)| (turn, count.parse().unwrap()))
        .collect();
    let (&(name, total), turns) = rows.split_last().unwrap();
    assert_eq!(name, "total");
    assert!(turns.is_sorted());
    assert_eq!(turns.iter().map(|(_, count)| count).sum::<u64>(), total);
    let whole = stdout(&run(&["perft", "3"], board));
    let counts: Vec<&str> = whole.lines().collect();
    assert_eq!(counts[0], format!("1 {}", turns.len()));
    assert_eq!(counts[2], format!("3 {total}"));
}
