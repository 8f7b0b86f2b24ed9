//! The best replies to every first placement, by long searches.
//!
//! Of the 300 placements of the first player 49 differ up to symmetry. For
//! each of them every reply of the second player is searched, the better half
//! again with twice as many nodes, and so on (successive halving) until a few
//! are left. Then the first placements that look best are gone into again,
//! because one of them is played in every game.

use super::analyst::Analyst;
use crate::eval::EvalKind;
use crate::jobs::Jobs;
use crate::rules::Placement;
use crate::rules::{Bitboard, Position};
use crate::search::Limits;
use crate::search::placement::{KnownPlacements, Reply, Row, distinct_placements};

/// How placements are searched.
#[derive(Clone, Copy, Debug)]
pub struct PlacementOptions {
    pub eval: EvalKind,
    /// Nodes for each first placement, and as many again for each of the
    /// best.
    pub nodes: u64,
    /// The table of each engine in MiB.
    pub hash_mib: usize,
}

impl PlacementOptions {
    /// How often [`find_placements`] reports.
    pub fn steps() -> u64 {
        (distinct_placements::<5>(Bitboard::EMPTY).len() + BEST) as u64
    }
}

/// The replies that are left at the end, and kept in the table.
const KEPT: usize = 4;
/// The first placements that are gone into again.
const BEST: usize = 12;

/// The table; `None` if the jobs were stopped. `report` is called after each
/// first placement.
pub fn find_placements(
    options: &PlacementOptions,
    jobs: &Jobs,
    mut report: impl FnMut(),
) -> Option<KnownPlacements> {
    let firsts = distinct_placements::<5>(Bitboard::EMPTY);
    let find =
        |first: &Placement, analyst: &mut Analyst| find_replies(*first, options.nodes, analyst);
    let mut rows = each(&firsts, options, jobs, find, &mut report)?;
    // The best for the first player come last.
    rows.sort_by_key(Row::score);
    let best = rows.split_off(rows.len().saturating_sub(BEST));
    let again = |row: &Row, analyst: &mut Analyst| search_again(row, options.nodes, analyst);
    let mut best = each(&best, options, jobs, again, &mut report)?;
    // Deeper searches may find less, but these were the best of all.
    best.sort_by_key(Row::score);
    rows.append(&mut best);
    rows.reverse();
    Some(KnownPlacements::new(rows))
}

/// The row that `work` finds for each of the items, in their order; `None` if
/// the jobs were stopped.
fn each<T: Sync>(
    items: &[T],
    options: &PlacementOptions,
    jobs: &Jobs,
    work: impl Fn(&T, &mut Analyst) -> Row + Sync,
    report: &mut impl FnMut(),
) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    let find = |number| {
        let mut analyst = Analyst::new(options.eval, options.hash_mib, jobs.stop);
        let row = work(&items[number as usize], &mut analyst);
        (!analyst.is_stopped()).then_some(row)
    };
    let done = jobs.run(0..items.len() as u64, find, |_, row| {
        rows.push(row.ok_or(Stopped)?);
        report();
        Ok::<(), Stopped>(())
    });
    (done.is_ok() && rows.len() == items.len()).then_some(rows)
}

/// The searches were cut short.
struct Stopped;

/// The best replies to a first placement.
fn find_replies(first: Placement, nodes: u64, analyst: &mut Analyst) -> Row {
    let occupied: Bitboard = first.into_iter().collect();
    let replies = distinct_placements::<5>(occupied);
    let mut replies: Vec<Reply> = replies
        .into_iter()
        .map(|placement| Reply {
            placement,
            score: 0,
        })
        .collect();
    let rounds = rounds(replies.len());
    for _ in 0..rounds {
        let each = nodes / rounds / replies.len() as u64;
        search_replies(first, &mut replies, each, analyst);
        replies.truncate(replies.len().div_ceil(2).max(KEPT));
    }
    Row { first, replies }
}

/// How often a number of replies is searched, halved each time, the last time
/// when no more than those kept are left.
fn rounds(mut replies: usize) -> u64 {
    let mut rounds = 1;
    while replies > KEPT {
        replies = replies.div_ceil(2).max(KEPT);
        rounds += 1;
    }
    rounds
}

fn search_again(row: &Row, nodes: u64, analyst: &mut Analyst) -> Row {
    let mut row = row.clone();
    let each = nodes / row.replies.len() as u64;
    search_replies(row.first, &mut row.replies, each, analyst);
    row
}

/// Searches the position after each reply and brings the replies in order,
/// the best for the second player first.
fn search_replies(first: Placement, replies: &mut [Reply], nodes: u64, analyst: &mut Analyst) {
    // A search that does not finish its first iteration has no score.
    let limits = Limits::nodes(nodes.max(LEAST_NODES));
    for reply in replies.iter_mut() {
        let start = Position::start([first, reply.placement], [None, None]);
        let start = start.expect("replies leave out the occupied squares");
        reply.score = analyst.score(&start, &limits);
    }
    replies.sort_by_key(|reply| reply.score);
}

/// More nodes than any position has turns after a placement.
const LEAST_NODES: u64 = 200;

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::Weights;

    fn find(stop: bool) -> (Option<KnownPlacements>, u64) {
        let stop = AtomicBool::new(stop);
        let jobs = Jobs {
            threads: 2,
            stop: &stop,
        };
        let options = PlacementOptions {
            eval: EvalKind::Weighted(Weights::TUNED),
            nodes: 1,
            hash_mib: 1,
        };
        let mut steps = 0;
        (find_placements(&options, &jobs, || steps += 1), steps)
    }

    #[test]
    fn the_table_is_whole_and_in_order() {
        let (known, steps) = find(false);
        assert_eq!(steps, PlacementOptions::steps());
        let known = known.unwrap();
        assert_eq!(known.rows().len(), 49);
        assert!(known.rows().iter().all(|row| row.replies.len() == KEPT));
        assert_eq!(known.to_string().parse().as_ref(), Ok(&known));
        let (others, best) = (&known.rows()[BEST..], &known.rows()[..BEST]);
        for rows in [best, others] {
            assert!(rows.is_sorted_by_key(|row| -row.score()));
        }
        assert_eq!(find(true).0, None);
    }

    #[test]
    fn rounds_end_with_those_kept() {
        assert_eq!([1, 4, 5, 8, 9, 253].map(rounds), [1, 1, 2, 2, 3, 7]);
    }
}
