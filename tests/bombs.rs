//! Files that would take a huge amount of memory or time if read naively. The program, run with
//! little memory, must refuse each with a short message.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::program::{SANTORINI, errors};

/// The memory limit of the program, in KiB of addresses.
const MEMORY: &str = "600000";

/// The time for a file, even on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// Runs the program with little memory.
fn run(arguments: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", "ulimit -v $0; exec \"$@\"", MEMORY])
        .arg(SANTORINI)
        .args(arguments)
        .output()
        .unwrap()
}

/// Checks that the program refuses the file with a short message that contains `named`.
fn refuses(file: &Path, arguments: &[&str], named: &str) {
    let file = file.to_str().unwrap();
    let arguments: Vec<String> = arguments
        .iter()
        .map(|it| it.replace("FILE", file))
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let start = Instant::now();
    let ended = run(&arguments);
    let told = errors(&ended);
    let told: String = told.chars().take(2000).collect();
    assert!(
        matches!(ended.status.code(), Some(1 | 2)),
        "{arguments:?}: {ended:?}"
    );
    assert!(
        told.contains(named) && told.len() < 1000,
        "{arguments:?}: {told}"
    );
    assert!(
        start.elapsed() < LONGEST,
        "{arguments:?}: {:?}",
        start.elapsed()
    );
}

const OPENINGS: [&str; 8] = [
    "tournament",
    "--openings-file",
    "FILE",
    "--rounds",
    "1",
    "--time=0.1",
    "./a",
    "./b",
];
const MERGE: [&str; 3] = ["tournament", "merge", "FILE"];

/// A line with a JSON array of `count` parts.
fn parts(part: &str, count: usize) -> String {
    format!("[{}0]", part.repeat(count))
}

#[test]
fn files_that_would_take_too_much_memory_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let players = r#"{"name":"a","command":"b"},"#.repeat(100_000);
    let bombs = [
        (&OPENINGS[..], "1 ".repeat(24 << 20), "line 1: more than"),
        (&OPENINGS[..], "00/".repeat(16 << 20), "line 1: more than"),
        (
            &OPENINGS[..],
            parts("{\"\":0},", 4 << 20),
            "line 1: more than",
        ),
        (
            &MERGE[..],
            format!("{{\"a\":{}}}\n{{}}\n", parts("{\"\":0},", 500_000)),
            "line 1: ",
        ),
        (
            &MERGE[..],
            format!("{{\"tournament\":{{\"players\":[{players}0]}}}}\n{{}}\n"),
            "line 1: ",
        ),
    ];
    for (arguments, content, named) in bombs {
        fs::write(&path, content).unwrap();
        refuses(&path, arguments, named);
    }
}

#[test]
fn endless_files_are_refused() {
    let endless = Path::new("/dev/zero");
    for (arguments, named) in [
        (&["player", "--eval", "FILE"][..], "more than"),
        (&["player", "--params", "FILE"][..], "more than"),
        (
            &["train", "--out", "/dev/null", "FILE"][..],
            "not a file of training data",
        ),
        (
            &[
                "lab",
                "play",
                "--first",
                "qlearning:load=FILE",
                "--second=random",
            ][..],
            "not a Q-table",
        ),
        (&["draw", "FILE"][..], "not JSON"),
        (&["check", "FILE"][..], "not JSON"),
        (&MERGE[..], "a regular file is needed"),
        (&OPENINGS[..], ""),
    ] {
        refuses(endless, arguments, named);
    }
}

/// A table is read in linear time, however many actions a state has.
#[test]
fn a_q_table_of_one_state_is_read_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let count = 2_000_000u32;
    let mut bytes = b"SANTORINI-Q\n\x01\0\0\0".to_vec();
    bytes.extend(u64::from(count).to_le_bytes());
    for action in 0..count {
        bytes.extend(7u64.to_le_bytes());
        bytes.extend(action.to_le_bytes());
        bytes.extend(0.5f32.to_le_bytes());
    }
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(&bytes).unwrap();
    // The checksum at the end is wrong.
    file.write_all(&[0; 8]).unwrap();
    refuses(
        &path,
        &[
            "lab",
            "play",
            "--first",
            "qlearning:load=FILE",
            "--second=random",
        ],
        "the checksum is wrong",
    );
}
