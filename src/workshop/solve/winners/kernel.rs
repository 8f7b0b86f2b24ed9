//! Solves the boards of a frame, all placements of both workers at once.

use super::rows::{self, Spread};
use super::slab::{Slab, SlabName};
use super::split::{Core, Levels, MOST_SYMMETRIES, Split};
use crate::solve::game::SmallGame;
use crate::solve::shape::{MOST_SQUARES, Permutation, SquareSet, squares_of};

/// Tables shared by all boards.
pub(super) struct Tables {
    pub spread: Spread,
    pub neighbours: [SquareSet; MOST_SQUARES],
    pub symmetries: Vec<SetSymmetry>,
}

/// A symmetry and its inverse on sets of squares.
pub(super) struct SetSymmetry {
    map: Permutation,
    /// The preimages of the low and the high byte of a set.
    back: [[SquareSet; 256]; 2],
}

impl SetSymmetry {
    fn new(map: Permutation, squares: usize) -> Self {
        let mut back = [[0; 256]; 2];
        for (half, back) in back.iter_mut().enumerate() {
            for (byte, set) in back.iter_mut().enumerate() {
                let images = (byte << (8 * half)) as SquareSet;
                let sources = (0..squares).filter(|&square| images >> map[square] & 1 != 0);
                *set = sources.fold(0, |set, square| set | 1 << square);
            }
        }
        Self { map, back }
    }

    /// The image of a square.
    #[inline(always)]
    pub(super) fn image_of(&self, square: usize) -> usize {
        self.map[square].into()
    }

    /// The image of a set.
    #[inline(always)]
    pub(super) fn image(&self, set: SquareSet) -> SquareSet {
        squares_of(set).fold(0, |images, square| images | 1 << self.map[square])
    }

    /// The preimage of a set.
    #[inline(always)]
    fn back(&self, images: SquareSet) -> SquareSet {
        let [low, high] = images.to_le_bytes();
        self.back[0][usize::from(low)] | self.back[1][usize::from(high)]
    }
}

impl Tables {
    /// The tables of a game.
    pub(super) fn new(game: &SmallGame) -> Self {
        let symmetry = |map: &Permutation| SetSymmetry::new(*map, game.squares());
        Self {
            spread: Spread::new(),
            neighbours: game.neighbours,
            symmetries: game.symmetries.iter().map(symmetry).collect(),
        }
    }
}

/// A slab to solve and the slabs above it: the one with the same frame sum, and the one
/// with a frame sum higher by one. Both are `None` above the highest slab.
pub(super) struct FrameTask<'a> {
    pub tables: &'a Tables,
    pub split: &'a Split,
    pub name: SlabName,
    pub same: Option<&'a Slab>,
    pub raised: Option<&'a Slab>,
}

/// A frame after a build on one of its squares.
#[derive(Clone, Copy, Default)]
struct Raised {
    /// The start of its representative.
    start: usize,
    symmetry: usize,
    /// The number of its standing squares.
    standing: usize,
}

for_widest_vectors! {
    /// Solves the boards of a frame and appends their bits to `rows`.
    pub(super) fn solve_frame(task: &FrameTask, place: u64, rows: &mut Vec<u8>) -> () {
        let board = Board::new(task, place as usize);
        for core in task.split.cores(task.name.total - task.name.frames) {
            board.solve(core, rows);
        }
    }
}

/// A frame to solve, with all cores.
struct Board<'a> {
    task: &'a FrameTask<'a>,
    levels: Levels,
    standing: usize,
    /// The start of the same frame in the slab above.
    start: usize,
    raised: [Raised; MOST_SQUARES],
}

impl<'a> Board<'a> {
    fn new(task: &'a FrameTask, place: usize) -> Self {
        let frame = task.split.frames(task.name.frames)[place];
        let mut raised = [Raised::default(); MOST_SQUARES];
        if let Some(slab) = task.raised {
            for square in squares_of(task.split.frame & frame.levels.open()) {
                let (place, symmetry) = task.split.reduced(frame.number + task.split.worth(square));
                let lost = frame.levels.0[2] >> square & 1;
                raised[square] = Raised {
                    start: slab.index.frame(place),
                    symmetry,
                    standing: frame.levels.standing().count_ones() as usize - usize::from(lost),
                };
            }
        }
        Self {
            task,
            levels: frame.levels,
            standing: frame.levels.standing().count_ones() as usize,
            start: task.same.map_or(0, |slab| slab.index.frame(place)),
            raised,
        }
    }

    #[inline(always)]
    fn solve(&self, core: &Core, rows: &mut Vec<u8>) {
        let levels = self.levels.with(core.levels);
        let wins = self.wins(core, levels);
        rows::add(&self.task.tables.spread, levels.standing(), &wins, rows);
    }

    /// For each square of the other worker, the squares from which the player to move wins.
    #[inline(always)]
    fn wins(&self, core: &Core, levels: Levels) -> [SquareSet; MOST_SQUARES] {
        let near = &self.task.tables.neighbours;
        let standing = levels.standing();
        let built = self.built(core, levels);
        let goals = levels.0[3];
        let mut at_once = 0;
        for from in squares_of(levels.0[2]) {
            if near[from] & goals != 0 {
                at_once |= 1 << from;
            }
        }
        let mut wins = [at_once; MOST_SQUARES];
        for to in squares_of(standing) {
            let high = match levels.0[2] >> to & 1 {
                1 => levels.0[1] | levels.0[2],
                _ => standing,
            };
            let from = near[to] & high;
            // All squares at once, with vector instructions.
            for (other, wins) in wins.iter_mut().enumerate() {
                let is_built = built[to] >> other & 1;
                *wins |= from & SquareSet::wrapping_sub(0, is_built);
            }
        }
        wins
    }

    /// For each square that the mover's worker has moved to, the squares of the other
    /// worker with which some build wins.
    #[inline(always)]
    fn built(&self, core: &Core, levels: Levels) -> [SquareSet; MOST_SQUARES] {
        let tables = self.task.tables;
        let standing = levels.standing();
        let mut built = [0; MOST_SQUARES];
        for square in squares_of(levels.open()) {
            let Some((row, symmetry)) = self.row_above(core, square) else {
                continue;
            };
            let left = standing & !(levels.0[2] & 1 << square);
            let beside = tables.neighbours[square] & standing;
            if symmetry == 0 {
                for to in squares_of(beside) {
                    let rest = left & !(1 << to | 1 << square);
                    built[to] |= rest & !rows::wins(&tables.spread, row, left, to);
                }
                continue;
            }
            let symmetry = &tables.symmetries[symmetry % MOST_SYMMETRIES];
            let images = symmetry.image(left);
            for to in squares_of(beside) {
                let rest = left & !(1 << to | 1 << square);
                let image = symmetry.image_of(to) % MOST_SQUARES;
                let wins = rows::wins(&tables.spread, row, images, image);
                built[to] |= rest & !symmetry.back(wins);
            }
        }
        built
    }

    /// The bits of the board after a build on a square, and the symmetry that maps the
    /// board to the stored one.
    #[inline(always)]
    fn row_above(&self, core: &Core, square: usize) -> Option<(&'a [u8], usize)> {
        let split = self.task.split;
        let in_core = usize::from(core.standing);
        if split.core >> square & 1 != 0 {
            let slab = self.task.same?;
            let lost = core.levels.0[2] >> square & 1;
            let place = split.place(core.number + split.worth(square));
            let at = slab
                .index
                .core(self.standing, in_core - usize::from(lost), place);
            return Some((&slab.bytes.all()[self.start + at..], 0));
        }
        let slab = self.task.raised?;
        let raised = &self.raised[square % MOST_SQUARES];
        let place = core.places[raised.symmetry % MOST_SYMMETRIES];
        let at = slab.index.core(raised.standing, in_core, place);
        Some((&slab.bytes.all()[raised.start + at..], raised.symmetry))
    }
}
