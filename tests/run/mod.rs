//! Runs the real program once: arguments and input in, output out.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread::spawn;

/// Runs `santorini` with the arguments and the whole input, to its end.
pub fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_santorini"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    // A program that refuses its arguments does not read its input, and one
    // that answers at length must be read from meanwhile.
    let writer = spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}
