//! Makes the placement book: long searches of the best replies to every first placement.
//!
//! The first player has 300 placements, 49 up to symmetry. For each of them every reply of
//! the second player is searched, then the better half with twice the nodes, and so on
//! until a few are left (successive halving). The best first placements are then searched
//! again, because one of them is played in every game.

use std::convert::Infallible;

use super::fixed_nodes::FixedNodeEngine;
use crate::eval::EvalKind;
use crate::jobs::Jobs;
use crate::rules::{Bitboard, Cards, Placement, Position};
use crate::search::Limits;
use crate::search::placement::{BookEntry, PlacementBook, Reply, distinct_placements};

/// The options of a placement book.
#[derive(Clone, Copy, Debug)]
pub struct PlacementOptions {
    /// The cards of the first and the second player.
    pub cards: Cards,
    /// The evaluation of all searches.
    pub eval: EvalKind,
    /// Nodes for each first placement, and again for each of the best ones.
    pub nodes: u64,
    /// The transposition table of each engine in MiB.
    pub hash_mib: usize,
}

impl PlacementOptions {
    /// The number of calls of `report` in [`find_placements`].
    pub fn steps() -> u64 {
        (distinct_placements::<5>(Bitboard::EMPTY).len() + BEST) as u64
    }
}

/// The number of replies kept for each first placement.
const KEPT: usize = 4;
/// The number of first placements that are searched again, and played with two replies.
pub(super) const BEST: usize = 12;

/// Makes the book; `None` if the jobs were stopped. `report` is called after each
/// first placement.
pub fn find_placements(
    options: &PlacementOptions,
    jobs: &Jobs,
    mut report: impl FnMut(),
) -> Option<PlacementBook> {
    let firsts = distinct_placements::<5>(Bitboard::EMPTY);
    let mut entries = each(&firsts, options, jobs, find_replies, &mut report)?;
    // The best for the first player are last.
    entries.sort_by_key(BookEntry::score);
    let best = entries.split_off(entries.len().saturating_sub(BEST));
    let mut best = each(&best, options, jobs, search_again, &mut report)?;
    // They stay ahead of the others, even if a deeper search lowers their scores.
    best.sort_by_key(BookEntry::score);
    entries.append(&mut best);
    entries.reverse();
    Some(PlacementBook::new(entries))
}

/// The entries that `work` finds for the items, in order; `None` if the jobs were
/// stopped.
fn each<T: Sync>(
    items: &[T],
    options: &PlacementOptions,
    jobs: &Jobs,
    work: fn(&T, &PlacementOptions, &mut FixedNodeEngine) -> BookEntry,
    report: &mut impl FnMut(),
) -> Option<Vec<BookEntry>> {
    let mut entries = Vec::new();
    let find = |number| {
        let mut engine = FixedNodeEngine::new(options.eval, options.hash_mib, jobs.stop);
        work(&items[number as usize], options, &mut engine)
    };
    let Ok(()) = jobs.run_whole(0..items.len() as u64, find, |_, entry| {
        entries.push(entry);
        report();
        Ok::<(), Infallible>(())
    });
    (entries.len() == items.len()).then_some(entries)
}

/// The best replies to a first placement.
fn find_replies(
    &first: &Placement,
    options: &PlacementOptions,
    engine: &mut FixedNodeEngine,
) -> BookEntry {
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
        let each = options.nodes / rounds / replies.len() as u64;
        search_replies(first, &mut replies, options.cards, each, engine);
        replies.truncate(replies.len().div_ceil(2).max(KEPT));
    }
    BookEntry { first, replies }
}

/// The rounds of successive halving for a number of replies; the last one searches the
/// replies that are kept.
fn rounds(mut replies: usize) -> u64 {
    let mut rounds = 1;
    while replies > KEPT {
        replies = replies.div_ceil(2).max(KEPT);
        rounds += 1;
    }
    rounds
}

fn search_again(
    entry: &BookEntry,
    options: &PlacementOptions,
    engine: &mut FixedNodeEngine,
) -> BookEntry {
    let BookEntry { first, mut replies } = entry.clone();
    let each = options.nodes / replies.len() as u64;
    search_replies(first, &mut replies, options.cards, each, engine);
    BookEntry { first, replies }
}

/// Searches the position after each reply and sorts the replies, best for the second player
/// first.
fn search_replies(
    first: Placement,
    replies: &mut [Reply],
    cards: Cards,
    nodes: u64,
    engine: &mut FixedNodeEngine,
) {
    // A search has a score only once it finishes its first iteration.
    let limits = Limits::nodes(nodes.max(MIN_NODES));
    for reply in replies.iter_mut() {
        let start = Position::start([first, reply.placement], cards);
        let start = start.expect("replies leave out the occupied squares");
        reply.score = engine.score(&start, &limits);
    }
    replies.sort_by_key(|reply| reply.score);
}

/// The minimum nodes of a search: more than a position has turns after placement.
const MIN_NODES: u64 = 200;

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::Weights;
    use crate::rules::Card;

    fn find(cards: Cards, stop: bool) -> (Option<PlacementBook>, u64) {
        let stop = AtomicBool::new(stop);
        let jobs = Jobs {
            threads: 2,
            stop: &stop,
        };
        let options = PlacementOptions {
            cards,
            eval: EvalKind::Weighted(Weights::TUNED),
            nodes: 1,
            hash_mib: 1,
        };
        let mut steps = 0;
        (find_placements(&options, &jobs, || steps += 1), steps)
    }

    #[test]
    fn the_book_is_complete_and_sorted() {
        let base = [None, None];
        let (book, steps) = find(base, false);
        assert_eq!(steps, PlacementOptions::steps());
        let book = book.unwrap();
        assert_eq!(book.entries().len(), 49);
        assert!(
            book.entries()
                .iter()
                .all(|entry| entry.replies.len() == KEPT)
        );
        assert_eq!(book.to_string().parse().as_ref(), Ok(&book));
        let (others, best) = (&book.entries()[BEST..], &book.entries()[..BEST]);
        for entries in [best, others] {
            assert!(entries.is_sorted_by_key(|entry| -entry.score()));
        }
        assert_eq!(find(base, true).0, None);
        // Pan wins by moving down.
        let (with_cards, _) = find([Some(Card::Pan), Some(Card::Atlas)], false);
        assert_ne!(with_cards, Some(book));
    }

    #[test]
    fn rounds_end_with_the_replies_kept() {
        assert_eq!([1, 4, 5, 8, 9, 253].map(rounds), [1, 1, 2, 2, 3, 7]);
    }
}
