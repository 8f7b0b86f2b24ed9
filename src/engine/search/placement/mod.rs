//! The placement of the workers, for both players: from the book or by search.
//!
//! | to see or change | look at |
//! |---|---|
//! | the choice by search | `mod.rs` (here) |
//! | the book: its text and its answers | `book.rs` |
//! | the entries of the book | `book.txt`, made by `santorini placements` |
//! | how the entries are found | `src/games/openings/placements.rs` |
//!
//! The book is for the base game on 5x5 spaces with the network. With cards, on 6x6 spaces
//! and with other evaluations the engine searches one of each class of symmetric placements
//! to growing depth, and drops the worse half after each depth (successive halving).

mod book;

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::Instant;
use crate::rules::{Bitboard, Cards, Geometry, Placement, Position, Setup, Square, Symmetry};

use super::engine::Engine;
use super::limits::Limits;
use super::score::{WIN, is_proved};

pub use book::{BookEntry, PlacementBook, PlacementBookError, Reply, placement_text};

/// The number of candidates kept to the end.
const FINALISTS: usize = 2;
/// The second player's replies searched for each first placement.
const REPLIES: usize = 6;
/// The depths of the first and, without a limit, of the last round.
const FIRST_DEPTH: u32 = 2;
const LAST_DEPTH: u32 = 20;

/// A placement and its value for the player that places.
struct Candidate {
    placement: Placement,
    value: i32,
}

/// What is left for the search of a placement, which consists of many searches.
struct Budget<'a> {
    start: Instant,
    time: Option<Duration>,
    /// The nodes that each thread may still search.
    nodes: Option<Cell<u64>>,
    last_depth: u32,
    stop: &'a AtomicBool,
}

impl<'a> Budget<'a> {
    fn new(limits: &Limits, stop: &'a AtomicBool) -> Self {
        Self {
            start: Instant::now(),
            time: limits.time,
            nodes: limits.nodes.map(Cell::new),
            last_depth: limits.depth.unwrap_or(LAST_DEPTH),
            stop,
        }
    }

    /// The limits of a search to a depth; `None` if nothing is left.
    fn limits(&self, depth: u32) -> Option<Limits> {
        let time = match self.time {
            Some(time) => Some(time.checked_sub(self.start.elapsed())?),
            None => None,
        };
        let nodes = self.nodes.as_ref().map(Cell::get);
        // A short search ends before it checks the flag.
        let is_over = nodes == Some(0) || self.stop.load(Ordering::Relaxed);
        (!is_over).then(|| Limits {
            time,
            nodes,
            ..Limits::depth(depth)
        })
    }

    fn use_nodes(&self, used: u64) {
        if let Some(nodes) = &self.nodes {
            nodes.set(nodes.get().saturating_sub(used));
        }
    }
}

impl<const N: usize> Engine<N> {
    /// Chooses a placement within the limits, or until `stop` is set. Calls `progress` with
    /// the best placement so far before each round.
    ///
    /// The limits are those of all searches together; the depth is that of the deepest.
    /// The first player maximises against the second player's best replies, the second player
    /// against the first player's best turns. The book answers at once.
    pub fn place(
        &mut self,
        setup: &Setup,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Placement),
    ) -> Placement {
        if let Some(placement) = self.book_placement(setup) {
            progress(placement);
            return placement;
        }
        let budget = Budget::new(limits, stop);
        match *setup {
            Setup::First { cards } => self.place_first(cards, &budget, progress),
            Setup::Second { cards, first } => self.place_second(cards, first, &budget, progress),
        }
    }

    /// The book's answer, if it is for this game.
    fn book_placement(&self, setup: &Setup) -> Option<Placement> {
        if N != 5 || !self.has_network() {
            return None;
        }
        let book = PlacementBook::built_in();
        match *setup {
            Setup::First { cards: [None, _] } => book.first(),
            Setup::Second {
                cards: [None, _],
                first,
            } => book.reply(first),
            _ => None,
        }
    }

    fn place_second(
        &mut self,
        [own, other]: Cards,
        first: Placement,
        budget: &Budget<'_>,
        progress: &mut dyn FnMut(Placement),
    ) -> Placement {
        let candidates = candidates::<N>(first.into_iter().collect());
        successive_halving(candidates, budget, progress, |placement, depth| {
            let start = Position::start([first, placement], [other, own]);
            let start = start.expect("candidates are free squares");
            Some(-self.score_within(&start, depth, budget)?)
        })
    }

    fn place_first(
        &mut self,
        cards: Cards,
        budget: &Budget<'_>,
        progress: &mut dyn FnMut(Placement),
    ) -> Placement {
        let candidates = candidates::<N>(Bitboard::EMPTY);
        successive_halving(candidates, budget, progress, |placement, depth| {
            self.score_first(cards, placement, depth, budget)
        })
    }

    /// The value of a first placement after the best of the likely replies.
    fn score_first(
        &mut self,
        cards: Cards,
        placement: Placement,
        depth: u32,
        budget: &Budget<'_>,
    ) -> Option<i32> {
        let mut replies = Vec::new();
        for reply in candidates::<N>(placement.into_iter().collect()) {
            let start = Position::start([placement, reply.placement], cards);
            let start = start.expect("replies are free squares");
            replies.push((self.score_within(&start, 1, budget)?, start));
        }
        replies.sort_by_key(|&(score, _)| score);
        let mut worst = WIN;
        for (_, start) in replies.iter().take(REPLIES) {
            worst = worst.min(self.score_within(start, depth, budget)?);
        }
        Some(worst)
    }

    /// The score of a position for its mover at a depth. `None` if the budget does not
    /// suffice or the search is stopped.
    fn score_within(
        &mut self,
        position: &Position<N>,
        depth: u32,
        budget: &Budget<'_>,
    ) -> Option<i32> {
        let limits = budget.limits(depth)?;
        let report = self.search(position, &limits, budget.stop, &mut |_| {});
        budget.use_nodes(report.nodes / self.threads() as u64);
        (report.depth == depth || is_proved(report.score())).then(|| report.score())
    }
}

/// The best candidate, compared at growing depth until the budget is used up or the last
/// depth is done.
fn successive_halving(
    mut candidates: Vec<Candidate>,
    budget: &Budget<'_>,
    progress: &mut dyn FnMut(Placement),
    mut score: impl FnMut(Placement, u32) -> Option<i32>,
) -> Placement {
    for depth in FIRST_DEPTH.min(budget.last_depth)..=budget.last_depth {
        progress(candidates[0].placement);
        // If the budget is used up, only the values of this round are compared.
        for index in 0..candidates.len() {
            match score(candidates[index].placement, depth) {
                Some(value) => candidates[index].value = value,
                None => return best_of_round(&candidates, index),
            }
        }
        candidates.sort_by_key(|candidate| -candidate.value);
        candidates.truncate(candidates.len().div_ceil(2).max(FINALISTS));
        if budget.limits(depth).is_none() {
            break;
        }
    }
    candidates[0].placement
}

/// The best of the first `done` candidates, which the last round has searched. If `done` is
/// 0, the best of the round before.
fn best_of_round(candidates: &[Candidate], done: usize) -> Placement {
    let round = candidates[..done.max(1)].iter();
    let best = round.max_by_key(|candidate| candidate.value);
    best.unwrap_or(&candidates[0]).placement
}

/// The candidates for a placement, central ones first.
fn candidates<const N: usize>(occupied: Bitboard) -> Vec<Candidate> {
    let candidate = |placement: Placement| Candidate {
        placement,
        value: placement.map(crate::eval::centre_value::<N>).iter().sum(),
    };
    let mut candidates: Vec<Candidate> = distinct_placements::<N>(occupied)
        .into_iter()
        .map(candidate)
        .collect();
    candidates.sort_by_key(|candidate| -candidate.value);
    candidates
}

/// One placement of each class under the symmetries that keep the occupied squares.
pub fn distinct_placements<const N: usize>(occupied: Bitboard) -> Vec<Placement> {
    let symmetries: Vec<Symmetry> = Symmetry::all()
        .filter(|symmetry| symmetry.set::<N>(occupied) == occupied)
        .collect();
    let mut seen = HashSet::new();
    let mut placements = Vec::new();
    let free: Vec<Square> = Geometry::<N>::BOARD.without(occupied).collect();
    for (index, &a) in free.iter().enumerate() {
        for &b in &free[index + 1..] {
            let pair = Bitboard::of(a) | Bitboard::of(b);
            if seen.insert(pair) {
                seen.extend(symmetries.iter().map(|symmetry| symmetry.set::<N>(pair)));
                placements.push([a, b]);
            }
        }
    }
    placements
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::jobs::NEVER;
    use crate::search::EngineOptions;

    #[test]
    fn symmetric_placements_count_once() {
        // Burnside over the 8 symmetries of the 5x5 board: of the 300 pairs
        // the identity keeps 300, the half turn 12, the quarter turns none
        // each, each of the four mirrors 20: (300 + 12 + 4 * 20) / 8 = 49.
        assert_eq!(candidates::<5>(Bitboard::EMPTY).len(), 49);
        let corner = Bitboard::of(Square::at::<5>(0, 0)) | Bitboard::of(Square::at::<5>(0, 1));
        assert_eq!(candidates::<5>(corner).len(), 253, "no symmetry is left");
    }

    fn engine() -> Engine<5> {
        Engine::new(EngineOptions {
            hash_mib: 1,
            threads: 1,
            eval: EvalKind::Weighted(Weights::TUNED),
            ..EngineOptions::default()
        })
    }

    #[test]
    fn no_time_is_too_long() {
        let budget = Budget::new(&Limits::time(Duration::MAX), &NEVER);
        assert!(budget.limits(1).is_some());
    }

    #[test]
    fn nodes_and_depth_limit_all_searches_of_a_placement() {
        let setup = Setup::Second {
            cards: [None; 2],
            first: [Square::at::<5>(1, 1), Square::at::<5>(3, 3)],
        };
        let place = |limits: Limits| {
            let mut engine = engine();
            let mut rounds = 0;
            let placement = engine.place(&setup, &limits, &AtomicBool::new(false), &mut |_| {
                rounds += 1;
            });
            (placement, rounds)
        };
        let few = Limits::nodes(20_000);
        let (placement, rounds) = place(few);
        assert_eq!((placement, rounds), place(few));
        assert!(rounds < place(Limits::nodes(200_000)).1, "{rounds}");
        assert_eq!(place(Limits::depth(3)).1, 2);
        assert_eq!(place(Limits::depth(1)).1, 1);
    }

    #[test]
    fn placements_are_central_and_legal() {
        let mut engine = engine();
        let limits = Limits::time(Duration::from_millis(100));
        let first = engine.place(
            &Setup::First { cards: [None; 2] },
            &limits,
            &NEVER,
            &mut |_| {},
        );
        assert_ne!(first[0], first[1]);
        let second = engine.place(
            &Setup::Second {
                cards: [None; 2],
                first,
            },
            &limits,
            &NEVER,
            &mut |_| {},
        );
        assert!(first.iter().all(|square| !second.contains(square)));
        let central = |square: &Square| crate::eval::centre_value::<5>(*square) > 0;
        assert!(first.iter().any(central) && second.iter().any(central));
    }
}
