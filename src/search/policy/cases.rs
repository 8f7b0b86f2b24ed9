//! What a turn is like, wherever on the board it is: the levels of its squares,
//! who stands beside them how high, and where its worker can go next.
//!
//! There are few cases, so that what is good in a case can be learned from
//! few turns.

use crate::rules::{Bitboard, Geometry, Position, SQUARE_SLOTS, Side, Square, Turn};

/// A level, or the rank of a worker: its level and one, 0 if there is none.
const KINDS: usize = 5;

/// The number of cases of a step, and of a build.
pub const STEP_CASES: usize = KINDS.pow(5);
pub const BUILD_CASES: usize = KINDS.pow(5);

/// A worker has up to eight neighbours.
const COUNTS: usize = 9;

/// The number of cases of where a worker can go after its step.
pub const REACH_CASES: usize = KINDS * COUNTS * COUNTS;

/// The number of kinds of steps, see [`Step::kind`].
pub const KINDS_OF_STEPS: usize = 2 * KINDS;

/// A worker and the squares beside it.
#[derive(Clone, Copy, Default)]
struct Worker {
    square: usize,
    beside: Bitboard,
    rank: usize,
}

impl Worker {
    /// Its rank if the square is beside it, otherwise 0.
    #[inline(always)]
    fn rank_beside(&self, square: Square) -> usize {
        usize::from(self.beside.has(square)) * self.rank
    }
}

/// What the cases of all turns of a position depend on.
pub struct Cases {
    own: [Worker; 2],
    opponents: [Worker; 2],
    /// For each square its level and the ranks of the opponents beside it, the
    /// greater first: the middle of a build's case.
    builds: [u16; SQUARE_SLOTS],
}

/// A step, ready for the cases of the builds after it.
#[derive(Clone, Copy, Default)]
pub struct Step {
    /// By the levels where it starts and ends, the ranks of the opponents
    /// beside its end, and the greatest rank of one beside its start.
    pub case: usize,
    /// By the level where it ends, and how many squares beside that, free before
    /// it, are a level higher and how many low enough to step onto.
    pub reach: usize,
    /// The first part of the cases of the builds after it.
    builds: usize,
    /// Which of the player's workers stands still.
    still: usize,
}

impl Cases {
    /// The cases of the turns of a position.
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        let workers = |side| {
            let mut squares = position.workers(side).into_iter();
            std::array::from_fn(|_| {
                let square = squares.next().expect("a player has two workers");
                Worker {
                    square: square.index(),
                    beside: Geometry::<N>::NEIGHBOURS[square.index()],
                    rank: usize::from(position.level(square)) + 1,
                }
            })
        };
        let opponents: [Worker; 2] = workers(Side::Other);
        let above = std::array::from_fn(|level| position.above(level).0);
        let beside = opponents.map(|it| it.beside.0);
        let ranks = opponents.map(|it| it.rank as u16);
        Self {
            own: workers(Side::Mover),
            opponents,
            builds: builds(above, beside, ranks, N * N),
        }
    }

    /// The step of a turn.
    #[inline(always)]
    pub fn step<const N: usize>(&self, position: &Position<N>, turn: Turn) -> Step {
        let (from, to) = (turn.from(), turn.to());
        let ranks = |square| {
            let [one, two] = self.opponents.each_ref().map(|it| it.rank_beside(square));
            (one.max(two), one.min(two))
        };
        let [start, end] = [from, to].map(|square| usize::from(position.level(square)));
        let (greater, smaller) = ranks(to);
        let before = ranks(from).0;
        let free = Geometry::<N>::NEIGHBOURS[to.index()].without(position.occupied());
        let climbs = (free & position.at_level((end + 1).min(3))).count() as usize;
        let steps = free.without(position.above((end + 1).min(3))).count() as usize;
        let case = ((start * KINDS + end) * KINDS + greater) * KINDS + smaller;
        Step {
            case: case * KINDS + before,
            reach: (end * COUNTS + climbs) * COUNTS + steps,
            builds: end * KINDS.pow(4),
            still: usize::from(self.own[0].square == from.index()),
        }
    }

    /// The case of a build after a step: by the levels of the worker and of
    /// the square, the ranks of the opponents beside it and that of the
    /// player's other worker if it is beside it.
    #[inline(always)]
    pub fn build(&self, step: &Step, square: Square) -> usize {
        let still = self.own[step.still].rank_beside(square);
        step.builds + usize::from(self.builds[square.index()]) + still
    }
}

impl Step {
    /// A number below [`KINDS_OF_STEPS`], the same for steps after which all
    /// builds have the same cases.
    #[inline(always)]
    pub fn kind(&self) -> usize {
        self.builds / KINDS.pow(4) * 2 + self.still
    }
}

// Measured: 1.07 times the nodes a second of the whole search (AVX-512).
for_widest_vectors! {
    fn builds(
        above: [u64; 4],
        beside: [u64; 2],
        ranks: [u16; 2],
        count: usize,
    ) -> [u16; SQUARE_SLOTS] {
        let mut builds = [0; SQUARE_SLOTS];
        for (half, squares) in builds.chunks_exact_mut(32).enumerate() {
            if half * 32 < count {
                // Bits of 32 squares at a time, which vectors test in one step.
                let bits = |set: u64| (set >> (half * 32)) as u32;
                let (above, beside) = (above.map(bits), beside.map(bits));
                for (square, case) in squares.iter_mut().enumerate() {
                    let has = |set: u32| (set >> square) as u16 & 1;
                    let level = has(above[0]) + has(above[1]) + has(above[2]) + has(above[3]);
                    let (one, two) = (has(beside[0]) * ranks[0], has(beside[1]) * ranks[1]);
                    let pair = one.max(two) * KINDS as u16 + one.min(two);
                    *case = (level * (KINDS * KINDS) as u16 + pair) * KINDS as u16;
                }
            }
        }
        builds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Symmetry;

    /// The cases of a turn's step, of where it leads, and of its build.
    fn of<const N: usize>(position: &Position<N>, turn: Turn) -> [usize; 3] {
        let cases = Cases::of(position);
        let step = cases.step(position, turn);
        let build = cases.build(&step, turn.build().unwrap());
        [step.case, step.reach, build]
    }

    fn digits(case: usize) -> [usize; 5] {
        [4, 3, 2, 1, 0].map(|place| case / KINDS.pow(place) % KINDS)
    }

    #[test]
    fn cases_are_levels_and_the_ranks_of_workers_beside() {
        // b3 has level 1, c3 2, d3 1; the opponent stands on d4 (level 2).
        let position: Position<5> = "00000/00000/01210/00020/00000 b3d3 a5d4 9".parse().unwrap();
        let turn = |text: &str| Turn::parse::<5>(text).unwrap();
        let [step, reach, build] = of(&position, turn("b3-c3+b3"));
        assert_eq!(digits(step), [1, 2, 3, 0, 0]);
        assert_eq!(reach, (2 * COUNTS) * COUNTS + 5);
        assert_eq!(digits(build), [2, 1, 0, 0, 0]);
        // Beside c2 are two squares of level 1, on which workers stand.
        let [step, reach, build] = of(&position, turn("b3-c2+c3"));
        assert_eq!(digits(step), [1, 0, 0, 0, 0]);
        assert_eq!(reach, 5);
        assert_eq!(digits(build), [0, 2, 3, 0, 2]);
    }

    #[test]
    fn a_turn_has_the_same_cases_wherever_it_is() {
        let position: Position<6> = "010100/100004/010120/111400/113100/000003 f6c5 a3b5 12"
            .parse()
            .unwrap();
        let mut seen = 0;
        position.for_each_quiet(Geometry::<6>::BOARD, |turn| {
            for symmetry in Symmetry::all() {
                let moved = |square| symmetry.square::<6>(square);
                let turned = Turn::winning(moved(turn.from()), moved(turn.to()))
                    .building(moved(turn.build().unwrap()));
                assert_eq!(
                    of(&position.transformed(symmetry), turned),
                    of(&position, turn)
                );
                seen += 1;
            }
        });
        assert!(seen > 100);
    }
}
