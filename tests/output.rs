//! Standard output that cannot be written: no command reports success.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::{SANTORINI, errors, santorini_in, success};

/// Short commands that write to standard output.
const WRITING: &[&str] = &[
    "",
    "player",
    "help",
    "--version",
    "perft 1 board",
    "analyze --depth 1 --eval paper board",
    "check checked",
    "draw board",
    "draw --svg - board",
    "play --from board",
    "bench --depth 1",
    "bench perft --depth 2",
    "tournament merge games",
    "lab play --first random --second random --games 1",
    "duel --nodes 1 --pairs 1 a= b=",
    "datagen --records 1 --nodes 1 --threads 1 data",
    "train --epochs 1 --hidden 32 --out network positions",
];

/// Makes the input of the commands.
fn write_files(folder: &Path) {
    let board = "{\"players\":[[[2,3],[4,3]],[[3,2],[3,4]]],\"spaces\":[[0,0,0,0,0],[0,0,0,0,0],\
                 [0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]],\"turn\":0}";
    std::fs::write(folder.join("board"), board).unwrap();
    let checked = format!("\"a\" {board} {board}");
    std::fs::write(folder.join("checked"), checked).unwrap();
    let fake = format!("{SANTORINI} fake-player random");
    for words in [
        &*format!("tournament --rounds 1 --output games '{fake}' '{fake}'"),
        "datagen --records 300 --nodes 10 positions",
    ] {
        success(&santorini_in(folder, words).output().unwrap());
    }
}

/// Runs the command with a set-up array as its input.
fn run(folder: &Path, mut command: Command, words: &str, output: Stdio) -> Output {
    let input = folder.join("input");
    std::fs::write(&input, "[]").unwrap();
    command
        .args(words.split_whitespace())
        .current_dir(folder)
        .env("SANTORINI_TIME", "0.1")
        .stdin(File::open(input).unwrap())
        .stdout(output)
        .stderr(Stdio::piped());
    command.spawn().unwrap().wait_with_output().unwrap()
}

/// Checks each command's exit code and standard error.
fn all(make: impl Fn() -> (Command, Stdio), is_right: impl Fn(&str, Option<i32>, &str) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let mut wrong = Vec::new();
    for words in WRITING {
        let (command, output) = make();
        let ended = run(folder.path(), command, words, output);
        let said = errors(&ended);
        if !is_right(words, ended.status.code(), &said) {
            wrong.push(format!("{words:?}: {}: {said}", ended.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The player answers a referee, which needs an error message.
fn is_player(words: &str) -> bool {
    matches!(words, "" | "player")
}

#[test]
fn a_closed_pipe_ends_a_command_quietly_like_sigpipe() {
    let closed_pipe = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        (Command::new(SANTORINI), writer.into())
    };
    all(closed_pipe, |words, code, said| {
        if is_player(words) {
            code == Some(1) && said == "santorini: standard output: Broken pipe (os error 32)\n"
        } else {
            code == Some(141) && said.is_empty()
        }
    });
}

#[test]
fn a_full_disk_is_named() {
    let full = || {
        (
            Command::new(SANTORINI),
            File::create("/dev/full").unwrap().into(),
        )
    };
    let message = "santorini: standard output: No space left on device (os error 28)\n";
    all(full, |_, code, said| code == Some(1) && said == message);
}

#[test]
fn a_closed_output_is_named() {
    // A shell starts the program without standard output.
    let closed = || {
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" >&-", SANTORINI]);
        (command, Stdio::null())
    };
    let message = "santorini: standard output: Bad file descriptor (os error 9)\n";
    all(closed, |_, code, said| code == Some(1) && said == message);
}

#[test]
fn a_command_that_prints_nothing_needs_no_output() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" >&-", SANTORINI]);
    let words = "draw --html page board";
    let ended = run(folder.path(), command, words, Stdio::null());
    assert!(ended.status.success(), "{ended:?}");
    assert!(folder.path().join("page").exists());
}
