//! Tests of the player program with little memory or without threads.

use std::io::{Seek, Write};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::program::{SANTORINI, errors, player, stdout};
use crate::reference::Board;

/// The questions: set-up arrays and boards, with and without cards.
fn questions() -> Vec<Value> {
    let board = |players: Value| {
        json!({
            "players": players,
            "spaces": [[0, 0, 0, 0, 2], [1, 1, 2, 0, 0], [1, 0, 0, 0, 0], [0, 0, 2, 0, 0], [0, 0, 0, 1, 4]],
            "turn": 18
        })
    };
    vec![
        board(json!([[[2, 3], [4, 4]], [[2, 5], [3, 5]]])),
        json!([]),
        json!([{"card": "Pan"}, {"card": "Atlas"}]),
        board(json!([
            {"card": "Artemis", "tokens": [[2, 3], [4, 4]]},
            {"card": "Prometheus", "tokens": [[2, 5], [3, 5]]}
        ])),
        board(json!([[[1, 1], [4, 4]], [[2, 5], [3, 5]]])),
    ]
}

/// Asks a player all questions and waits for its end.
fn ask(mut command: Command) -> Output {
    let mut input = tempfile::tempfile().unwrap();
    for question in questions() {
        write!(input, "{question}").unwrap();
    }
    input.rewind().unwrap();
    command.stdin(input).output().unwrap()
}

/// Checks that everything was answered, boards with legal turns; returns standard error.
fn assert_answered(output: Output, what: &str) -> String {
    let (answers, told) = (stdout(&output), errors(&output));
    assert!(output.status.success(), "{what}: {}: {told}", output.status);
    let questions = questions();
    assert_eq!(answers.lines().count(), questions.len(), "{what}: {told}");
    for (question, answer) in questions.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        if question.is_object() {
            let legal = Board::from_json(question).after_turns();
            assert!(
                legal.contains(&Board::from_json(&answer)),
                "{what}: {answer}"
            );
        }
    }
    told
}

/// A player with a limit of this many KiB of addresses.
fn player_with(kib: u32, threads: &str) -> Command {
    player_within("-v", kib, threads)
}

/// A player limited to this many KiB of address space (`-v`) or data (`-d`).
fn player_within(limit: &str, kib: u32, threads: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            r#"ulimit $0 $1 && shift && exec "$@""#,
            limit,
            &kib.to_string(),
            SANTORINI,
        ])
        .env("SANTORINI_TIME", "0.05")
        .env("SANTORINI_THREADS", threads);
    command
}

/// The least limit, in steps of this many KiB, with which the program starts.
fn least_to_start(limit: &str, step: u32) -> u32 {
    let starts = |&kib: &u32| {
        let mut command = player_within(limit, kib, "1");
        let output = command.arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    (0..200).map(|count| count * step).find(starts).unwrap()
}

/// The warning about a table that does not fit.
const SHORTAGE: &str = "santorini: not enough memory for a transposition table of 128 MiB; using ";

#[test]
fn a_table_that_does_not_fit_is_made_smaller() {
    for (mib, threads) in [(200, "1"), (200, "2"), (120, "2"), (80, "2")] {
        let what = format!("{mib} MiB, {threads} threads");
        let errors = assert_answered(ask(player_with(mib << 10, threads)), &what);
        assert!(errors.starts_with(SHORTAGE), "{what}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{what}: {errors}");
    }
}

#[test]
fn a_data_limit_makes_the_table_smaller() {
    for kib in [28_000, 40_000, 100_000, 139_000, 140_000, 142_000] {
        let what = format!("{kib} KiB of data");
        let errors = assert_answered(ask(player_within("-d", kib, "2")), &what);
        assert!(errors.starts_with(SHORTAGE), "{what}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{what}: {errors}");
    }
}

#[test]
fn far_too_little_memory_is_an_error() {
    for (limit, step) in [("-d", 256), ("-v", 512)] {
        let least = least_to_start(limit, step);
        let mut plays = 0;
        for kib in (least..).step_by(step as usize).take(24) {
            let output = ask(player_within(limit, kib, "2"));
            let told = errors(&output);
            let what = format!("{limit} {kib}: {}: {told}", output.status);
            match output.status.code() {
                Some(0) => plays += 1,
                Some(1) => assert!(told.contains("raise the memory limit"), "{what}"),
                _ => panic!("{what}"),
            }
        }
        assert!(plays > 0, "{limit} from {least} KiB");
    }
}

#[test]
fn a_review_without_memory_for_the_network_ends_cleanly() {
    let game = "tests/data/outputs/input/cards-1.jsonl";
    let least = least_to_start("-v", 1 << 10);
    let mut reviews = 0;
    for kib in (least..least + (12 << 10)).step_by(1 << 10) {
        let mut command = player_with(kib, "1");
        let words = ["review", "--game", "1", "--nodes", "1", "--hash", "1", game];
        let output = command.args(words).output().unwrap();
        let told = errors(&output);
        match output.status.code() {
            Some(0) => reviews += 1,
            Some(1) => assert!(told.contains("raise the memory limit"), "{kib}: {told}"),
            _ => panic!("{kib} KiB: {}: {told}", output.status),
        }
    }
    assert!(reviews > 0, "from {least} KiB");
}

#[test]
fn a_match_warns_once_for_all_engines() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = player_with(600 << 10, "1");
    command.args("duel --pairs 2 --nodes 20 --jobs 1".split(' '));
    command.args(["a=--hash 4096", "b=--hash 4096 --eval tuned"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let told = errors(&output);
    assert!(output.status.success(), "{told}");
    let shortage = SHORTAGE.replace("128", "4096");
    assert_eq!(told.matches(&shortage).count(), 1, "{told}");
}

#[test]
fn the_player_plays_with_the_least_memory_to_start() {
    let least = least_to_start("-v", 1 << 10);
    // Reading its networks takes as much memory again as their files.
    for kib in (least + (4 << 10)..2 * least).step_by(1 << 10) {
        let what = format!("{kib} KiB");
        let errors = assert_answered(ask(player_with(kib, "2")), &what);
        assert!(
            errors.lines().all(|line| line.starts_with(SHORTAGE)),
            "{what}: {errors}"
        );
    }
}

#[test]
fn threads_without_memory_are_not_started() {
    for mib in [100, 200, 300, 500, 1000] {
        let what = format!("{mib} MiB");
        let errors = assert_answered(ask(player_with(mib << 10, "200")), &what);
        assert!(
            errors.lines().all(|line| line.starts_with(SHORTAGE)),
            "{what}: {errors}"
        );
    }
}

#[test]
fn the_player_answers_without_threads() {
    let mut command = player("0.05");
    // No thread can have a stack of that size.
    command.env("RUST_MIN_STACK", (1u64 << 46).to_string());
    command.env("SANTORINI_THREADS", "4");
    assert_eq!(assert_answered(ask(command), "no threads"), "");
}
