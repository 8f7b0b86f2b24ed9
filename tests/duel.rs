//! `santorini duel` on the command line.

use std::process::Output;

use serde_json::Value;

use crate::program::{
    Program, Signal, errors, run, santorini, signal, stdout, success, wait_until,
};

/// Two engines with the heuristic and different weights.
const STRONG: &str = "strong=--eval tuned --hash 1";
const WEAK: &str = "weak=--eval paper --hash 1";

fn duel(options: &str, engines: [&str; 2]) -> Output {
    let words = ["duel"].into_iter().chain(options.split_whitespace());
    run(&words.chain(engines).collect::<Vec<_>>(), "")
}

fn outcome(options: &str, engines: [&str; 2]) -> String {
    let output = duel(options, engines);
    assert!(output.stderr.is_empty(), "{output:?}");
    success(&output)
}

fn refused(options: &str, engines: [&str; 2], told: &str) {
    let output = duel(options, engines);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = errors(&output);
    assert!(text.contains(told), "{text}");
}

#[test]
fn every_kind_of_game_is_played_the_same_for_any_jobs() {
    let mut seen = Vec::new();
    for kind in [
        "",
        "--cards",
        "--board 6",
        "--board 6 --random-turns 3 --margin 1000",
    ] {
        let options = format!("--nodes 300 --pairs 4 {kind}");
        let text = outcome(&format!("{options} --jobs 1"), [STRONG, WEAK]);
        assert_eq!(
            outcome(&format!("{options} --jobs 3"), [STRONG, WEAK]),
            text
        );
        assert!(
            text.starts_with("8 games, ") && text.contains("strong against weak: Elo "),
            "{text}"
        );
        seen.push(text);
    }
    seen.dedup();
    assert!(seen.len() > 1, "{seen:?}");
}

#[test]
fn an_outcome_that_cannot_be_saved_is_printed() {
    let output = duel("--nodes 20 --pairs 2 --output /dev/full", [STRONG, WEAK]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("4 games, "), "{output:?}");
    assert!(errors(&output).contains("/dev/full: "), "{output:?}");
}

#[test]
fn the_same_command_resumes_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json").display().to_string();
    let options = format!("--nodes 100 --pairs 5 --output {file}");
    let engines = [STRONG, WEAK];
    let whole = outcome(&options, engines);
    let kept = std::fs::read_to_string(&file).unwrap();
    let goes_on = |told: &str| {
        let again = duel(&options, engines);
        assert_eq!(success(&again), whole);
        let said = errors(&again);
        assert_eq!(said, format!("santorini: {file} {told}; resuming\n"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
    };
    goes_on("has 5 of 5 pairs");

    // As if the match had been interrupted before the first pair and after two.
    let with_score = |score: &Value| {
        let mut share: Value = serde_json::from_str(&kept).unwrap();
        share["score"] = score.clone();
        std::fs::write(&file, share.to_string()).unwrap();
    };
    let first = folder.path().join("first.json").display().to_string();
    outcome(&format!("--nodes 100 --pairs 2 --output {first}"), engines);
    let first: Value = serde_json::from_str(&std::fs::read_to_string(first).unwrap()).unwrap();
    with_score(&first["score"]);
    goes_on("has 2 of 5 pairs");

    let other = format!("--nodes 100 --pairs 6 --output {file}");
    refused(
        &other,
        engines,
        "the file holds another match: pairs is 5 there and 6 here",
    );
    let part = format!("{options} --shard 1/2");
    refused(
        &part,
        engines,
        "the file holds another match: share is 1/1 there and 1/2 here",
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
    outcome(&format!("{other} --force"), engines);
    assert_ne!(std::fs::read_to_string(&file).unwrap(), kept);
}

#[test]
fn the_first_engine_is_the_one_that_is_measured() {
    let json = |engines| -> Value {
        serde_json::from_str(&outcome("--nodes 1000 --pairs 30 --json", engines)).unwrap()
    };
    let (one, other) = (json([STRONG, WEAK]), json([WEAK, STRONG]));
    assert_eq!(one["players"], serde_json::json!(["strong", "weak"]));
    assert!(one["elo"].as_f64().unwrap() > 0.0, "{one}");
    assert!(other["elo"].as_f64().unwrap() < 0.0, "{other}");
    assert_eq!(other["games"][0], one["games"][2]);
    assert_eq!(one["first_mover_score"], other["first_mover_score"]);
}

#[test]
fn an_engine_without_a_name_is_called_by_its_options() {
    let text = outcome("--nodes 50 --pairs 1", ["--eval tuned", ""]);
    assert!(text.contains("--eval tuned against built-in: "), "{text}");
    let text = outcome("--nodes 50 --pairs 1", ["", "--threads=1"]);
    assert!(text.contains("built-in against --threads=1: "), "{text}");
    let after = ["duel", "--hash 1", "x=", "--nodes", "50", "--pairs", "1"];
    let text = stdout(&run(&after, ""));
    assert!(text.contains("--hash 1 against x: "), "{text}");
    let text = outcome("--time 0.01 --pairs 1", ["a=", "a="]);
    assert!(text.contains("a (1) against a (2): "), "{text}");
}

#[test]
fn a_decided_test_ends_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json").display().to_string();
    let test = format!("--nodes 1000 --sprt 0 400 --output {file}");
    let engines = ["s=--eval tuned", STRONG];
    let text = outcome(&test, engines);
    assert!(text.contains("H0 accepted: rather Elo 0"), "{text}");
    // The number of its pairs is that of the test, not one that was requested.
    let again = errors(&duel(&test, engines));
    assert!(
        again.ends_with(" pairs; resuming\n") && !again.contains(" of "),
        "{again}"
    );
    assert_eq!(errors(&run(&["merge", &file], "")), "");
    let other = format!("--nodes 1000 --pairs 10 --output {file}");
    refused(
        &other,
        engines,
        "pairs is as many as a test needs there and 10 here",
    );
}

#[test]
fn the_outcome_is_saved_after_the_first_pair() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json");
    let name = file.to_str().unwrap();
    let options = "--nodes 50 --pairs 1000000 --random-turns 2 --jobs 1 --output";
    let words = ["duel"].into_iter().chain(options.split(' '));
    let words: Vec<&str> = words.chain([name, STRONG, WEAK]).collect();
    let mut child = Program::start(santorini(&words));
    wait_until("a saved outcome", || file.exists());
    signal(child.id(), Signal::SIGKILL);
    child.wait();
    let share: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let pairs = share["score"]["pairs"].as_array().unwrap().iter();
    assert_eq!(pairs.filter_map(Value::as_u64).sum::<u64>(), 1, "{share}");
}

/// Boards on which the player to move wins at once.
fn won_boards(count: usize) -> String {
    let spaces = ["e1", "e2", "d1", "d2"][..count].iter();
    let lines = spaces.map(|space| format!("00000/00030/00200/00000/00000 c3a1 {space}e5 10\n"));
    lines.collect()
}

#[test]
fn a_match_with_fixed_nodes_plays_no_board_twice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(&file, won_boards(2)).unwrap();
    let games = |options: &str, engines| {
        let output = duel(&format!("{options} --openings {}", file.display()), engines);
        let text = success(&output);
        let games = text.split(' ').next().unwrap().parse::<u32>().unwrap();
        (
            games,
            errors(&output).contains("more games would be copies"),
        )
    };
    let two_threads = ["strong=--threads 2", WEAK];
    for (options, engines, expected) in [
        ("--nodes 100 --pairs 2", [STRONG, WEAK], (4, false)),
        ("--nodes 100 --pairs 5", [STRONG, WEAK], (4, true)),
        ("--nodes 100 --sprt 0 5", [STRONG, WEAK], (4, true)),
        ("--nodes 100 --pairs 5", two_threads, (10, false)),
        ("--time 0.01 --pairs 5", [STRONG, WEAK], (10, false)),
    ] {
        assert_eq!(games(options, engines), expected, "{options} {engines:?}");
    }
}

#[test]
fn games_start_on_the_boards_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(&file, won_boards(3)).unwrap();
    let options = format!("--nodes 100 --pairs 3 --openings {}", file.display());
    let text = outcome(&options, [STRONG, WEAK]);
    assert!(
        text.contains("who moved first won 100.0%") && text.contains(": 0 0 3 0 0"),
        "{text}"
    );
}

#[test]
fn shares_joined_are_the_match_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let options = "--nodes 100 --pairs 5 --cards";
    let whole = outcome(options, [STRONG, WEAK]);
    for shard in ["1/2", "2/2"] {
        let output = file(&shard.replace('/', "-"));
        outcome(
            &format!("{options} --shard {shard} --output {output}"),
            [STRONG, WEAK],
        );
    }
    let [one, two] = [file("1-2"), file("2-2")];
    let merged = run(&["duel", "merge", &two, &one], "");
    assert!(merged.stderr.is_empty(), "{merged:?}");
    assert_eq!(success(&merged), whole);
    let half = run(&["duel", "merge", &one], "");
    let told = errors(&half);
    assert_eq!(
        told,
        "2 of 5 pairs are missing: not finished, or in other files\n"
    );
    let other = format!("{options} --seed 2 --shard 2/2 --output {}", file("other"));
    outcome(&other, [STRONG, WEAK]);
    for (files, told) in [
        (
            [&one, &file("other")],
            "seed is 2 here and 1 in the first file",
        ),
        ([&one, &one], "share 1/2 is given twice"),
        (
            [&one, &String::from("Cargo.toml")],
            "Cargo.toml: nothing that can be merged",
        ),
    ] {
        let output = run(&["duel", "merge", files[0], files[1]], "");
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(told), "{said}");
    }
    refused("--shard 1/2", [STRONG, WEAK], "--output");
    // Files with the same name but different boards, as on two machines.
    let book = file("book");
    for (shard, board) in [("1/2", "c3a1 e3e5"), ("2/2", "c3a1 e2e5")] {
        let line = format!("00000/00030/00200/00000/00000 {board} 10\n");
        std::fs::write(&book, line + &won_boards(1)).unwrap();
        let output = file(&shard.replace('/', "-"));
        let words = format!("--nodes 50 --pairs 2 --openings {book} --shard {shard} --force");
        outcome(&format!("{words} --output {output}"), [STRONG, WEAK]);
    }
    let output = run(&["duel", "merge", &one, &two], "");
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("another match: start is"), "{told}");
    // And with different parameters; a network for other games is refused.
    let params = file("params");
    let engine = format!("--params {params}");
    for (shard, value) in [("1/2", 100), ("2/2", 200)] {
        std::fs::write(&params, format!("history_bonus {value}\n")).unwrap();
        let output = file(&shard.replace('/', "-"));
        let words = format!("--nodes 50 --pairs 2 --shard {shard} --output {output} --force");
        outcome(&words, [&engine, WEAK]);
    }
    let output = run(&["duel", "merge", &file("1-2"), &file("2-2")], "");
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("another match: engines"), "{told}");
    let network = format!(
        "--eval {}/src/engine/eval/network/5x5.bin",
        env!("CARGO_MANIFEST_DIR")
    );
    for games in ["--cards", "--board 6"] {
        refused(
            &format!("{games} --pairs 1 --nodes 50"),
            [&network, WEAK],
            "for other games",
        );
    }
    refused("--shard 3/2 --output x", [STRONG, WEAK], "is not a shard");
}

#[test]
fn wrong_requests_are_refused() {
    let both = [STRONG, WEAK];
    refused("--board 7", both, "7 is not in 5..=6");
    refused(
        "--board 6 --openings even",
        both,
        "the boards of books are 5x5",
    );
    refused(
        "--cards --openings book.txt",
        both,
        "boards of a file have their own cards",
    );
    refused(
        "--random-turns 2 --openings even",
        both,
        "cannot be used with",
    );
    refused("--margin 1", both, "--margin 1: it is for random openings");
    refused(
        "--openings even --margin 1 --cards",
        both,
        "these games start from a book",
    );
    refused("--sprt 5 0", both, "--sprt: the first Elo bound (5)");
    refused("", ["a=--eval nothing", ""], "\"nothing\" is not network");
    refused("", ["a=--depth 3", ""], "unexpected argument '--depth'");
    refused("", ["a=--eval 'x", ""], "unclosed quote");
    let output = run(&["duel", STRONG], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = run(&["duel", STRONG, WEAK, WEAK], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
