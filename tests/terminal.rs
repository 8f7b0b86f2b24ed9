//! Foreign text never reaches a terminal unescaped: no control characters, and none that
//! reorder or hide text.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Output;
use std::thread::spawn;

use serde_json::{Value, json};

use crate::place::fake;
use crate::program::{SANTORINI, run, santorini, santorini_in};

/// Control characters: clears a terminal by C0 and by C1, deletes, reorders, hides.
const NASTY: &str = "a\u{1b}[2J\u{9b}2Jb\u{7f}\u{202e}c\u{2066}\u{200b}";

/// The same, escaped.
const SHOWN: &str = r"a\u{1b}[2J\u{9b}2Jb\u{7f}\u{202e}c\u{2066}\u{200b}";

/// How a part of it appears in JSON, which escapes only the C0 character; this program
/// escapes the others.
const IN_JSON: &str = r"\u001b[2J\u{9b}2Jb\u{7f}\u{202e}c";

/// Checks both streams for characters that a terminal interprets. Returns them.
fn harmless(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(all).unwrap();
    for character in text.chars() {
        let acts = character != '\n' && character.is_control();
        let hides = NASTY.contains(character) && !character.is_ascii();
        let start = text.chars().take(500).collect::<String>();
        assert!(!acts && !hides, "{character:?} is shown: {start:?}");
    }
    text
}

fn shows(output: &Output, part: &str) {
    let text = harmless(output);
    let start = text.chars().take(500).collect::<String>();
    assert!(text.contains(part), "{part} is missing: {start}");
}

fn in_file(content: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file
}

fn start() -> Value {
    json!({
        "players": [[[2, 3], [4, 3]], [[3, 2], [3, 4]]],
        "spaces": vec![vec![0; 5]; 5],
        "turn": 0,
    })
}

#[test]
fn the_referee_escapes_what_players_write() {
    let words = in_file(&format!("{NASTY}\ttab\r\n"));
    let answer = in_file(&json!([[[1, 1], NASTY]]).to_string());
    let [words, answer] = [&words, &answer].map(|file| file.path().display().to_string());
    let random = format!("{SANTORINI} fake-player random");
    let crash = format!("sh -c 'cat {words} >&2; exit 3'");
    let output = run(&["referee", &crash, &random], "");
    shows(&output, &format!("standard error   {SHOWN}\\ttab\n"));
    let wrong = format!("sh -c 'read x; cat {answer}; read x'");
    let output = run(&["referee", &wrong, &random], "");
    shows(&output, "the placement is wrong: ");
    shows(&output, IN_JSON);
    let bare = format!("sh -c 'read x; cat {words}; read x'");
    let output = run(&["referee", &bare, &random], "");
    shows(&output, "is not one JSON array or object");
    shows(&output, SHOWN);
}

#[test]
fn names_and_endings_of_records_are_escaped() {
    let record = json!({
        "game": 1, "players": [NASTY, "b"], "start": start(), "turns": ["c2-c1+b1"],
        "seconds": [0.1], "winner": 0, "ending": NASTY, "why": NASTY,
    });
    let file = in_file(&record.to_string());
    let path = file.path().to_str().unwrap();
    for style in ["ascii", "unicode"] {
        let output = run(&["draw", "--style", style, path], "");
        shows(&output, &format!(" {SHOWN}, "));
        shows(&output, &format!("wins, {SHOWN}: {SHOWN}\n"));
    }
    let output = run(&["play", "--from", path], "end\nlist\n");
    shows(&output, &format!("{SHOWN}: {SHOWN}\n"));
    // Pictures may be displayed on a terminal too.
    for picture in ["--svg", "--html"] {
        let output = run(&["draw", picture, "-", path], "");
        let text = harmless(&output);
        assert!(
            output.status.success() && text.contains(r"\u{1b}[2J"),
            "{text}"
        );
    }
}

#[test]
fn names_of_players_are_escaped_in_table_and_report() {
    let folder = tempfile::tempdir().unwrap();
    let played = santorini(&["tournament", "--rounds", "1", "--output", "games"])
        .args(["A", "B"].map(|name| fake(name, "random")))
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(played.status.success());
    let games = folder.path().join("games");
    let text = fs::read_to_string(&games).unwrap();
    let text = text.replace("\"A\"", &json!(NASTY).to_string());
    fs::write(&games, text).unwrap();
    let merged = santorini(&["tournament", "merge", "--html", "report", "games"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let cut = format!("{}...{}", &SHOWN[..15], &SHOWN[SHOWN.len() - 14..]);
    shows(&merged, &cut);
    let report = fs::read(folder.path().join("report")).unwrap();
    let report = Output {
        stdout: report,
        ..merged
    };
    shows(&report, SHOWN);
}

#[test]
fn paths_of_written_files_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let written = |words: &str, path: &str| {
        let words = format!("{words} '{path}'");
        let output = santorini_in(folder.path(), &words).output().unwrap();
        shows(&output, SHOWN);
        assert!(output.status.success() && !output.stdout.is_empty());
    };
    let [data, network] = ["data", "network"].map(|name| format!("{name}{NASTY}"));
    written("new-bot python", NASTY);
    let options = "--records 100 --nodes 20 --eval tuned --threads 1";
    written(&format!("datagen {options}"), &data);
    written(&format!("train --epochs 1 '{data}' --out"), &network);
    written("lab experiment fig2 --quick --out", &format!("lab{NASTY}"));
}

#[test]
fn invalid_json_is_quoted_escaped() {
    let board = |key: &str| {
        let mut board = start();
        board[key] = json!(NASTY);
        board.to_string()
    };
    for (arguments, input) in [
        (&["analyze", "-"][..], board("turn")),
        (&["perft", "1", "-"], board("spaces")),
        (&["draw", "-"], board("players")),
        (&["draw", "-"], json!({ NASTY: 1 }).to_string()),
        (&["player"], board("turn")),
        (&["player"], format!("{{\"players\":\"{NASTY}\"}}")),
        (&["play", "--from", "-"], board("turn")),
        (
            &["referee", "--start", &board("turn"), "a", "b"],
            String::new(),
        ),
        (&["check", "-"], json!(NASTY).to_string()),
        (
            &["check", "--why", "-"],
            format!("\"a\" {} {}", start(), board("turn")),
        ),
    ] {
        let text = harmless(&run(arguments, &input));
        assert!(!text.is_empty(), "{arguments:?}");
    }
    let described = format!("{} {} {}", json!(NASTY), start(), start());
    let output = run(&["check", "--why", "-"], &described);
    let stdout = Vec::new();
    shows(&Output { stdout, ..output }, IN_JSON);
}

/// A server that sends these lines to a bot and closes the connection.
fn bot_hears(lines: &[String]) -> Output {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let text = lines.concat();
    let server = spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut name = String::new();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        reader.read_line(&mut name).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
    });
    let output = run(
        &["bot", "--random", "--name", "a", "--connect", &address],
        "",
    );
    server.join().unwrap();
    output
}

#[test]
fn the_bot_escapes_what_a_server_sends() {
    let remark = |text: &str| format!("{}\n", json!(text));
    let table = remark(&format!("final table: 1. {NASTY}"));
    let output = bot_hears(&[remark(NASTY), table]);
    shows(&output, &format!("santorini: {SHOWN}\n"));
    shows(&output, &format!("final table: 1. {SHOWN}\n"));
    let output = bot_hears(&[remark(NASTY)]);
    shows(&output, &format!("the server says: {SHOWN}\n"));
    let output = bot_hears(&[format!("[{}]\n", json!(NASTY))]);
    harmless(&output);
}
