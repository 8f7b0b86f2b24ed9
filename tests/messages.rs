//! The messages on wrong arguments and wrong files: one line each, with the cause.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::SANTORINI;

/// Wrong input of each command, its exit code, and texts that the message must contain.
const WRONG: &[(&str, i32, &[&str])] = &[
    // Unknown commands and options.
    ("frobnicate", 2, &["unrecognized subcommand 'frobnicate'"]),
    ("bench foo", 2, &["unrecognized subcommand 'foo'"]),
    ("rules", 2, &["unrecognized subcommand 'rules'"]),
    ("lab foo", 2, &["unrecognized subcommand 'foo'"]),
    ("--frobnicate", 2, &["unexpected argument '--frobnicate'"]),
    (
        "analyze --dept 3 board",
        2,
        &["'--dept'", "a similar argument exists: '--depth'"],
    ),
    ("analyze board board", 2, &["unexpected argument 'board'"]),
    ("perft", 2, &["not provided: <DEPTH>"]),
    ("referee a", 2, &["not provided: <CMD2>"]),
    // Options without effect.
    ("tournament a b --alpha 0.1", 2, &["not provided: --sprt"]),
    ("duel a= b= --beta 0.1", 2, &["not provided: --sprt"]),
    (
        "tournament a b --sprt-model normalized",
        2,
        &["not provided: --sprt"],
    ),
    (
        "draw --style ascii --html new board",
        2,
        &["'--style <STYLE>' cannot be used with '--html <FILE>'"],
    ),
    (
        "play --web --level 3 --seed 1",
        2,
        &["cannot be used with", "'--seed <N>'"],
    ),
    (
        "bot --connect h:1 --name a --random --time 1",
        2,
        &["cannot be used with", "'--time <SECONDS>'"],
    ),
    ("tournament a", 2, &["two players or more"]),
    ("tournament merge", 2, &["not provided: <FILE>"]),
    (
        "play --cards Pan",
        2,
        &["2 values required", "<CARD1> <CARD2>"],
    ),
    (
        "draw --style",
        2,
        &["a value is required for '--style <STYLE>'", "auto, ascii"],
    ),
    (
        "draw --style foo board",
        2,
        &[
            "'foo' for '--style <STYLE>'",
            "auto, ascii, unicode, colour, large",
        ],
    ),
    (
        "fake-player foo",
        2,
        &["'foo' for '<KIND>'", "values: random, exit"],
    ),
    // Numbers: missing, too small, negative, too large.
    (
        "serve --bots zero",
        2,
        &["'zero' for '--bots <N>'", "invalid digit"],
    ),
    (
        "serve --bots 1",
        2,
        &["'1' for '--bots <N>'", "not in 2..=500"],
    ),
    ("serve --bots -1", 2, &["unexpected argument '-1'"]),
    (
        "serve --bots 501",
        2,
        &["'501' for '--bots <N>'", "not in 2..=500"],
    ),
    (
        "serve --bots 99999999999999999999",
        2,
        &["for '--bots <N>'", "number too large"],
    ),
    (
        "serve --rounds 0",
        2,
        &["'0' for '--rounds <R>'", "not in 1..=100"],
    ),
    (
        "serve --tries x",
        2,
        &["'x' for '--tries <K>'", "invalid digit"],
    ),
    (
        "analyze --depth 0 board",
        2,
        &["'0' for '--depth <PLIES>'", "not in 1.."],
    ),
    (
        "analyze --lines x board",
        2,
        &["'x' for '--lines <K>'", "invalid digit"],
    ),
    (
        "analyze --hash 0 board",
        2,
        &["'0' for '--hash <MIB>'", "not in 1..=65536"],
    ),
    ("perft x board", 2, &["'x' for '<DEPTH>'", "invalid digit"]),
    ("perft -1 board", 2, &["unexpected argument '-1'"]),
    (
        "play --size 4",
        2,
        &["'4' for '--size <N>'", "not in 5..=6"],
    ),
    ("draw --game -1 board", 2, &["unexpected argument '-1'"]),
    (
        "duel --pairs 0 a= b=",
        2,
        &["'0' for '--pairs <N>'", "not in 1..=1000000"],
    ),
    (
        "duel --nodes 0 a= b=",
        2,
        &["'0' for '--nodes <N>'", "not in 1.."],
    ),
    (
        "datagen --records 0 new",
        2,
        &["'0' for '--records", "not in 1.."],
    ),
    (
        "datagen --threads 2000 new",
        2,
        &["'2000' for '--threads", "not in 0..=1024"],
    ),
    (
        "train --epochs -5 --out new data",
        2,
        &["unexpected argument '-5'"],
    ),
    (
        "train --lambda 2 --out new data",
        2,
        &["'2' for '--lambda", "a number from 0 to 1"],
    ),
    ("bench --depth x", 2, &["'x' for '--depth", "invalid digit"]),
    (
        "tournament a b --seed x",
        2,
        &["'x' for '--seed <N>'", "invalid digit"],
    ),
    (
        "tournament a b --grace 3601",
        2,
        &["'3601' for '--grace", "seconds from 0 to 3600"],
    ),
    (
        "tournament a b --sprt x y",
        2,
        &["'x' for '--sprt <ELO0> <ELO1>'", "invalid float"],
    ),
    (
        "tournament a b --sprt 5 0",
        2,
        &["--sprt", "must be below the second (0)"],
    ),
    (
        "tournament a b --shard 3/2",
        2,
        &["\"3/2\" is not a shard", "1/4, 2/4"],
    ),
    (
        "lab play --first minimax:depth=0 --second random",
        2,
        &["depth=0", "from 1 to 20"],
    ),
    (
        "lab tune --depth 9",
        2,
        &["'9' for '--depth", "not in 1..=8"],
    ),
    (
        "book --margin 2",
        2,
        &["'2' for '--margin <SHARE>'", "a number from 0 to 0.5"],
    ),
    // Times.
    ("analyze --time -1 board", 2, &["unexpected argument '-1'"]),
    (
        "analyze --time nan board",
        2,
        &["\"nan\" is not a time", "like 0.5 or 2"],
    ),
    (
        "referee --time 0 a b",
        2,
        &["\"0\" is not a time", "seconds above 0"],
    ),
    (
        "bot --name a --connect h:1 --time x",
        2,
        &["\"x\" is not a time", "seconds above 0"],
    ),
    (
        "player --overhead x",
        2,
        &["\"x\" is not a time", "or 0 for none"],
    ),
    // Names.
    (
        "referee --cards Pan Zeus a b",
        2,
        &["no card is called \"Zeus\"", "Apollo"],
    ),
    (
        "play --cards Pan Pan",
        2,
        &["--cards Pan Pan", "must differ"],
    ),
    (
        "analyze --eval foo board",
        2,
        &["\"foo\" is not network, tuned, paper"],
    ),
    (
        "lab play --first foo --second random",
        2,
        &["\"foo\"", "random, beginner, minimax"],
    ),
    (
        "lab experiment foo --out new",
        2,
        &["\"foo\"", "there are", "and all"],
    ),
    (
        "tune --only foo --out new",
        2,
        &["'foo' for '--only <NAME>'", "aspiration_window"],
    ),
    (
        "tune --cards --only climb_value,threats_ahead --out new",
        2,
        &["--only threats_ahead", "no effect in games with cards"],
    ),
    (
        "bot --connect h:1 --name Draw",
        2,
        &["'Draw' for '--name <NAME>'", "reserved"],
    ),
    (
        "bot --connect h:1 --name=",
        2,
        &["'--name <NAME>'", "1 to 32"],
    ),
    (
        "duel a b=",
        2,
        &["'a' for '<ENGINE>'", "unexpected argument 'a'"],
    ),
    (
        "duel a=--hash=x b=",
        2,
        &["'a=--hash=x' for '<ENGINE>'", "'x' for '--hash <MIB>'"],
    ),
    // Addresses.
    (
        "serve --listen example:7878",
        2,
        &["'example:7878'", "such as 127.0.0.1:7878"],
    ),
    (
        "serve --listen 127.0.0.1",
        2,
        &["'127.0.0.1' for '--listen", "a port"],
    ),
    (
        "serve --watch foo",
        2,
        &["'foo' for '--watch <ADDR:PORT>'", "127.0.0.1:7878"],
    ),
    (
        "bot --name a --connect foo",
        2,
        &["'foo' for '--connect", "a host and a port"],
    ),
    (
        "bot --name a --connect h:99999",
        2,
        &["'h:99999'", "from 1 to 65535"],
    ),
    // Files with a board.
    (
        "analyze empty",
        2,
        &["empty: it is empty", "a board is {\"players\""],
    ),
    ("analyze missing", 1, &["missing: No such file"]),
    ("analyze folder", 1, &["folder: Is a directory"]),
    ("analyze binary", 1, &["binary: not text"]),
    (
        "analyze text",
        2,
        &["text: not JSON", "a board is {\"players\""],
    ),
    (
        "analyze setup",
        2,
        &["setup: the value: expected a board", "found []"],
    ),
    (
        "analyze nine",
        2,
        &["nine: spaces, row 5, column 5", "from 0 to 4, found 9"],
    ),
    ("perft 2 empty", 2, &["empty: it is empty", "a board is"]),
    ("perft 2 text", 2, &["text: not JSON", "a board is"]),
    (
        "referee --start= a b",
        2,
        &["--start: it is empty", "a board is"],
    ),
    (
        "referee --start text a b",
        2,
        &["--start: not JSON", "a board is"],
    ),
    (
        "referee --start [] a b",
        2,
        &["--start: ", "expected a board", "found []"],
    ),
    (
        "referee --set-up a1 b2d4 a b",
        2,
        &["'a1' for '--set-up", "like b2d4"],
    ),
    // Files with boards and games.
    ("draw empty", 2, &["empty: there is no board to draw"]),
    (
        "draw board --turn 9",
        2,
        &["board, turn 9: there is no board to draw"],
    ),
    (
        "draw board --game 5",
        2,
        &["board, game 5: there is no board to draw"],
    ),
    (
        "draw board --turn x",
        2,
        &["'x' for '--turn", "12, 12-15, 12- or last"],
    ),
    (
        "draw text",
        2,
        &["text: line 1, column 1: not JSON", "found 'h'"],
    ),
    (
        "draw object",
        2,
        &["expected a board, a list of boards", "found {\"a\":1}"],
    ),
    (
        "play --from empty",
        2,
        &["empty: there is no board to look at"],
    ),
    (
        "play --from board --game 4",
        2,
        &["board, game 4: there is no board"],
    ),
    (
        "check setup",
        1,
        &[
            "setup: line 1, column 1: expected a string",
            "found a board or",
        ],
    ),
    ("check binary", 1, &["binary: line 1, column 1: not JSON"]),
    (
        "tournament a b --openings 31",
        2,
        &["from 0 to 30, or even"],
    ),
    (
        "tournament a b --openings-file empty",
        2,
        &["empty: it has no board"],
    ),
    (
        "tournament a b --openings-file text",
        2,
        &["text: line 1: not JSON"],
    ),
    ("merge empty", 2, &["empty: nothing that can be merged"]),
    // Other files.
    (
        "analyze --params text board",
        2,
        &["text: line 1: expected a name and a value", "\"hello\""],
    ),
    ("datagen text", 1, &["text: not a file of training data"]),
    (
        "datagen games --out new text",
        2,
        &["text: there is no game", "`santorini tournament` records"],
    ),
    (
        "train --out new binary",
        1,
        &["binary: not a file of training data"],
    ),
    (
        "lab play --first qlearning:load=binary --second random",
        2,
        &["not a Q-table", "save=FILE"],
    ),
    (
        "lab experiment all --out text",
        2,
        &["text is not a folder"],
    ),
    // Programs.
    ("referee '' b", 2, &["the command of a player is empty"]),
    ("referee \"'a\" b", 2, &["an unclosed quote"]),
];

/// Writes the files that the arguments name.
fn write_files(folder: &Path) {
    let board = "{\"players\":[[[2,3],[4,3]],[[3,2],[3,4]]],\"spaces\":[[0,0,0,0,0],[0,0,0,0,0],\
                 [0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]],\"turn\":0}";
    let nine = board.replace("0]],", "9]],");
    fs::create_dir(folder.join("folder")).unwrap();
    for (name, content) in [
        ("empty", &b""[..]),
        ("text", b"hello\n"),
        ("binary", &b"\xff\xfe\0\x01\x9b\n".repeat(100)),
        ("setup", b"[]"),
        ("object", b"{\"a\":1}"),
        ("board", board.as_bytes()),
        ("nine", nine.as_bytes()),
    ] {
        fs::write(folder.join(name), content).unwrap();
    }
}

#[test]
fn every_message_is_one_line_with_the_cause() {
    let mut bad = Vec::new();
    for (words, code, parts) in WRONG {
        let folder = tempfile::tempdir().unwrap();
        write_files(folder.path());
        let output = Command::new(SANTORINI)
            .args(shlex::split(words).unwrap())
            .current_dir(&folder)
            .env_remove("SANTORINI_TIME")
            .env_remove("SANTORINI_THREADS")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let one_line = said.lines().count() == 1 && said.starts_with("santorini: ");
        let whole = parts.iter().all(|part| said.contains(part));
        if output.status.code() != Some(*code) || !one_line || !whole {
            let status = output.status;
            bad.push(format!("{words}: {parts:?} is wanted, {status}: {said}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn a_wrong_environment_variable_is_named() {
    let output = Command::new(SANTORINI)
        .args(["analyze", "board"])
        .env("SANTORINI_THREADS", "many")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said,
        "santorini: invalid value 'many' for '--threads <N>': use 1 to 1024 threads, here or in \
         SANTORINI_THREADS\n"
    );
}
