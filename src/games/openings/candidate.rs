//! Candidates for a book without cards: a good placement of both players, then a few nearly
//! best turns.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::fixed_nodes::FixedNodeEngine;
use crate::rules::{Bitboard, Position, Square};
use crate::search::placement::distinct_placements;
use crate::search::{Limits, is_proved};
use crate::seeds::{SeededRng, seeded};

/// How candidates vary.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variety {
    /// The maximum number of turns after the placement, at least 1.
    pub turns: u32,
    /// Without cards, how much worse than the best a placement or turn may be. With cards,
    /// how far from even a board may be to be searched longer. In hundredths of a level.
    pub slack: i32,
    /// Nodes per search: without cards to find the best turns of a position, with cards for
    /// each board.
    pub nodes: u64,
}

/// All placements of the second player are searched to depth 1. This many of the best are
/// searched again, with the nodes divided by [`REPLY_PART`].
const LIKELY_REPLIES: usize = 12;
const REPLY_PART: u64 = 8;
/// The number of turns to choose from.
const TURNS: usize = 6;

/// The candidate for a seed. `None` if it leads to a proved win or to a position with an
/// immediate win or threat.
pub(super) fn candidate(
    seed: u64,
    variety: Variety,
    engine: &mut FixedNodeEngine,
) -> Option<Position<5>> {
    let mut rng = seeded(seed);
    let mut position = placement(&mut rng, variety, engine)?;
    for _ in 0..rng.random_range(1..=variety.turns) {
        let lines = engine.lines(&position, TURNS, variety.nodes);
        let best = lines.first().filter(|line| !is_proved(line.score))?.score;
        let choice: Vec<_> = lines
            .iter()
            .filter(|line| line.score >= best - variety.slack)
            .collect();
        let turn = *choice.choose(&mut rng)?.turns.first()?;
        position = position.play(turn);
    }
    is_quiet(&position).then_some(position)
}

/// Whether the player to move has a turn and neither player could win at once.
pub(super) fn is_quiet(position: &Position<5>) -> bool {
    let wins = position.has_win() || position.with_players_swapped().has_win();
    position.has_turn() && !wins
}

/// A random placement of the first player with one of the second player's nearly best
/// replies.
fn placement(
    rng: &mut SeededRng,
    variety: Variety,
    engine: &mut FixedNodeEngine,
) -> Option<Position<5>> {
    let first = rand::seq::index::sample(rng, 25, 2);
    let first = [first.index(0), first.index(1)].map(Square::new);
    let occupied: Bitboard = first.into_iter().collect();
    let mut replies: Vec<(i32, Position<5>)> = distinct_placements::<5>(occupied)
        .into_iter()
        .filter_map(|second| Position::start([first, second], [None, None]).ok())
        .map(|start| (engine.score(&start, &Limits::depth(1)), start))
        .collect();
    // The first player is to move, so lower scores are better replies.
    replies.sort_by_key(|&(score, _)| score);
    replies.truncate(LIKELY_REPLIES);
    let look = Limits::nodes(variety.nodes / REPLY_PART);
    for (score, start) in &mut replies {
        *score = engine.score(start, &look);
    }
    let best = replies.iter().map(|&(score, _)| score).min()?;
    replies.retain(|&(score, _)| score <= best + variety.slack);
    replies.choose(rng).map(|&(_, start)| start)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::jobs::NEVER;

    #[test]
    fn candidates_vary_and_are_reproducible() {
        let variety = Variety {
            turns: 3,
            slack: 30,
            nodes: 2000,
        };
        let make = |seed| {
            let eval = EvalKind::Weighted(Weights::TUNED);
            candidate(seed, variety, &mut FixedNodeEngine::new(eval, 1, &NEVER))
        };
        let positions: Vec<Position<5>> = (0..6).filter_map(make).collect();
        assert_eq!(positions, (0..6).filter_map(make).collect::<Vec<_>>());
        assert!(positions.len() >= 3);
        assert!(
            positions
                .iter()
                .all(|position| (1..=3).contains(&position.turn()))
        );
        let different: HashSet<&Position<5>> = positions.iter().collect();
        assert_eq!(different.len(), positions.len());
    }
}
