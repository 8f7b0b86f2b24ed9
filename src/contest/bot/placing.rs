//! Where to place the next worker if the bots place one at a time.
//!
//! Placement is a game of four plies. A full search with the static evaluation ranks the
//! squares. A real search then compares the best few, each completed with the best
//! placements of both bots.

use std::time::Duration;

use crate::eval::{Evaluator, Weighted, Weights, centre_value};
use crate::protocol::tcp::SIZE;
use crate::rules::{Geometry, Position, Square};
use crate::search::{Engine, Limits};

/// The number of squares compared by search.
const FINALISTS: usize = 6;

/// Greater than any evaluation.
const INFINITY: i32 = i32::MAX;

/// The workers placed so far, in the order of placement: the bots alternate.
type Placed = Vec<Square>;

/// The best square for the next worker of the bot that has placed `own`, against
/// `others`. Takes about `time`.
pub(super) fn next_worker(
    engine: &mut Engine<SIZE>,
    own: &[Square],
    others: &[Square],
    time: Duration,
) -> Option<Square> {
    let mut placed = in_order(own, others);
    let mut ranked = ranked(&mut placed);
    ranked.truncate(FINALISTS);
    let limits = Limits {
        time: Some(time / FINALISTS as u32),
        ..Limits::default()
    };
    let searched = ranked.into_iter().filter_map(|(_, square)| {
        let start = completed(&placed, square)?;
        let score = engine.best(&start, &limits).score();
        // The score is for the first bot, which is to move; the second bot's is the
        // opposite.
        let score = if placed.len().is_multiple_of(2) {
            score
        } else {
            -score
        };
        Some((score, square))
    });
    // On ties the first square, which has the best static evaluation.
    let best = searched.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map(|(_, square)| square)
}

/// The squares for the next worker and their values for the bot that places it, the best
/// first.
pub(super) fn ranked_squares(own: &[Square], others: &[Square]) -> Vec<(i32, Square)> {
    ranked(&mut in_order(own, others))
}

/// Merges both bots' workers into the order of placement.
fn in_order(own: &[Square], others: &[Square]) -> Placed {
    let own_first = own.len() == others.len();
    let (first, second) = if own_first {
        (own, others)
    } else {
        (others, own)
    };
    let mut placed = Vec::with_capacity(4);
    for (place, &square) in first.iter().enumerate() {
        placed.push(square);
        placed.extend(second.get(place));
    }
    placed
}

/// All squares for the next worker and their values for the bot that places it, the best
/// first.
fn ranked(placed: &mut Placed) -> Vec<(i32, Square)> {
    let mut all: Vec<(i32, Square)> = free(placed)
        .into_iter()
        .map(|square| {
            placed.push(square);
            let value = -value(placed, -INFINITY, INFINITY);
            placed.pop();
            (value, square)
        })
        .collect();
    all.sort_by_key(|&(value, _)| -value);
    all
}

/// The free squares, the middle of the board first.
fn free(placed: &Placed) -> Vec<Square> {
    let mut squares: Vec<Square> = Geometry::<SIZE>::BOARD
        .filter(|square| !placed.contains(square))
        .collect();
    squares.sort_by_key(|&square| -centre_value::<SIZE>(square));
    squares
}

/// The value for the bot that places next, or that moves first once all are placed:
/// negamax with alpha-beta over all placements.
fn value(placed: &mut Placed, mut alpha: i32, beta: i32) -> i32 {
    if let Some(start) = start(placed) {
        return Weighted(Weights::TUNED).evaluate(&start);
    }
    let mut best = -INFINITY;
    for square in free(placed) {
        placed.push(square);
        let value = -value(placed, -beta, -alpha);
        placed.pop();
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The start position, once all four workers are placed.
fn start(placed: &Placed) -> Option<Position<SIZE>> {
    let &[a, b, c, d] = placed.as_slice() else {
        return None;
    };
    Position::start([[a, c], [b, d]], [None, None]).ok()
}

/// The start position with the next worker on `square` and the others on the squares with
/// the best evaluation.
fn completed(placed: &Placed, square: Square) -> Option<Position<SIZE>> {
    let mut placed = placed.clone();
    placed.push(square);
    while placed.len() < 4 {
        let (_, best) = *ranked(&mut placed).first()?;
        placed.push(best);
    }
    start(&placed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::EngineOptions;

    fn at(x: usize, y: usize) -> Square {
        Square::at::<SIZE>(y, x)
    }

    #[test]
    fn workers_are_merged_in_order_of_placement() {
        let [a, b, c] = [at(0, 0), at(1, 1), at(2, 2)];
        assert_eq!(in_order(&[], &[]), []);
        assert_eq!(in_order(&[], &[a]), [a]);
        assert_eq!(in_order(&[a], &[b]), [a, b]);
        assert_eq!(in_order(&[b], &[a, c]), [a, b, c]);
    }

    #[test]
    fn alpha_beta_finds_the_minimax_value() {
        fn plain(placed: &mut Placed) -> i32 {
            if let Some(start) = start(placed) {
                return Weighted(Weights::TUNED).evaluate(&start);
            }
            let mut best = -INFINITY;
            for square in free(placed) {
                placed.push(square);
                best = best.max(-plain(placed));
                placed.pop();
            }
            best
        }
        let mut placed = vec![at(2, 2), at(0, 5)];
        let found = ranked(&mut placed)[0].0;
        assert_eq!(found, plain(&mut placed));
    }

    #[test]
    fn workers_are_placed_on_free_central_squares() {
        let options = EngineOptions {
            hash_mib: 1,
            ..EngineOptions::default()
        };
        let mut engine = Engine::new(options);
        let mut sides = [Vec::new(), Vec::new()];
        for place in 0..4 {
            let [own, others] = [&sides[place % 2], &sides[1 - place % 2]];
            let time = Duration::from_millis(20);
            let square = next_worker(&mut engine, own, others, time).unwrap();
            assert!(!own.contains(&square) && !others.contains(&square));
            assert!(centre_value::<SIZE>(square) > 0, "{square:?}");
            sides[place % 2].push(square);
        }
    }
}
