//! Progress without a terminal: every long command writes lines to standard error.

use std::collections::BTreeSet;
use std::fs;

use crate::place::{Place, fake};
use crate::program::{errors, run};

/// Long commands: the name of the manual page, short-running arguments, and the units
/// that the lines count. The commands run in this order in one folder.
const LONG: [(&str, &str, &[&str]); 38] = [
    (
        "lab-play",
        "--first random --second random --games 4 --record games.jsonl",
        &["games"],
    ),
    ("lab-player", "qlearning:episodes=10", &["episodes learned"]),
    ("lab-levels", "--to 2 --games 2", &["games"]),
    (
        "lab-tune",
        "--depth 1 --steps 10 --pairs 1 --match-pairs 2",
        &["steps", "pairs of games"],
    ),
    (
        "lab-experiment",
        "fig2 --quick --out study",
        &["parts of fig2"],
    ),
    ("lab-states", "", &["counting"]),
    (
        "datagen",
        "--shard 1/2 --records 20 --nodes 50 part1.bin",
        &["positions"],
    ),
    (
        "datagen",
        "--shard 2/2 --records 20 --nodes 50 part2.bin",
        &["positions"],
    ),
    (
        "datagen-games",
        "--nodes 50 --out b.bin games.jsonl",
        &["reading the games", "games"],
    ),
    ("merge", "--output a.bin part1.bin part2.bin", &["merging"]),
    (
        "train",
        "--epochs 2 --hidden 32 --out net.bin a.bin",
        &["positions read", "epochs"],
    ),
    (
        "tune",
        "--pairs 2 --nodes 50 --out params.txt",
        &["pairs of games"],
    ),
    ("duel", "--pairs 2 --nodes 50 a= b=", &["pairs"]),
    (
        "duel",
        "--sprt 0 400 --pairs 2 --nodes 50 a= b=",
        &["pairs"],
    ),
    (
        "book",
        "--openings 2 --candidates 4 --nodes 1000 --turn-nodes 100 --games 20 --game-nodes 50 \
         --out book.txt",
        &["games", "openings"],
    ),
    (
        "placements",
        "--nodes 10000 --hash 1 --eval tuned",
        &["placements"],
    ),
    (
        "placements-play",
        "--games 1 --nodes 10 pairs.txt",
        &["games"],
    ),
    ("puzzles", "--play 2 --nodes 100 --proof 100", &["games"]),
    ("review", "--game 1 --nodes 50 games.jsonl", &["boards"]),
    ("perft", "2 board.txt", &["counting depth 2"]),
    ("perft", "1 --table", &["boards"]),
    (
        "solve",
        "--board 2x3 --workers 1 a.solved",
        &["MB of values", "finding values"],
    ),
    (
        "solve",
        "--winners --board 2x3 --workers 1 a.winners",
        &["MB of winners"],
    ),
    ("solve-probe", "a.solved", &["finding values"]),
    ("solve-probe", "a.winners", &["finding values"]),
    (
        "solve-verify",
        "--states 5 --whole a.solved",
        &["layers", "states", "states at most"],
    ),
    ("solve-verify", "a.winners", &["parts of the file"]),
    (
        "solve-engine",
        "--states 5 --nodes 50 a.solved",
        &["positions"],
    ),
    ("solve-export", "--positions 5 a.solved", &["positions"]),
    (
        "solve-proofs",
        "--positions 2 --pairs 0 --nodes 1000 --second 1000 p.jsonl",
        &["positions"],
    ),
    ("solve-prove", "--nodes 1000 p.jsonl", &["positions"]),
    ("analyze", "--time 0.1 board.txt", &["searching"]),
    ("bench", "--depth 2", &["positions"]),
    ("bench-cards", "", &["positions"]),
    ("bench-proofs", "--positions 1", &["positions"]),
    ("bench-serve", "--bots 2", &["playing with 2 bots"]),
    ("tournament", "--rounds 1 --output t.jsonl", &["games"]),
    (
        "rate",
        "--games 2 --output r.jsonl --html r.html",
        &["games", "lost games reviewed"],
    ),
];

/// Commands that only have subcommands.
const GROUPS: [&str; 2] = ["", "lab"];

/// Commands that end soon, or show each answer, turn or depth as it comes.
const OTHERS: [&str; 16] = [
    "bench-perft",
    "bench-playout",
    "bench-referee",
    "bot",
    "check",
    "completions",
    "draw",
    "help",
    "man",
    "new-bot",
    "play",
    "player",
    "referee",
    "serve", // in tests/serve/,
    "sprt",
    "uci",
];

#[test]
fn every_long_command_writes_lines_about_its_progress() {
    let place = Place::new();
    fs::write(
        place.path("board.txt"),
        "00000/00000/00000/00000/00000 b3d3 c2c4 0\n",
    )
    .unwrap();
    let mut wrong = Vec::new();
    for (name, options, units) in LONG {
        let (first, rest) = name.split_once('-').unwrap_or((name, ""));
        let players = match name {
            "tournament" => vec![fake("a", "random"), fake("b", "random")],
            "rate" => vec![fake("a", "random")],
            _ => vec![],
        };
        let mut command = place.command(first, &format!("{rest} {options}"), &players);
        let output = command.env("SANTORINI_PROGRESS", "0").output().unwrap();
        let told = errors(&output);
        let missing: Vec<_> = units.iter().filter(|unit| !tells(&told, unit)).collect();
        if !output.status.success() || !missing.is_empty() {
            wrong.push(format!(
                "{name} {options}: {missing:?} is missing in\n{told}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Units whose final count may be below the total: the total is a maximum, or the count
/// is printed only now and then.
const FEWER: [&str; 2] = ["states at most", "episodes learned"];

/// Whether the lines show progress in this unit, and the last line shows all of the
/// total, if it is known.
fn tells(errors: &str, unit: &str) -> bool {
    let heads = errors.lines().filter_map(|line| {
        let (head, rest) = line.split_once(", ")?;
        rest.contains(" so far").then_some(head.strip_suffix(unit)?)
    });
    let counts: Vec<&str> = heads.collect();
    let Some(last) = counts.last() else {
        return false;
    };
    let number = |text: &str| text.trim().parse::<u64>().unwrap();
    match last.split_once(" of ") {
        Some((done, all)) => FEWER.contains(&unit) || number(done) >= number(all),
        None => last.is_empty() || number(last) > 0,
    }
}

#[test]
fn every_command_is_known_to_be_long_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    let output = run(&["man", pages.to_str().unwrap()], "");
    assert!(output.status.success(), "{output:?}");
    let files = fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap());
    let names = files.map(|file| {
        let name = file.file_name().into_string().unwrap();
        let name = name.strip_suffix(".1").unwrap();
        let name = name.strip_prefix("santorini").unwrap();
        name.strip_prefix('-').unwrap_or(name).to_string()
    });
    let there: BTreeSet<String> = names.collect();
    let long = LONG.iter().map(|(name, ..)| *name);
    let known = long.chain(GROUPS).chain(OTHERS).map(str::to_string);
    let known: BTreeSet<String> = known.collect();
    let unknown: Vec<_> = there.symmetric_difference(&known).collect();
    assert!(
        unknown.is_empty(),
        "{unknown:?}: a command that can take longer than 15 s shows a `Progress` and stands in \
         LONG of tests/progress.rs; others stand in OTHERS"
    );
}
