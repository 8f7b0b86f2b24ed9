//! `santorini play` through pipes, one request on each line, and on a terminal.
//!
//! | tested | where |
//! |---|---|
//! | placements, turns, undo, wrong requests, advice | `turns.rs` |
//! | the built-in player and player programs | `opponents.rs` |
//! | recorded and saved games, `--resume` | `files.rs` |
//! | a terminal: keys, signals, width | `terminal.rs` |

mod files;
mod opponents;
mod terminal;
mod turns;

use std::process::Output;

use crate::program::{run, success};

const GAMES: &str = "tests/data/card-games.jsonl";

fn play(arguments: &[&str], lines: &[&str]) -> Output {
    run(&[&["play"], arguments].concat(), &(lines.join("\n") + "\n"))
}

/// The output of a successful run.
fn said(arguments: &[&str], lines: &[&str]) -> String {
    success(&play(arguments, lines))
}

/// The first line of each board shown.
fn boards(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("turn "))
        .collect()
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}
