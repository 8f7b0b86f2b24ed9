//! Positions whose outcome is proved.
//!
//! Each line of tests/data/proved.txt is a position with its outcome for the player to move
//! and the maximum number of plies to the end. Proofs of the search are exact. Each was
//! confirmed by a search with another evaluation and table size.
//!
//! `regression.rs` checks that the engine finds them; `long/proofs.rs` finds new positions
//! and proves all of them again.

use santorini::eval::EvalKind;
use santorini::jobs::{Jobs, default_threads};
use santorini::rules::Position;
use santorini::search::{Engine, EngineOptions, Limits, Report, WIN, is_proved};

/// The node limit of proofs when positions are chosen.
pub const MOST_NEEDED: u64 = 80_000;
/// The minimum number of plies to the end.
pub const LEAST_PLIES: i32 = 5;
/// At least half of the positions have this many plies to the end.
pub const MANY_PLIES: i32 = 7;

/// A line of the file.
#[derive(Clone, Copy)]
pub struct Proved {
    pub position: Position<5>,
    /// Whether the mover wins; otherwise it loses.
    pub wins: bool,
    pub plies: i32,
}

impl Proved {
    /// The outcome that a search has proved, if any.
    pub fn of(position: &Position<5>, report: &Report) -> Option<Self> {
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

    pub fn line(&self) -> String {
        let kind = if self.wins { "win" } else { "loss" };
        format!("{}: {kind} in {}", self.position, self.plies)
    }
}

pub fn known() -> Vec<Proved> {
    let lines = include_str!("data/proved.txt").lines();
    lines.map(Proved::parse).collect()
}

pub fn search(position: &Position<5>, nodes: u64, eval: EvalKind, hash_mib: usize) -> Report {
    let mut engine = Engine::new(EngineOptions {
        hash_mib,
        threads: 1,
        eval,
        ..EngineOptions::default()
    });
    engine.best(position, &Limits::nodes(nodes))
}

/// A search with the default options and a small table.
pub fn by_default(position: &Position<5>, nodes: u64) -> Report {
    search(position, nodes, EvalKind::default(), 16)
}

/// Does `work` for each number below `end` on all cores and passes the results to `take` in
/// order, until it returns false.
pub fn on_all_cores<T: Send + 'static>(
    end: u64,
    work: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(T) -> bool,
) {
    let jobs = Jobs::unstoppable(default_threads());
    let _ = jobs.run(0..end, work, |_, result| match take(result) {
        true => Ok(()),
        false => Err(()),
    });
}
