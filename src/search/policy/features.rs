//! Move features: levels, neighbouring workers and mobility, without the place on
//! the board.
//!
//! A turn has three features: one of its step, one of the worker's mobility after
//! it, one of its build. There are few of each, so few turns suffice to learn
//! their weights.
//!
//! The weights of steps and builds are stored as tables. The row depends on the
//! position and the step, the column on one square alone: so the columns of all
//! squares are computed once for a position.

use crate::rules::{Bitboard, Geometry, Position, SQUARE_SLOTS, Side, Square, Turn};

/// Levels 0 to 4, or the rank of a worker: its level plus one, 0 for no worker.
const RANKS: usize = 5;

/// The number of features of steps and of builds.
pub const STEP_FEATURES: usize = RANKS.pow(5);
pub const BUILD_FEATURES: usize = RANKS.pow(5);

/// A worker has up to eight neighbours.
const COUNTS: usize = 9;

/// The number of mobility features.
pub const MOBILITY_FEATURES: usize = RANKS * COUNTS * COUNTS;

/// The levels on which a worker can stand, step or build.
const LEVELS: usize = 4;

/// The rows of both tables.
pub const ROWS: usize = LEVELS.pow(4);
/// The columns of the step table: the square's level, and for each opponent
/// whether it is next to the square.
pub const STEP_COLUMNS: usize = LEVELS * 4;
/// The columns of the build table: also whether the player's other worker is next
/// to the square.
pub const BUILD_COLUMNS: usize = 2 * STEP_COLUMNS;

/// The number of groups of steps, see [`StepFeatures::build_group`].
pub const BUILD_GROUPS: usize = 2 * LEVELS;

/// The feature of a step: the levels of its start and end, the ranks of the
/// opponents next to its end, the greater first, and the greatest rank of an
/// opponent next to its start.
pub fn step_feature(row: usize, column: usize) -> usize {
    let (row, opponent_levels) = (row / LEVEL_PAIRS, row % LEVEL_PAIRS);
    let (start, end) = (row / 4, column % LEVELS);
    let [greater, smaller] = ranks(opponent_levels, column / LEVELS);
    let [before, _] = ranks(opponent_levels, row % 4);
    number([start, end, greater, smaller, before])
}

/// The feature of a build after a step: the levels of the worker and the square,
/// the ranks of the opponents next to the square, the greater first, and the rank
/// of the player's other worker if it is next to the square.
pub fn build_feature(row: usize, column: usize) -> usize {
    let (row, opponent_levels) = (row / LEVEL_PAIRS, row % LEVEL_PAIRS);
    let (worker, level) = (row / LEVELS, column % LEVELS);
    let [greater, smaller] = ranks(opponent_levels, column / LEVELS % 4);
    let other = column / STEP_COLUMNS * (row % LEVELS + 1);
    number([worker, level, greater, smaller, other])
}

/// The number of pairs of levels.
const LEVEL_PAIRS: usize = LEVELS * LEVELS;

/// The ranks of both opponents, the greater first, 0 for one that is not next to
/// the square: `near` has a bit for each.
fn ranks(opponent_levels: usize, near: usize) -> [usize; 2] {
    let one = (near & 1) * (opponent_levels / LEVELS + 1);
    let two = (near >> 1) * (opponent_levels % LEVELS + 1);
    [one.max(two), one.min(two)]
}

fn number(digits: [usize; 5]) -> usize {
    digits
        .iter()
        .fold(0, |number, digit| number * RANKS + digit)
}

/// A worker and its neighbouring squares.
#[derive(Clone, Copy, Default)]
struct Worker {
    square: usize,
    near: Bitboard,
    level: usize,
}

/// What the features of all turns of a position depend on.
pub struct MoveFeatures {
    own: [Worker; 2],
    /// The levels of both opponents.
    opponent_levels: usize,
    /// The column of each square in the step table.
    columns: [u32; SQUARE_SLOTS],
}

/// The features of a step, and the row of the builds after it.
#[derive(Clone, Copy, Default)]
pub struct StepFeatures {
    /// The row and column in the step table.
    pub row: usize,
    pub column: usize,
    /// The mobility feature: the level of the step's end, and the number of free
    /// neighbours that are a level higher and that can be stepped onto.
    pub mobility: usize,
    /// The row in the build table.
    pub builds: usize,
    /// The index of the player's worker that does not move.
    other: usize,
}

impl MoveFeatures {
    /// The features of a position's turns.
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        let workers = |side| {
            let mut squares = position.workers(side).into_iter();
            std::array::from_fn(|_| {
                let square = squares.next().expect("a player has two workers");
                Worker {
                    square: square.index(),
                    near: Geometry::<N>::NEIGHBOURS[square.index()],
                    level: usize::from(position.level(square)),
                }
            })
        };
        let opponents: [Worker; 2] = workers(Side::Other);
        let above = std::array::from_fn(|level| position.above(level).0);
        let near = opponents.map(|it| it.near.0);
        Self {
            own: workers(Side::Mover),
            opponent_levels: opponents[0].level * LEVELS + opponents[1].level,
            columns: columns(above, near, N * N),
        }
    }

    /// The features of a turn's step.
    #[inline(always)]
    pub fn step<const N: usize>(&self, position: &Position<N>, turn: Turn) -> StepFeatures {
        let (from, to) = (turn.from(), turn.to());
        let [before, column] = [from, to].map(|square| self.columns[square.index()] as usize);
        // A column is a level and the opponents next to the square, as the first
        // part of a row is.
        let (start, end) = (before % LEVELS, column % LEVELS);
        let other = usize::from(self.own[0].square == from.index());
        let free = Geometry::<N>::NEIGHBOURS[to.index()].without(position.occupied());
        let climbs = (free & position.at_level((end + 1).min(3))).count() as usize;
        let steps = free.without(position.above((end + 1).min(3))).count() as usize;
        StepFeatures {
            row: (start * 4 + before / LEVELS) * LEVEL_PAIRS + self.opponent_levels,
            column,
            mobility: (end * COUNTS + climbs) * COUNTS + steps,
            builds: (end * LEVELS + self.own[other].level) * LEVEL_PAIRS + self.opponent_levels,
            other,
        }
    }

    /// The column of a build after a step.
    #[inline(always)]
    pub fn build(&self, step: &StepFeatures, square: Square) -> usize {
        let other = usize::from(self.near_other(step).has(square));
        self.columns[square.index()] as usize + other * STEP_COLUMNS
    }

    /// The column of every square in the step table.
    #[inline(always)]
    pub fn columns(&self) -> &[u32; SQUARE_SLOTS] {
        &self.columns
    }

    /// The squares next to the player's worker that does not move.
    #[inline(always)]
    pub fn near_other(&self, step: &StepFeatures) -> Bitboard {
        self.own[step.other].near
    }
}

impl StepFeatures {
    /// A number below [`BUILD_GROUPS`], equal for steps after which all builds have
    /// the same features.
    #[inline(always)]
    pub fn build_group(&self) -> usize {
        self.column % LEVELS * 2 + self.other
    }
}

for_widest_vectors! {
    fn columns(above: [u64; 4], near: [u64; 2], count: usize) -> [u32; SQUARE_SLOTS] {
        let mut columns = [0; SQUARE_SLOTS];
        for (half, squares) in columns.chunks_exact_mut(32).enumerate() {
            if half * 32 < count {
                // 32 squares at a time: vector instructions test them at once.
                let bits = |set: u64| (set >> (half * 32)) as u32;
                // No step or build goes to a dome.
                let above = [above[0], above[1], above[2]].map(bits);
                let near = near.map(bits);
                for (square, column) in squares.iter_mut().enumerate() {
                    let has = |set: u32| set >> square & 1;
                    let level = has(above[0]) + has(above[1]) + has(above[2]);
                    *column = level + LEVELS as u32 * (has(near[0]) + 2 * has(near[1]));
                }
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Symmetry;

    /// The features of a turn's step, mobility and build.
    fn of<const N: usize>(position: &Position<N>, turn: Turn) -> [usize; 3] {
        let features = MoveFeatures::of(position);
        let step = features.step(position, turn);
        let build = features.build(&step, turn.build().unwrap());
        let step_feature = step_feature(step.row, step.column);
        [
            step_feature,
            step.mobility,
            build_feature(step.builds, build),
        ]
    }

    fn digits(case: usize) -> [usize; 5] {
        [4, 3, 2, 1, 0].map(|place| case / RANKS.pow(place) % RANKS)
    }

    #[test]
    fn features_are_levels_and_the_ranks_of_neighbours() {
        // b3 has level 1, c3 2, d3 1; the opponent stands on d4 (level 2).
        let position: Position<5> = "00000/00000/01210/00020/00000 b3d3 a5d4 9".parse().unwrap();
        let turn = |text: &str| Turn::parse::<5>(text).unwrap();
        let [step, mobility, build] = of(&position, turn("b3-c3+b3"));
        assert_eq!(digits(step), [1, 2, 3, 0, 0]);
        assert_eq!(mobility, (2 * COUNTS) * COUNTS + 5);
        assert_eq!(digits(build), [2, 1, 0, 0, 0]);
        // Beside c2 are two squares of level 1, on which workers stand.
        let [step, mobility, build] = of(&position, turn("b3-c2+c3"));
        assert_eq!(digits(step), [1, 0, 0, 0, 0]);
        assert_eq!(mobility, 5);
        assert_eq!(digits(build), [0, 2, 3, 0, 2]);
    }

    #[test]
    fn a_turn_has_the_same_features_wherever_it_is() {
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
