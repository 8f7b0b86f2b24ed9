//! What a turn is like wherever on the board it is ("move features"): the
//! levels of its squares, and who stands beside them how high.
//!
//! A cutoff says something about all turns alike. They fall into few classes,
//! so the search learns what is good from far fewer cutoffs than by squares.

use crate::rules::{Bitboard, Geometry, Position, SQUARE_SLOTS, Side, Square};

/// The levels on which a worker can stand, step or build.
pub const LEVELS: usize = 4;

/// The rank of a worker is its level and one; 0 says that there is none.
pub const RANKS: usize = LEVELS + 1;

/// At least as many as there are classes of squares, see [`Features::class`]: a
/// power of two, so that an index cut off to it needs no bounds check, and so
/// few that a vector register holds a value of 16 bits for each.
pub const CLASSES: usize = 32;
const _: () = assert!(LEVELS * RANKS <= CLASSES);

/// The squares of a board that one vector has a value for: a 5x5 board has one
/// such part, a 6x6 board two.
pub const PART: usize = 32;

/// A worker, and the squares beside it.
#[derive(Clone, Copy)]
struct Worker {
    square: Square,
    beside: Bitboard,
    rank: usize,
}

/// What the features of all turns of a position depend on.
pub struct Features {
    own: [Worker; 2],
    classes: [u16; SQUARE_SLOTS],
}

impl Features {
    /// The features of the turns of a position.
    #[inline(always)]
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        let workers = |side| {
            let mut squares = position.workers(side).into_iter();
            std::array::from_fn(|_| {
                let square = squares.next().expect("a player has two workers");
                Worker {
                    square,
                    beside: Geometry::<N>::NEIGHBOURS[square.index()],
                    rank: usize::from(position.level(square)) + 1,
                }
            })
        };
        let opponents: [Worker; 2] = workers(Side::Other);
        // Nobody steps or builds on a dome.
        let above = [1, 2, 3].map(|level| position.above(level - 1).0);
        let beside = opponents.map(|worker| worker.beside.0);
        let ranks = opponents.map(|worker| worker.rank as u16);
        Self {
            own: workers(Side::Mover),
            classes: classes(above, beside, ranks, N * N),
        }
    }

    /// The class of a square: its level and the greatest rank of an opponent
    /// beside it.
    #[inline(always)]
    pub fn class(&self, square: Square) -> usize {
        usize::from(self.classes[square.index()]) % CLASSES
    }

    /// The classes of the [`PART`] squares from one on.
    #[inline(always)]
    pub fn classes(&self, start: usize) -> &[u16; PART] {
        let (classes, _) = self.classes[start..]
            .split_first_chunk()
            .expect("a board has room for whole parts");
        classes
    }

    /// The level of a square.
    #[inline(always)]
    pub fn level(&self, square: Square) -> usize {
        self.class(square) % LEVELS
    }

    /// The greatest rank of an opponent beside a square.
    #[inline(always)]
    pub fn rank(&self, square: Square) -> usize {
        (self.class(square) / LEVELS).min(RANKS - 1)
    }

    /// The rank of the player's other worker when the one on `from` moves, and
    /// the squares beside it.
    #[inline(always)]
    pub fn other_worker(&self, from: Square) -> (usize, Bitboard) {
        let other = &self.own[usize::from(self.own[0].square == from)];
        (other.rank, other.beside)
    }

    /// The rank of that worker if it is beside a square, otherwise 0.
    #[inline(always)]
    pub fn other_rank(&self, from: Square, square: Square) -> usize {
        let (rank, beside) = self.other_worker(from);
        usize::from(beside.has(square)) * rank
    }
}

// Measured: 1.07 times the nodes a second of the whole search (AVX-512).
for_widest_vectors! {
    fn classes(
        above: [u64; 3],
        beside: [u64; 2],
        ranks: [u16; 2],
        count: usize,
    ) -> [u16; SQUARE_SLOTS] {
        let mut classes = [0; SQUARE_SLOTS];
        for (half, squares) in classes.chunks_exact_mut(32).enumerate() {
            if half * 32 < count {
                // Bits of 32 squares at a time, which vectors test in one step.
                let bits = |set: u64| (set >> (half * 32)) as u32;
                let (above, beside) = (above.map(bits), beside.map(bits));
                for (square, class) in squares.iter_mut().enumerate() {
                    let has = |set: u32| (set >> square) as u16 & 1;
                    let level = has(above[0]) + has(above[1]) + has(above[2]);
                    let rank = (has(beside[0]) * ranks[0]).max(has(beside[1]) * ranks[1]);
                    *class = rank * LEVELS as u16 + level;
                }
            }
        }
        classes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Symmetry, Turn};

    /// The features of a turn: those of its step, then those of its build.
    fn of<const N: usize>(position: &Position<N>, turn: Turn) -> [usize; 7] {
        let features = Features::of(position);
        let (from, to, build) = (turn.from(), turn.to(), turn.build().unwrap());
        [
            features.level(from),
            features.rank(from),
            features.level(to),
            features.rank(to),
            features.level(build),
            features.rank(build),
            features.other_rank(from, build),
        ]
    }

    #[test]
    fn features_are_levels_and_the_ranks_of_workers_beside() {
        // b3 has level 1, c3 2, d3 1; the opponent stands on d4 (level 2).
        let position: Position<5> = "00000/00000/01210/00020/00000 b3d3 a5d4 9".parse().unwrap();
        let turn = |text: &str| of(&position, Turn::parse::<5>(text).unwrap());
        assert_eq!(turn("b3-c3+b3"), [1, 0, 2, 3, 1, 0, 0]);
        assert_eq!(turn("b3-c2+c3"), [1, 0, 0, 0, 2, 3, 2]);
        assert_eq!(turn("d3-c2+b2"), [1, 3, 0, 0, 0, 0, 2]);
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
