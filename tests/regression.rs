//! The engine must prove the outcomes of the positions of `proved.rs` within a fixed
//! number of nodes.
//!
//! The engine that found them needed at most [`MOST_NEEDED`] nodes for each. A change
//! that improves play may hurt a few of them, so the limit is five times as high and a
//! few may stay open. A proof of the opposite is always an error.

use std::collections::HashSet;

use crate::proved::{
    LEAST_PLIES, MANY_PLIES, MOST_NEEDED, Proved, by_default, known, on_all_cores,
};

/// Nodes for each position in the test.
const LIMIT: u64 = 5 * MOST_NEEDED;
/// The share of positions that may stay open.
const OPEN: f64 = 0.03;

#[test]
fn proved_positions_are_many_and_different() {
    let known = known();
    let keys: HashSet<u64> = known.iter().map(|it| it.position.symmetric_key()).collect();
    assert!(keys.len() >= 200 && keys.len() == known.len());
    let count = |is: fn(&&Proved) -> bool| known.iter().filter(is).count();
    assert!(count(|it| it.wins) >= 80 && count(|it| !it.wins) >= 80);
    assert_eq!(count(|it| it.plies < LEAST_PLIES), 0);
    assert!(2 * count(|it| it.plies >= MANY_PLIES) >= known.len());
    // A win takes an odd number of plies, a loss an even number.
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
