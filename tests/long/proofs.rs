//! Finds [`WANTED`] new positions with a proved outcome, which takes a quarter of an
//! hour on two cores; and proves all known ones again in another way:
//!
//! ```text
//! cargo test --release --test long -- --ignored --nocapture find
//! cargo test --release --test long -- --ignored --nocapture again
//! ```
//!
//! Proves them with their distances, by a forward search that knows only the rules:
//!
//! ```text
//! cargo test --release --test long -- --ignored --nocapture by_the_rules
//! ```

use std::collections::HashSet;
use std::fs;

use santorini::eval::{EvalKind, Weights};
use santorini::openings::random_opening;
use santorini::rules::Position;
use santorini::search::{Report, is_proved};
use santorini::solve::Proof;

use crate::proved::{
    LEAST_PLIES, MANY_PLIES, MOST_NEEDED, Proved, by_default, known, on_all_cores, search,
};

/// Maximum nodes to prove a position again in another way.
const AGAIN: u64 = 4_000_000;
/// The number of positions to find.
const WANTED: usize = 260;
/// Nodes per turn of the games searched for positions.
const GAME: u64 = 1000;

/// A search whose evaluation and table size differ from [`by_default`].
fn in_another_way(position: &Position<5>) -> Report {
    search(position, AGAIN, EvalKind::Weighted(Weights::TUNED), 64)
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

/// The file has the distance of some proved win or loss; the end may be nearer.
#[test]
#[ignore = "long searches"]
fn prove_all_by_the_rules_alone() {
    let known = known();
    let look = |index: u64| {
        let it = known[index as usize];
        let proof = Proof::of(&it.position, it.wins, it.plies as u32, AGAIN);
        (it, proof)
    };
    let mut counts = [0; 4];
    on_all_cores(known.len() as u64, look, |(it, proof)| {
        let kind = match proof {
            Proof::Exact => 0,
            Proof::Within => 1,
            Proof::Nearer => 2,
            Proof::Open => 3,
            Proof::Wrong => panic!("no such end: {}", it.line()),
        };
        counts[kind] += 1;
        true
    });
    let [exact, within, nearer, open] = counts;
    println!("{exact} exact, {within} within, {nearer} nearer, {open} open");
    assert!(open * 20 < known.len(), "{open} are open");
}

#[test]
#[ignore = "long searches"]
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
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/proved.txt");
    fs::write(path, lines).unwrap();
    println!("{path} is ready to become tests/data/proved.txt");
}

/// A win and a loss in game `number` that are hard to prove, but not too hard, if any.
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
    // Backwards from the first easily proved position, to the first that cannot be proved.
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
