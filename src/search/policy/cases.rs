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

/// The levels on which a worker can stand, step or build.
const LEVELS: usize = 4;

/// The cases of steps stand in rows, those of builds too: a row is for all
/// squares of a position, an entry of it for what a square is like.
pub const ROWS: usize = LEVELS.pow(4);
/// A square's level, whether the one opponent is beside it and whether the other.
pub const STEP_ENTRIES: usize = LEVELS * 4;
/// And whether the player's worker that stands still is beside it.
pub const BUILD_ENTRIES: usize = 2 * STEP_ENTRIES;

/// The number of kinds of steps, see [`Step::kind`].
pub const KINDS_OF_STEPS: usize = 2 * LEVELS;

/// The case of a step: by the levels where it starts and ends, the ranks of the
/// opponents beside its end, the greater first, and the greatest rank of one
/// beside its start.
pub fn step_case(row: usize, entry: usize) -> usize {
    let (row, pair) = (row / PAIRS, row % PAIRS);
    let (start, end) = (row / 4, entry % LEVELS);
    let [greater, smaller] = ranks(pair, entry / LEVELS);
    let [before, _] = ranks(pair, row % 4);
    number([start, end, greater, smaller, before])
}

/// The case of a build after a step: by the levels of the worker and of the
/// square, the ranks of the opponents beside it, the greater first, and that of
/// the player's other worker if it is beside it.
pub fn build_case(row: usize, entry: usize) -> usize {
    let (row, pair) = (row / PAIRS, row % PAIRS);
    let (worker, level) = (row / LEVELS, entry % LEVELS);
    let [greater, smaller] = ranks(pair, entry / LEVELS % 4);
    let still = entry / STEP_ENTRIES * (row % LEVELS + 1);
    number([worker, level, greater, smaller, still])
}

/// The number of pairs of levels.
const PAIRS: usize = LEVELS * LEVELS;

/// The ranks of two workers on a pair of levels, the greater first, 0 for one
/// that is not beside a square: `beside` has a bit for each.
fn ranks(pair: usize, beside: usize) -> [usize; 2] {
    let one = (beside & 1) * (pair / LEVELS + 1);
    let two = (beside >> 1) * (pair % LEVELS + 1);
    [one.max(two), one.min(two)]
}

fn number(digits: [usize; 5]) -> usize {
    digits
        .iter()
        .fold(0, |number, digit| number * KINDS + digit)
}

/// A worker and the squares beside it.
#[derive(Clone, Copy, Default)]
struct Worker {
    square: usize,
    beside: Bitboard,
    level: usize,
}

/// What the cases of all turns of a position depend on.
pub struct Cases {
    own: [Worker; 2],
    /// The levels of both opponents.
    pair: usize,
    /// What each square is like: its entry in the rows of steps.
    entries: [u32; SQUARE_SLOTS],
}

/// A step, ready for the cases of the builds after it.
#[derive(Clone, Copy, Default)]
pub struct Step {
    /// The place of its case.
    pub row: usize,
    pub entry: usize,
    /// By the level where it ends, and how many squares beside that, free before
    /// it, are a level higher and how many low enough to step onto.
    pub reach: usize,
    /// The row of the cases of the builds after it.
    pub builds: usize,
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
                    level: usize::from(position.level(square)),
                }
            })
        };
        let opponents: [Worker; 2] = workers(Side::Other);
        let above = std::array::from_fn(|level| position.above(level).0);
        let beside = opponents.map(|it| it.beside.0);
        Self {
            own: workers(Side::Mover),
            pair: opponents[0].level * LEVELS + opponents[1].level,
            entries: entries(above, beside, N * N),
        }
    }

    /// The step of a turn.
    #[inline(always)]
    pub fn step<const N: usize>(&self, position: &Position<N>, turn: Turn) -> Step {
        let (from, to) = (turn.from(), turn.to());
        let [before, entry] = [from, to].map(|square| self.entries[square.index()] as usize);
        // An entry is a level and who is beside, as the first part of a row is.
        let (start, end) = (before % LEVELS, entry % LEVELS);
        let still = usize::from(self.own[0].square == from.index());
        let free = Geometry::<N>::NEIGHBOURS[to.index()].without(position.occupied());
        let climbs = (free & position.at_level((end + 1).min(3))).count() as usize;
        let steps = free.without(position.above((end + 1).min(3))).count() as usize;
        Step {
            row: (start * 4 + before / LEVELS) * PAIRS + self.pair,
            entry,
            reach: (end * COUNTS + climbs) * COUNTS + steps,
            builds: (end * LEVELS + self.own[still].level) * PAIRS + self.pair,
            still,
        }
    }

    /// The entry of a build after a step, in the row of that.
    #[inline(always)]
    pub fn build(&self, step: &Step, square: Square) -> usize {
        let still = usize::from(self.beside_still(step).has(square));
        self.entries[square.index()] as usize + still * STEP_ENTRIES
    }

    /// The entries of all squares in the rows of steps.
    #[inline(always)]
    pub fn entries(&self) -> &[u32; SQUARE_SLOTS] {
        &self.entries
    }

    /// The squares beside the player's worker that stands still.
    #[inline(always)]
    pub fn beside_still(&self, step: &Step) -> Bitboard {
        self.own[step.still].beside
    }
}

impl Step {
    /// A number below [`KINDS_OF_STEPS`], the same for steps after which all
    /// builds have the same cases.
    #[inline(always)]
    pub fn kind(&self) -> usize {
        self.entry % LEVELS * 2 + self.still
    }
}

// Measured when it found the ranks too: 1.07 times the nodes a second of the whole
// search (AVX-512).
for_widest_vectors! {
    fn entries(above: [u64; 4], beside: [u64; 2], count: usize) -> [u32; SQUARE_SLOTS] {
        let mut entries = [0; SQUARE_SLOTS];
        for (half, squares) in entries.chunks_exact_mut(32).enumerate() {
            if half * 32 < count {
                // Bits of 32 squares at a time, which vectors test in one step.
                let bits = |set: u64| (set >> (half * 32)) as u32;
                // Nobody steps or builds on a dome.
                let above = [above[0], above[1], above[2]].map(bits);
                let beside = beside.map(bits);
                for (square, entry) in squares.iter_mut().enumerate() {
                    let has = |set: u32| set >> square & 1;
                    let level = has(above[0]) + has(above[1]) + has(above[2]);
                    *entry = level + LEVELS as u32 * (has(beside[0]) + 2 * has(beside[1]));
                }
            }
        }
        entries
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
        let step_case = step_case(step.row, step.entry);
        [step_case, step.reach, build_case(step.builds, build)]
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
