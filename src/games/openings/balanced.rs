//! Balanced openings for matches: given boards, or random ones that are about even.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::rules::{Card, Cards, Position, random_opening};
use crate::search::{Engine, EngineOptions, Limits, MAX_EVAL};
use crate::seeds::{derive_seed, seeded};

/// The openings of a match.
#[derive(Clone, Debug)]
pub enum Start<const N: usize> {
    /// Given boards, in order.
    Boards(Vec<Position<N>>),
    /// Random boards that are about even.
    Random(RandomStart),
}

/// Random boards, after a random placement and random turns, from which both seats have
/// about the same chance. From other boards one seat nearly always wins, so a pair of games
/// says little.
#[derive(Clone, Copy, Debug)]
pub struct RandomStart {
    /// Whether the players get a random pair of cards.
    pub cards: bool,
    /// The number of random turns.
    pub turns: u32,
    /// The maximum distance of the score from 0, in hundredths of a level. With
    /// [`MAX_EVAL`] or more every board is accepted without a search.
    pub margin: i32,
}

/// The default margin: about one in six random placements is within it.
pub const MARGIN: i32 = 40;

/// The nodes of the search that decides whether a board is even. A shallow search first
/// rejects boards whose score is beyond [`SHALLOW_MARGIN`] margins.
const NODES: u64 = 30_000;
const SHALLOW_NODES: u64 = 3000;
const SHALLOW_MARGIN: i32 = 3;
/// The transposition table of these searches in MiB.
const HASH_MIB: usize = 4;
/// After this many boards outside the margin, the next one is accepted unchecked.
const MAX_BOARDS: u64 = 1000;

/// A random ordered pair of different cards.
pub(crate) fn random_pair(rng: &mut impl Rng) -> Cards {
    let pairs: Vec<[Card; 2]> = Card::pairs().collect();
    pairs.choose(rng).map_or([None; 2], |pair| pair.map(Some))
}

impl<const N: usize> Start<N> {
    /// The number of pairs that start on different boards; `None` if there is no end to
    /// them.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Boards(boards) => Some(boards.len() as u64),
            Self::Random(_) => None,
        }
    }

    /// The opening of the pair with this number. Once `stop` is set, the function returns
    /// soon with any board.
    pub fn board(&self, seed: u64, number: u64, stop: &AtomicBool) -> Position<N> {
        match self {
            Self::Boards(boards) => boards[(number % boards.len() as u64) as usize],
            Self::Random(random) => random.board(derive_seed(seed, &[number]), stop),
        }
    }
}

impl RandomStart {
    fn board<const N: usize>(&self, seed: u64, stop: &AtomicBool) -> Position<N> {
        let mut tried = 0;
        loop {
            let position = self.candidate(derive_seed(seed, &[tried]));
            tried += 1;
            let is_enough = tried > MAX_BOARDS || stop.load(Ordering::Relaxed);
            if is_enough || self.is_even(&position, stop) {
                return position;
            }
        }
    }

    fn candidate<const N: usize>(&self, seed: u64) -> Position<N> {
        let mut rng = seeded(seed);
        let cards = match self.cards {
            true => random_pair(&mut rng),
            false => [None; 2],
        };
        random_opening(self.turns, seed, 0, cards)
    }

    fn is_even<const N: usize>(&self, position: &Position<N>, stop: &AtomicBool) -> bool {
        if self.margin >= MAX_EVAL {
            return true;
        }
        let mut judge = Engine::<N>::new(EngineOptions {
            hash_mib: HASH_MIB,
            ..EngineOptions::default()
        });
        let mut is_within = |nodes, margin| {
            let report = judge.search(position, &Limits::nodes(nodes), stop, &mut |_| {});
            report.score().abs() <= margin
        };
        is_within(SHALLOW_NODES, self.margin.saturating_mul(SHALLOW_MARGIN))
            && is_within(NODES, self.margin)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::jobs::NEVER;

    fn boards<const N: usize>(start: &Start<N>, count: u64) -> Vec<Position<N>> {
        (0..count)
            .map(|number| start.board(1, number, &NEVER))
            .collect()
    }

    fn random<const N: usize>(cards: bool, turns: u32, margin: i32) -> Start<N> {
        Start::Random(RandomStart {
            cards,
            turns,
            margin,
        })
    }

    fn texts<const N: usize>(boards: &[Position<N>]) -> BTreeSet<String> {
        boards.iter().map(Position::to_string).collect()
    }

    #[test]
    fn given_boards_are_used_in_order() {
        let given = boards(&random::<5>(false, 2, MAX_EVAL), 3);
        let start = Start::Boards(given.clone());
        assert_eq!(start.count(), Some(3));
        assert_eq!(boards(&start, 4), [given[0], given[1], given[2], given[0]]);
    }

    #[test]
    fn random_boards_differ_and_are_reproducible() {
        let start = random::<6>(false, 3, MAX_EVAL);
        let made = boards(&start, 50);
        assert_eq!(texts(&made).len(), 50);
        assert!(made.iter().all(|board| board.turn() == 3));
        assert_eq!(boards(&start, 50), made);
        assert_ne!(start.board(2, 0, &NEVER), made[0]);
    }

    #[test]
    fn with_cards_all_pairs_occur() {
        let made = boards(&random::<5>(true, 0, MAX_EVAL), 500);
        let pairs: BTreeSet<String> = (made.iter())
            .map(|board| format!("{:?}", board.cards()))
            .collect();
        assert_eq!(pairs.len(), Card::pairs().count());
        assert!(made.iter().all(|board| !board.cards().contains(&None)));
    }

    #[test]
    fn boards_within_a_margin_are_closer_to_even() {
        let spread = |margin| {
            let mut judge = Engine::<6>::new(EngineOptions::default());
            let scores = boards(&random::<6>(false, 0, margin), 12)
                .iter()
                .map(|board| {
                    let limits = Limits::nodes(60_000);
                    let report = judge.best(board, &limits);
                    f64::from(report.score()).abs()
                })
                .collect::<Vec<_>>();
            scores.iter().sum::<f64>() / scores.len() as f64
        };
        let (near, any) = (spread(MARGIN), spread(MAX_EVAL));
        assert!(near < 50.0 && near < any / 2.0, "{near} {any}");
    }

    #[test]
    fn an_impossible_margin_still_gives_a_board() {
        let first = random::<5>(false, 0, MAX_EVAL).board(1, 0, &NEVER);
        let none_is_even = random::<5>(false, 0, -1);
        let last = none_is_even.board(1, 0, &NEVER);
        assert!(last.has_turn() && last != first);
        let stopped = AtomicBool::new(true);
        assert_eq!(none_is_even.board(1, 0, &stopped), first);
    }
}
