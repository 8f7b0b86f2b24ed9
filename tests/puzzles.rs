//! Tests of the built-in puzzles and of the command that makes puzzles.

use santorini::puzzles::{Puzzle, built_in, parse_puzzles};

use crate::program::{errors, run_words, success};

/// The limits of proofs in nodes and plies; every built-in puzzle needs less.
pub const NODES: u64 = 3_000_000;
pub const PLIES: u32 = 11;

#[test]
fn there_are_puzzles_of_every_length() {
    let puzzles = built_in();
    assert!(puzzles.len() >= 200, "{}", puzzles.len());
    assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.plies));
    for plies in [1, 3, 5, 7] {
        let of_length = puzzles
            .iter()
            .filter(|puzzle| puzzle.plies == plies)
            .count();
        assert!(of_length >= 20, "{of_length} of {plies} plies");
    }
    let with_cards = |puzzle: &&Puzzle<5>| puzzle.position.has_cards();
    assert!(puzzles.iter().filter(with_cards).count() >= 20);
    let mut keys: Vec<u64> = puzzles
        .iter()
        .map(|it| it.position.symmetric_key())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), puzzles.len(), "all puzzles differ");
}

#[test]
fn solutions_win_and_only_an_easy_puzzle_is_won_at_once() {
    for puzzle in built_in() {
        // By a step up, or by leaving the opponent without a turn.
        let ends = puzzle.solution.wins() || !puzzle.position.play(puzzle.solution).has_turn();
        assert_eq!(ends, puzzle.plies == 1, "{puzzle}");
        let holding = puzzle.position.turns().into_iter();
        let holding = holding
            .filter(|&turn| !puzzle.position.play(turn).has_win())
            .count();
        assert!(puzzle.plies == 1 || holding >= 3, "{puzzle}");
    }
}

/// `tests/long/puzzles.rs` proves all of them.
#[test]
fn some_puzzles_are_proved_again() {
    let short = built_in().iter().filter(|puzzle| puzzle.plies <= 5);
    for puzzle in short.step_by(12) {
        assert!(puzzle.is_proved(PLIES, NODES), "{puzzle}");
    }
}

#[test]
fn puzzles_are_made_from_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (games, out) = (
        format!("'{}'", file("all games.jsonl")),
        file("puzzles.txt"),
    );
    let agents = "--first level:number=4 --second level:number=4";
    success(&run_words(&format!(
        "lab play {agents} --games 40 --swap --record {games}"
    )));
    let make = |threads: &str| {
        let options = "--nodes 2000 --proof 20000 --plies 5";
        success(&run_words(&format!(
            "puzzles --out {out} {games} {options} --threads {threads}"
        )));
        std::fs::read_to_string(&out).unwrap()
    };
    let text = make("2");
    assert_eq!(make("1"), text);
    assert!(
        text.starts_with("# Positions in which exactly one turn wins, and every other one loses.")
    );
    assert!(text.contains(&format!(" {games}\n")), "{text}");
    let puzzles: Vec<Puzzle<5>> = parse_puzzles(&text).unwrap();
    assert!(puzzles.len() > 5, "{text}");
    let empty = run_words(&format!(
        "puzzles --each 0 --play 1 --nodes 100 --out {out}"
    ));
    assert!(empty.status.success());
    let told = errors(&empty);
    assert!(told.contains("there is no puzzle in these games"), "{told}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), text);
    for options in ["--out Cargo.toml", "--size 6"] {
        let refused = run_words(&format!("puzzles {options} {games}"));
        assert_eq!(refused.status.code(), Some(2), "{options}");
    }
}

#[test]
fn records_that_cannot_be_replayed_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let games = path.display().to_string();
    success(&run_words(&format!(
        "lab play --first random --second random --games 3 --record {games}"
    )));
    let records = std::fs::read_to_string(&path).unwrap();
    let stderr = || {
        let made = run_words(&format!("puzzles --nodes 100 --proof 100 {games}"));
        assert!(made.status.success());
        errors(&made)
    };
    assert!(!stderr().contains("skipped"));
    // The second game begins with an illegal turn.
    let mut lines: Vec<serde_json::Value> = records
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let games = lines.iter_mut().filter(|line| line.get("game").is_some());
    let second = games.into_iter().nth(1).unwrap();
    second["turns"][0] = "a1-e5+a1".into();
    let damaged: Vec<String> = lines.iter().map(ToString::to_string).collect();
    std::fs::write(&path, damaged.join("\n") + "\n").unwrap();
    let told = stderr();
    assert!(
        told.contains(
            "skipped 1 of 3 records, which cannot be replayed; the first is game 2: turn 0"
        ),
        "{told}"
    );
}
