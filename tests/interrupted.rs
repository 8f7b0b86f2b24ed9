//! After Ctrl-C, commands that print as they go end with a line on how far they got.

use std::fs;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::fcntl::{FcntlArg, fcntl};
use serde_json::Value;

use crate::program::{
    SANTORINI, Signal, errors, santorini_in, signal, use_default_signals, wait_until,
};

const BOARD: &str = "00000/00000/00000/00000/00000 c2c4 b3d3 0\n";

/// Whether a process handles a signal itself.
fn handles(process: u32, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & (1 << (signal as i32 - 1)) != 0)
}

/// Runs a command in a folder with a board and queries, and interrupts it once it handles
/// Ctrl-C. A signal is lost between the two steps that install a handler, so it is repeated.
fn interrupted(words: &str, output: Stdio, errors: Stdio) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("board"), BOARD).unwrap();
    let query = |id| {
        format!(
            "{{\"id\":{id},\"board\":{:?},\"time\":600}}\n",
            BOARD.trim()
        )
    };
    let queries: String = (0..4).map(query).collect();
    fs::write(folder.path().join("queries"), queries).unwrap();
    let mut child = santorini_in(folder.path(), words)
        .stdout(output)
        .stderr(errors)
        .spawn()
        .unwrap();
    wait_until("a handler", || handles(child.id(), Signal::SIGINT));
    wait_until("the end", || {
        signal(child.id(), Signal::SIGINT);
        sleep(Duration::from_millis(50));
        child.try_wait().unwrap().is_some()
    });
    child.wait_with_output().unwrap()
}

/// Commands that take long.
const LONG: [&str; 15] = [
    "analyze --time 600 board",
    "analyze --json --time 600 board",
    "perft 20 board",
    "perft 9 --table",
    "bench --depth 30",
    "bench cards",
    "bench perft",
    "bench playout",
    "bench proofs",
    "bench referee",
    "bench serve --bots 100",
    "lab play --first alphabeta:depth=20 --second random",
    "lab levels --games 1000000",
    "lab tune --depth 8 --steps 10",
    "rate --time 600 'sleep 1000'",
];

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_long_commands_with_a_closing_line() {
    for words in LONG {
        let output = interrupted(words, Stdio::piped(), Stdio::piped());
        let told = errors(&output);
        assert_eq!(output.status.code(), Some(130), "{words}: {told}");
        let last = told.lines().last().unwrap_or("");
        assert!(
            last.starts_with("santorini: interrupted"),
            "{words}: {told}"
        );
        if words.contains("--json") {
            let found: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert!(found["depth"].is_number(), "{found}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_commands_whose_output_is_not_read() {
    for words in [&LONG[..], &["analyze --batch queries"]].concat() {
        let (_unread, mut full) = std::io::pipe().unwrap();
        fcntl(&full, FcntlArg::F_SETPIPE_SZ(4096)).unwrap();
        full.write_all(&[b' '; 4096]).unwrap();
        let status = interrupted(words, full.into(), Stdio::null()).status;
        let is_ended = status.code() == Some(130) || status.signal() == Some(2);
        assert!(is_ended, "{words}: {status}");
    }
}

/// A shell ignores Ctrl-C for the commands that a script runs in the background.
#[test]
#[cfg(target_os = "linux")]
fn an_ignored_ctrl_c_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("board"), BOARD).unwrap();
    let script = format!("trap '' INT; exec {SANTORINI} analyze --time 600 board");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    use_default_signals();
    let mut child = command.spawn().unwrap();
    wait_until("a handler", || handles(child.id(), Signal::SIGTERM));
    assert!(!handles(child.id(), Signal::SIGINT));
    let mut status = None;
    wait_until("the end", || {
        signal(child.id(), Signal::SIGTERM);
        sleep(Duration::from_millis(50));
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(130));
}
