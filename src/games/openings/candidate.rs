//! Candidates for the book of openings without cards: a good placement of both players,
//! then a few nearly best turns.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analyst::Analyst;
use crate::rules::{Bitboard, Position, Square};
use crate::search::placement::distinct_placements;
use crate::search::{Limits, is_proved};

/// How openings vary.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variety {
    /// The most turns after the placement, at least one.
    pub turns: u32,
    /// How much worse than the best a placement or turn may be, with cards how far from
    /// even a board that is searched longer, in hundredths of a level.
    pub slack: i32,
    /// Nodes to find the best turns of a position, with cards for each board that is
    /// looked at.
    pub nodes: u64,
}

/// All placements of the second player are searched to depth 1. This many of the
/// best are searched again, with the nodes divided by [`REPLY_PART`].
const LIKELY_REPLIES: usize = 12;
const REPLY_PART: u64 = 8;
/// The turns to choose from.
const TURNS: usize = 6;

/// The opening for a seed. `None` if it leads to a proved win, or to a position in which
/// a player can win at once or threatens to.
pub fn candidate(seed: u64, variety: Variety, analyst: &mut Analyst) -> Option<Position<5>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = placement(&mut rng, variety, analyst)?;
    for _ in 0..rng.random_range(1..=variety.turns) {
        let lines = analyst.lines(&position, TURNS, variety.nodes);
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

/// Whether the player to move has a turn, and neither player a win.
pub(super) fn is_quiet(position: &Position<5>) -> bool {
    let wins = position.has_win() || position.with_players_swapped().has_win();
    position.has_turn() && !wins
}

/// A random placement of the first player, and one of the second player's
/// nearly best replies.
fn placement(
    rng: &mut Xoshiro256PlusPlus,
    variety: Variety,
    analyst: &mut Analyst,
) -> Option<Position<5>> {
    let first = rand::seq::index::sample(rng, 25, 2);
    let first = [first.index(0), first.index(1)].map(Square::new);
    let occupied: Bitboard = first.into_iter().collect();
    let mut replies: Vec<(i32, Position<5>)> = distinct_placements::<5>(occupied)
        .into_iter()
        .filter_map(|second| Position::start([first, second], [None, None]).ok())
        .map(|start| (analyst.score(&start, &Limits::depth(1)), start))
        .collect();
    // The first player is to move: the less the score, the better the reply.
    replies.sort_by_key(|&(score, _)| score);
    replies.truncate(LIKELY_REPLIES);
    let look = Limits::nodes(variety.nodes / REPLY_PART);
    for (score, start) in &mut replies {
        *score = analyst.score(start, &look);
    }
    let best = replies.iter().map(|&(score, _)| score).min()?;
    replies.retain(|&(score, _)| score <= best + variety.slack);
    replies.choose(rng).map(|&(_, start)| start)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::{EvalKind, Weights};

    #[test]
    fn candidates_are_varied_and_made_again() {
        let never = AtomicBool::new(false);
        let variety = Variety {
            turns: 3,
            slack: 30,
            nodes: 2000,
        };
        let make = |seed| {
            let eval = EvalKind::Weighted(Weights::TUNED);
            candidate(seed, variety, &mut Analyst::new(eval, 1, &never))
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
