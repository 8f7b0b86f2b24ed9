//! The messages on wrong arguments and wrong files: one line each, with the cause.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::program::{errors, santorini, santorini_in};

/// Wrong input of each command, and texts that the message must contain: exit code 2.
const WRONG: &[(&str, &[&str])] = &[
    // Unknown commands and options.
    ("frobnicate", &["unrecognized subcommand 'frobnicate'"]),
    ("bench foo", &["unrecognized subcommand 'foo'"]),
    ("rules", &["unrecognized subcommand 'rules'"]),
    ("lab foo", &["unrecognized subcommand 'foo'"]),
    ("--frobnicate", &["unexpected argument '--frobnicate'"]),
    (
        "analyze --dept 3 board",
        &["'--dept'", "a similar argument exists: '--depth'"],
    ),
    ("analyze board board", &["unexpected argument 'board'"]),
    ("perft", &["not provided: <DEPTH>"]),
    ("referee a", &["not provided: <CMD2>"]),
    ("player --speed 9", &["unexpected argument '--speed'"]),
    // Options without effect.
    ("tournament a b --alpha 0.1", &["not provided: --sprt"]),
    ("duel a= b= --beta 0.1", &["not provided: --sprt"]),
    (
        "tournament a b --sprt-model normalized",
        &["not provided: --sprt"],
    ),
    (
        "draw --style ascii --html new board",
        &["'--style <STYLE>' cannot be used with '--html <FILE>'"],
    ),
    (
        "play --web --level 3 --seed 1",
        &["cannot be used with", "'--seed <N>'"],
    ),
    (
        "bot --connect h:1 --name a --random --time 1",
        &["cannot be used with", "'--time <SECONDS>'"],
    ),
    // Arguments that are not subcommands.
    (
        "solve 2x3 new.solved",
        &["unexpected argument 'new.solved' found"],
    ),
    (
        "solve --board 2x3 new.solved b",
        &["unexpected argument 'b' found"],
    ),
    ("datagen new b.bin", &["unexpected argument 'b.bin' found"]),
    (
        "placements --cards Pan Atlas b",
        &["unexpected argument 'Pan' found"],
    ),
    (
        "solve --board 2x3 new.solved verify b",
        &["the subcommand 'verify' cannot be used with"],
    ),
    ("tournament a", &["two players or more"]),
    (
        "tournament a b --start-time 1",
        &["--start-time 1: ", ": 30 s (--time)"],
    ),
    ("referee a b --start-time 1", &["--start-time 1: "]),
    (
        "rate --start-time 1 --time 1.5 a",
        &["--start-time 1: ", ": 1.5 s (--time)"],
    ),
    ("tournament merge", &["not provided: <FILE>"]),
    (
        "play --cards Pan",
        &["2 values required", "<CARD1> <CARD2>"],
    ),
    (
        "draw --style",
        &["a value is required for '--style <STYLE>'", "auto, ascii"],
    ),
    (
        "draw --style foo board",
        &[
            "'foo' for '--style <STYLE>'",
            "auto, ascii, unicode, colour, large",
        ],
    ),
    (
        "fake-player foo",
        &["'foo' for '<KIND>'", "values: random, exit"],
    ),
    // Numbers: missing, too small, negative, too large.
    (
        "serve --bots zero",
        &["'zero' for '--bots <N>'", "invalid digit"],
    ),
    (
        "serve --bots 1",
        &["'1' for '--bots <N>'", "not in 2..=500"],
    ),
    ("serve --bots -1", &["unexpected argument '-1'"]),
    (
        "serve --bots 501",
        &["'501' for '--bots <N>'", "not in 2..=500"],
    ),
    (
        "serve --bots 99999999999999999999",
        &["for '--bots <N>'", "number too large"],
    ),
    (
        "serve --rounds 0",
        &["'0' for '--rounds <R>'", "not in 1..=100"],
    ),
    (
        "serve --tries x",
        &["'x' for '--tries <K>'", "invalid digit"],
    ),
    (
        "analyze --depth 0 board",
        &["'0' for '--depth <PLIES>'", "not in 1.."],
    ),
    (
        "analyze --lines x board",
        &["'x' for '--lines <K>'", "invalid digit"],
    ),
    (
        "analyze --lines 10001 board",
        &["'10001' for '--lines <K>'", "not in 1..=10000"],
    ),
    (
        "analyze --hash 0 board",
        &["'0' for '--hash <MIB>'", "not in 1..=1048576"],
    ),
    (
        "solve verify --step 0 --states 0 x",
        &["nothing would be checked"],
    ),
    ("solve prove empty", &["empty: it has no position"]),
    (
        "review --game 9 board",
        &["board, game 9: there is no board to review; there is no such game, or it ended before"],
    ),
    ("perft x board", &["'x' for '<DEPTH>'", "invalid digit"]),
    ("perft -1 board", &["unexpected argument '-1'"]),
    ("play --size 4", &["'4' for '--size <N>'", "not in 5..=6"]),
    ("draw --game -1 board", &["unexpected argument '-1'"]),
    (
        "duel --pairs 0 a= b=",
        &["'0' for '--pairs <N>'", "not in 1..=1000000"],
    ),
    (
        "duel --nodes 0 a= b=",
        &["'0' for '--nodes <N>'", "not in 1.."],
    ),
    (
        "datagen --records 0 new",
        &["'0' for '--records", "not in 1.."],
    ),
    (
        "datagen --threads 2000 new",
        &["'2000' for '--threads", "not in 0..=1024"],
    ),
    (
        "train --epochs -5 --out new data",
        &["unexpected argument '-5'"],
    ),
    (
        "train --hidden 16 --out new data",
        &["'16' for '--hidden", "a multiple of 32, at most 1024"],
    ),
    (
        "train --out new text ./text",
        &["./text is given twice (it is also text)"],
    ),
    (
        "train --lambda 2 --out new data",
        &["'2' for '--lambda", "a number from 0 to 1"],
    ),
    ("bench --depth x", &["'x' for '--depth", "invalid digit"]),
    (
        "tournament a b --seed x",
        &["'x' for '--seed <N>'", "invalid digit"],
    ),
    (
        "tournament a b --grace 3601",
        &["'3601' for '--grace", "seconds from 0 to 3600"],
    ),
    (
        "tournament a b --sprt x y",
        &["'x' for '--sprt <ELO0> <ELO1>'", "invalid float"],
    ),
    (
        "tournament a b --sprt 5 0",
        &["--sprt", "must be below the second (0)"],
    ),
    (
        "tournament a b --shard 3/2",
        &["\"3/2\" is not a shard", "1/4, 2/4"],
    ),
    (
        "lab play --first minimax:depth=0 --second random",
        &["depth=0", "from 1 to 20"],
    ),
    ("lab tune --depth 9", &["'9' for '--depth", "not in 1..=8"]),
    (
        "book --margin 2",
        &["'2' for '--margin <SHARE>'", "a number from 0 to 0.5"],
    ),
    (
        "book --openings 0",
        &["'0' for '--openings <N>'", "not in 1..=1000000"],
    ),
    (
        "player --hash 0",
        &["'0' for '--hash <MIB>'", "not in 1..=1048576"],
    ),
    ("player --nodes 0", &["'0' for '--nodes <N>'", "not in 1.."]),
    (
        "player --hash x",
        &["'x' for '--hash <MIB>'", "invalid digit"],
    ),
    // Times.
    ("analyze --time -1 board", &["unexpected argument '-1'"]),
    (
        "analyze --time nan board",
        &["\"nan\" is not a time", "like 0.5 or 2"],
    ),
    (
        "referee --time 0 a b",
        &["\"0\" is not a time", "seconds above 0"],
    ),
    (
        "bot --name a --connect h:1 --time x",
        &["\"x\" is not a time", "seconds above 0"],
    ),
    ("tournament a b --time 0", &["\"0\" is not a time"]),
    (
        "player --time soon",
        &["\"soon\" is not a time", "seconds above 0"],
    ),
    (
        "player --time 0",
        &["\"0\" is not a time", "seconds above 0"],
    ),
    ("player --overhead -1", &["unexpected argument '-1'"]),
    (
        "player --overhead x",
        &["\"x\" is not a time", "or 0 for none"],
    ),
    // Names.
    (
        "referee --cards Pan Zeus a b",
        &["no card is called \"Zeus\"", "Apollo"],
    ),
    ("play --cards Pan Pan", &["--cards Pan Pan", "must differ"]),
    (
        "analyze --eval foo board",
        &["\"foo\" is not network, tuned, paper"],
    ),
    ("book --eval foo", &["\"foo\" is not network, tuned, paper"]),
    (
        "lab play --first foo --second random",
        &["\"foo\"", "random, beginner, minimax"],
    ),
    (
        "lab experiment foo --out new",
        &["\"foo\"", "there are", "and all"],
    ),
    (
        "tune --only foo --out new",
        &["'foo' for '--only <NAME>'", "aspiration_window"],
    ),
    (
        "tune --cards --only climb_value,threats_ahead --out new",
        &["--only threats_ahead", "no effect in games with cards"],
    ),
    (
        "bot --connect h:1 --name Draw",
        &["'Draw' for '--name <NAME>'", "reserved"],
    ),
    ("bot --connect h:1 --name=", &["'--name <NAME>'", "1 to 32"]),
    (
        "duel a b=",
        &["'a' for '<ENGINE>'", "unexpected argument 'a'"],
    ),
    (
        "duel a=--hash=x b=",
        &["'a=--hash=x' for '<ENGINE>'", "'x' for '--hash <MIB>'"],
    ),
    // Addresses.
    (
        "serve --listen example:7878",
        &["'example:7878'", "such as 127.0.0.1:7878"],
    ),
    (
        "serve --listen 127.0.0.1",
        &["'127.0.0.1' for '--listen", "a port"],
    ),
    (
        "serve --watch foo",
        &["'foo' for '--watch <ADDR:PORT>'", "127.0.0.1:7878"],
    ),
    (
        "bot --name a --connect foo",
        &["'foo' for '--connect", "a host and a port"],
    ),
    (
        "bot --name a --connect h:99999",
        &["'h:99999'", "from 1 to 65535"],
    ),
    // Files with a board.
    (
        "analyze empty",
        &["empty: it is empty", "a board is {\"players\""],
    ),
    (
        "analyze text",
        &["text: it is not a board", "a board is {\"players\""],
    ),
    (
        "analyze setup",
        &["setup: the value: expected a board", "found []"],
    ),
    (
        "analyze boards",
        &["boards: more text follows", "`sed -n 5p FILE`"],
    ),
    (
        "analyze game",
        &["game: it holds a game", "`santorini play --from FILE`"],
    ),
    (
        "analyze nine",
        &["nine: spaces, row 5, column 5", "from 0 to 4, found 9"],
    ),
    ("perft 2 empty", &["empty: it is empty", "a board is"]),
    ("perft 2 text", &["text: it is not a board", "a board is"]),
    (
        "referee --start= a b",
        &["--start: it is empty", "a board is"],
    ),
    (
        "referee --start text a b",
        &["--start: it is not a board", "a board is"],
    ),
    (
        "referee --start [] a b",
        &["--start: ", "expected a board", "found []"],
    ),
    (
        "referee --set-up a1 b2d4 a b",
        &["'a1' for '--set-up", "like b2d4"],
    ),
    // Files with boards and games.
    ("draw empty", &["empty: there is no board to draw"]),
    (
        "draw board --turn 9",
        &["board: no board of turn 9; there is only turn 0"],
    ),
    (
        "draw board --game 5",
        &["board, game 5: there is no board to draw"],
    ),
    (
        "draw board --turn x",
        &["'x' for '--turn", "12, 12-15, 12- or last"],
    ),
    (
        "draw text",
        &["text: line 1, column 1: not JSON", "found 'h'"],
    ),
    (
        "draw object",
        &["expected a board, a list of boards", "found {\"a\":1}"],
    ),
    (
        "play --from empty",
        &["empty: there is no board to look at"],
    ),
    (
        "play --from board --game 4",
        &["board, game 4: there is no board"],
    ),
    ("tournament a b --openings 31", &["from 0 to 30, or even"]),
    (
        "tournament a b --openings-file empty",
        &["empty: it has no board"],
    ),
    (
        "tournament a b --openings-file text",
        &["text: line 1: neither a board in JSON nor one as a line of text"],
    ),
    ("merge empty", &["empty: nothing that can be merged"]),
    // Other files.
    (
        "analyze --params text board",
        &["text: line 1: expected a name and a value", "\"hello\""],
    ),
    (
        "lab play --first qlearning:load=binary --second random",
        &["not a Q-table", "save=FILE"],
    ),
    ("lab experiment all --out text", &["text is not a folder"]),
    // Programs.
    ("referee '' b", &["the command of a player is empty"]),
    ("referee \"'a\" b", &["an unclosed quote"]),
];

/// Files that cannot be read or have another format, in the same form: exit code 1.
const FAILED: &[(&str, &[&str])] = &[
    (
        "datagen games --out new text",
        &[
            "text, line 1: not a game record",
            "`santorini tournament` writes",
        ],
    ),
    (
        "lab play --games 1 --first qlearning:episodes=1,save=/dev/full --second random",
        &["/dev/full: No space left"],
    ),
    ("analyze missing", &["missing: No such file"]),
    ("analyze folder", &["folder: Is a directory"]),
    ("analyze binary", &["binary: not text"]),
    (
        "check setup",
        &[
            "setup: line 1, column 1: expected a string",
            "found a board or",
        ],
    ),
    ("check binary", &["binary: line 1, column 1: not JSON"]),
    ("datagen text", &["text: not a file of training data"]),
    (
        "train --out new binary",
        &["binary: not a file of training data"],
    ),
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
        ("boards", format!("{board}\n{board}\n").as_bytes()),
        ("game", b"{\"game\":1}\n"),
        ("nine", nine.as_bytes()),
    ] {
        fs::write(folder.join(name), content).unwrap();
    }
}

#[test]
fn an_argument_that_is_not_text_is_named() {
    let mut command = santorini(&["tournament", "a"]);
    let output = command.arg(OsStr::from_bytes(b"caf\xe9")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert_eq!(said, "santorini: \"caf\\xE9\": use an argument in UTF-8\n");
}

#[test]
fn every_message_is_one_line_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let mut bad = Vec::new();
    let wrong = WRONG.iter().map(|row| (2, row));
    let failed = FAILED.iter().map(|row| (1, row));
    for (code, (words, parts)) in wrong.chain(failed) {
        let mut command = santorini_in(folder.path(), words);
        command
            .env_remove("SANTORINI_TIME")
            .env_remove("SANTORINI_THREADS");
        let output = command.output().unwrap();
        let said = errors(&output);
        let one_line = said.lines().count() == 1 && said.starts_with("santorini: ");
        let whole = parts.iter().all(|part| said.contains(part));
        let silent = output.stdout.is_empty();
        if output.status.code() != Some(code) || !silent || !one_line || !whole {
            let status = output.status;
            bad.push(format!("{words}: {parts:?} is wanted, {status}: {said}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn standard_input_that_cannot_be_read_is_named() {
    for command in ["uci", "play", "check", "draw", "analyze"] {
        let mut program = santorini(&[command]);
        let output = program.stdin(File::open("/").unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}");
        let said = errors(&output);
        let why = "santorini: standard input: Is a directory (os error 21)\n";
        assert!(said.ends_with(why), "{command}: {said}");
    }
}

#[test]
fn a_wrong_environment_variable_is_named() {
    let mut command = santorini(&["analyze", "board"]);
    let output = command.env("SANTORINI_THREADS", "many").output().unwrap();
    assert_eq!(
        errors(&output),
        "santorini: invalid value 'many' for '--threads <N>': use 1 to 1024 threads, here or in \
         SANTORINI_THREADS\n"
    );
}
