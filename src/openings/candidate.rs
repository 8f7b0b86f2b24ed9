//! Candidates for the book of openings: a good placement of both players, then a
//! few nearly best turns. With cards, which favour one of both players in most
//! pairs, good turns do not lead to even boards. There placements and turns are those
//! of some random ones after which the board is the nearest to even.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analyst::Analyst;
use super::random::random_opening;
use crate::rules::{Bitboard, Cards, Geometry, Position, Square};
use crate::search::placement::distinct_placements;
use crate::search::{Limits, is_proved};

/// How openings vary.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variety {
    /// The most turns after the placement, at least one.
    pub turns: u32,
    /// How much worse than the best a placement or turn may be, with cards how far from
    /// even the last board, in hundredths of a level.
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
/// The random placements and turns that are looked at with cards. The longer search of
/// the one taken has the nodes of them all.
const LEVELLING_CHOICES: u64 = 20;
/// The most that a longer search is believed to find more, in hundredths of a level.
const MOST_MORE: i32 = 500;

/// The opening for a seed, of a game with these cards of the first and the second
/// player. `None` if it leads to a proved win, or to a position in which a player
/// can win at once or threatens to.
pub fn candidate(
    seed: u64,
    cards: Cards,
    variety: Variety,
    analyst: &mut Analyst,
) -> Option<Position<5>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let position = match cards {
        [None, None] => good_turns(&mut rng, variety, analyst)?,
        _ => levelling_turns(&mut rng, cards, variety, analyst)?,
    };
    let is_quiet = !position.has_win() && !position.with_players_swapped().has_win();
    (is_quiet && position.has_turn()).then_some(position)
}

/// A placement and turns after it, each the one of some random ones that leaves the board
/// the nearest to even, until it is even enough for a longer search.
fn levelling_turns(
    rng: &mut Xoshiro256PlusPlus,
    cards: Cards,
    variety: Variety,
    analyst: &mut Analyst,
) -> Option<Position<5>> {
    let (short, long) = (variety.nodes, variety.nodes * LEVELLING_CHOICES);
    let seed = rng.random();
    let starts = (0..LEVELLING_CHOICES).map(|number| random_opening(0, seed, number, cards));
    let (_, mut position) = nearest(0, starts, short, analyst)?;
    // What a longer search is expected to find more than a short one, for the player to
    // move: with some pairs of cards one player is always better off than it seems.
    let mut more = 0;
    for _ in 0..variety.turns {
        let mut turns = Vec::new();
        position.for_each_quiet(Geometry::<5>::BOARD, |turn| turns.push(turn));
        let choice = turns.sample(rng, LEVELLING_CHOICES as usize);
        let after = choice.map(|&turn| position.play(turn));
        let undecided = after.filter(|after| after.has_turn() && !after.has_win());
        let score;
        (score, position) = nearest(more, undecided, short, analyst)?;
        let longer = analyst.score(&position, &Limits::nodes(long));
        if longer.abs() <= variety.slack {
            break;
        }
        let found = (longer - score).clamp(-MOST_MORE, MOST_MORE);
        more = (found - more) / 2;
    }
    Some(position)
}

/// The position whose score is the nearest to the wanted one, with the score.
fn nearest(
    wanted: i32,
    positions: impl Iterator<Item = Position<5>>,
    nodes: u64,
    analyst: &mut Analyst,
) -> Option<(i32, Position<5>)> {
    let limits = Limits::nodes(nodes);
    positions
        .map(|position| (analyst.score(&position, &limits), position))
        .min_by_key(|&(score, _)| (score - wanted).abs())
}

/// A placement and nearly best turns after it, without cards.
fn good_turns(
    rng: &mut Xoshiro256PlusPlus,
    variety: Variety,
    analyst: &mut Analyst,
) -> Option<Position<5>> {
    let mut position = placement(rng, variety, analyst)?;
    for _ in 0..rng.random_range(1..=variety.turns) {
        let lines = analyst.lines(&position, TURNS, variety.nodes);
        let best = lines.first().filter(|line| !is_proved(line.score))?.score;
        let choice: Vec<_> = lines
            .iter()
            .filter(|line| line.score >= best - variety.slack)
            .collect();
        let turn = *choice.choose(rng)?.turns.first()?;
        position = position.play(turn);
    }
    Some(position)
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
            candidate(
                seed,
                [None, None],
                variety,
                &mut Analyst::new(eval, 1, &never),
            )
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
