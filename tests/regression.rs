//! Positions whose outcome is proved, which the engine must find out within a
//! fixed number of nodes.
//!
//! tests/data/proved.txt holds a position on each line with its outcome for
//! the player to move and the plies within which it comes. A proof of the
//! search is exact, and each one was found a second time by a search with
//! another evaluation and another size of the table.
//!
//! The engine that found them needed at most [`MOST_NEEDED`] nodes for any.
//! Search and evaluation change, and a change that is good for play may be bad
//! for a few of these, so the limit is five times as much and a few may stay
//! open. A proof of the opposite is always an error.
//!
//! To find other positions, or more (see [`WANTED`]), which takes a quarter of
//! an hour on two cores, and to prove all again in another way:
//!
//! ```text
//! cargo test --release --test regression -- --ignored --nocapture find
//! cargo test --release --test regression -- --ignored --nocapture again
//! ```

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use santorini::eval::{EvalKind, Weights};
use santorini::jobs::{Jobs, default_threads};
use santorini::openings::random_opening;
use santorini::rules::Position;
use santorini::search::{Engine, EngineOptions, Limits, Report, WIN, is_proved};

/// Nodes for each position in the test.
const LIMIT: u64 = 400_000;
/// The nodes within which a proof is looked for when positions are chosen.
const MOST_NEEDED: u64 = 80_000;
/// The nodes within which the proof must be found again in another way.
const AGAIN: u64 = 4_000_000;
/// The part of the positions that may stay open.
const OPEN: f64 = 0.03;
/// How many positions are looked for.
const WANTED: usize = 260;
/// The plies to the end, at least, in all of them and in half of them.
const LEAST_PLIES: i32 = 5;
const MANY_PLIES: i32 = 7;
/// Nodes a turn of the games in which positions are looked for.
const GAME: u64 = 1000;

/// A line of the file.
#[derive(Clone, Copy)]
struct Proved {
    position: Position<5>,
    /// Whether the mover wins; otherwise she loses.
    wins: bool,
    plies: i32,
}

impl Proved {
    /// What a search has proved of the position, if anything.
    fn of(position: &Position<5>, report: &Report) -> Option<Self> {
        is_proved(report.score()).then(|| Self {
            position: *position,
            wins: report.score() > 0,
            plies: WIN - report.score().abs(),
        })
    }

    fn parse(line: &str) -> Self {
        let (position, outcome) = line.split_once(": ").expect("position: outcome");
        let (kind, plies) = outcome.split_once(" in ").expect("kind in plies");
        assert!(["win", "loss"].contains(&kind), "{line}");
        Self {
            position: position.parse().expect("a position"),
            wins: kind == "win",
            plies: plies.parse().expect("a number of plies"),
        }
    }

    fn line(&self) -> String {
        let kind = if self.wins { "win" } else { "loss" };
        format!("{}: {kind} in {}", self.position, self.plies)
    }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/proved.txt")
}

fn known() -> Vec<Proved> {
    let text = fs::read_to_string(path()).unwrap();
    text.lines().map(Proved::parse).collect()
}

fn search(position: &Position<5>, nodes: u64, eval: EvalKind, hash_mib: usize) -> Report {
    let mut engine = Engine::new(EngineOptions {
        hash_mib,
        threads: 1,
        eval,
        ..EngineOptions::default()
    });
    let never = AtomicBool::new(false);
    engine.search(position, &Limits::nodes(nodes), &never, &mut |_| {})
}

/// A search as the engine plays by default, only with a small table.
fn by_default(position: &Position<5>, nodes: u64) -> Report {
    search(position, nodes, EvalKind::default(), 16)
}

/// A search that shares neither evaluation nor size of the table with it.
fn in_another_way(position: &Position<5>) -> Report {
    search(position, AGAIN, EvalKind::Weighted(Weights::TUNED), 64)
}

/// Hands the result of `work` on each number below `end` to `take`, on all
/// cores and in order, until `take` returns false.
fn on_all_cores<T: Send>(
    end: u64,
    work: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(T) -> bool,
) {
    let stop = AtomicBool::new(false);
    let jobs = Jobs {
        threads: default_threads(),
        stop: &stop,
    };
    let _ = jobs.run(0..end, work, |_, result| match take(result) {
        true => Ok(()),
        false => Err(()),
    });
}

#[test]
fn proved_positions_are_many_and_different() {
    let known = known();
    let keys: HashSet<u64> = known.iter().map(|it| it.position.symmetric_key()).collect();
    assert!(keys.len() >= 200 && keys.len() == known.len());
    let count = |is: fn(&&Proved) -> bool| known.iter().filter(is).count();
    assert!(count(|it| it.wins) >= 80 && count(|it| !it.wins) >= 80);
    assert_eq!(count(|it| it.plies < LEAST_PLIES), 0);
    assert!(2 * count(|it| it.plies >= MANY_PLIES) >= known.len());
    // A win comes with a turn of the mover, a loss with one of the other
    // player or for want of one.
    assert_eq!(count(|it| it.wins != (it.plies % 2 == 1)), 0);
}

#[test]
fn proved_positions_are_solved() {
    let known = known();
    let mut open = Vec::new();
    let look = |index: u64| {
        let it = known[index as usize];
        (it, by_default(&it.position, LIMIT))
    };
    on_all_cores(known.len() as u64, look, |(it, report)| {
        match Proved::of(&it.position, &report) {
            Some(found) => assert_eq!(found.wins, it.wins, "{}", it.line()),
            None => open.push(it.line()),
        }
        true
    });
    let allowed = (known.len() as f64 * OPEN) as usize;
    assert!(
        open.len() <= allowed,
        "{} of {} are not solved, {allowed} may be:\n{}",
        open.len(),
        known.len(),
        open.join("\n")
    );
}

#[test]
#[ignore = "long searches"]
fn prove_all_again() {
    let known = known();
    let look = |index: u64| {
        let it = known[index as usize];
        (it, in_another_way(&it.position))
    };
    on_all_cores(known.len() as u64, look, |(it, report)| {
        let found = Proved::of(&it.position, &report);
        let found = found.unwrap_or_else(|| panic!("no proof: {}", it.line()));
        assert_eq!(found.wins, it.wins, "{}", it.line());
        true
    });
}

#[test]
#[ignore = "writes tests/data/proved.txt after long searches"]
fn find_proved_positions() {
    let mut found: Vec<Proved> = Vec::new();
    let mut seen = HashSet::new();
    on_all_cores(u64::MAX, in_game, |proved| {
        for it in proved {
            let same = found.iter().filter(|other| other.wins == it.wins).count();
            let near = found
                .iter()
                .filter(|other| other.plies < MANY_PLIES)
                .count();
            let is_wanted = 2 * same < WANTED && (it.plies >= MANY_PLIES || 3 * near < WANTED);
            if is_wanted && seen.insert(it.position.symmetric_key()) {
                found.push(it);
                println!("{} of {WANTED}: {}", found.len(), it.line());
            }
        }
        found.len() < WANTED
    });
    let lines: String = found.iter().map(|it| it.line() + "\n").collect();
    fs::write(path(), lines).unwrap();
}

/// A win and a loss of a game with this number that are hard to prove, but
/// not too hard, if there are any.
fn in_game(number: u64) -> Vec<Proved> {
    let mut position = random_opening::<5>(number as u32 % 10, 1, number, [None, None]);
    let mut played = Vec::new();
    loop {
        let report = by_default(&position, GAME);
        if is_proved(report.score()) {
            break;
        }
        let Some(turn) = report.turn() else { break };
        played.push(position);
        position = position.play(turn);
    }
    // Back from the first position that is easily proved, to the first that
    // cannot be proved.
    let mut found: [Option<Proved>; 2] = [None; 2];
    for position in played.into_iter().rev() {
        let report = by_default(&position, MOST_NEEDED);
        let Some(it) = Proved::of(&position, &report) else {
            break;
        };
        if it.plies >= LEAST_PLIES {
            found[usize::from(it.wins)] = Some(it);
        }
    }
    let confirmed = |it: &Proved| {
        let again = Proved::of(&it.position, &in_another_way(&it.position));
        assert!(
            again.is_none_or(|again| again.wins == it.wins),
            "{}",
            it.line()
        );
        again.is_some()
    };
    found.into_iter().flatten().filter(confirmed).collect()
}
