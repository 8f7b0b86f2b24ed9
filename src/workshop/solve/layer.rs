//! A layer: the values of all states whose levels have one sum.
//!
//! Levels that symmetries make of each other have one row of bytes. A row holds
//! the [values](super::value::ExactValue) of all ways in which the workers stand
//! on the squares that they can stand on:
//!
//! ```text
//! row = [side to move][crew of the other player][crew of the player to move]
//! ```

use super::crews::Standing;
use super::game::{Heights, SmallGame};
use super::header::{SOLVED_FILE, SOLVED_MAGIC};
use super::lattice::Lattice;
use super::parts::{Part, PartIndex, Parts};
use super::shape::SquareSet;
use super::state::SmallState;
use crate::files::Kind;
use crate::jobs::Jobs;

/// What levels are looked at in one piece of work.
pub(super) const CHUNK: u64 = 1 << 12;

/// Where the rows of a layer begin.
pub struct LayerIndex {
    pub total: usize,
    /// For all levels: where their row begins, and above that in the lowest bits
    /// the symmetry that makes the levels of the row of them.
    entries: Vec<u64>,
    /// The length of all rows.
    bytes: u64,
}

/// The lowest bits of an entry: eight symmetries.
const SYMMETRY_BITS: u32 = 3;

/// What a piece of work finds of levels.
enum Found {
    /// They have a row of this length.
    Row(u64),
    /// Their row is that of the levels with this number, which come before.
    Image { first: u64, symmetry: u64 },
}

impl LayerIndex {
    /// The memory for the levels of a row, in bytes.
    pub const ENTRY: u64 = size_of::<u64>() as u64;

    /// Looks at all levels of a layer; `None` if that is stopped.
    pub fn new(game: &SmallGame, lattice: &Lattice, total: usize, jobs: &Jobs) -> Option<Self> {
        let size = lattice.size(total);
        let mut index = Self {
            total,
            entries: Vec::with_capacity(size as usize),
            bytes: 0,
        };
        let look = |chunk| -> Vec<Found> {
            let mut found = Vec::with_capacity(CHUNK as usize);
            for_each_heights(lattice, total, chunk, |_, heights| {
                found.push(match lattice.to_first(heights) {
                    0 => Found::Row(row_length(game, heights)),
                    symmetry => Found::Image {
                        first: lattice.rank(&lattice.image(heights, symmetry), total),
                        symmetry: symmetry as u64,
                    },
                });
            });
            found
        };
        let done: Result<(), ()> = jobs.run(0..chunks(size), look, |_, found| {
            for found in found {
                index.add(found);
            }
            Ok(())
        });
        let is_whole = done.is_ok() && index.entries.len() as u64 == size;
        is_whole.then_some(index)
    }

    fn add(&mut self, found: Found) {
        self.entries.push(match found {
            Found::Row(length) => {
                self.bytes += length;
                (self.bytes - length) << SYMMETRY_BITS
            }
            Found::Image { first, symmetry } => self.entries[first as usize] | symmetry,
        });
    }

    /// Whether the levels with this number have a row of their own.
    #[inline(always)]
    pub fn has_row(&self, rank: u64) -> bool {
        self.entries[rank as usize] & ((1 << SYMMETRY_BITS) - 1) == 0
    }

    /// The row of levels.
    #[inline(always)]
    pub fn row(&self, game: &SmallGame, lattice: &Lattice, heights: &Heights) -> Row {
        let entry = self.entries[lattice.rank(heights, self.total) as usize];
        let symmetry = (entry & ((1 << SYMMETRY_BITS) - 1)) as usize;
        let standing = Standing::new(game, heights, &lattice.symmetries()[symmetry]);
        Row {
            start: (entry >> SYMMETRY_BITS) as usize,
            symmetry,
            crews: standing.crews(game.workers),
            standing,
        }
    }
}

impl PartIndex for LayerIndex {
    type Name = usize;
    const MAGIC: &'static [u8] = SOLVED_MAGIC;
    const KIND: Kind = SOLVED_FILE;
    const ONLY_WINNERS: bool = false;
    const BLOCK: Option<u64> = Some(1 << 16);

    fn name(&self) -> usize {
        self.total
    }

    fn length(&self) -> u64 {
        self.bytes
    }
}

/// How many pieces of work a layer of this size is.
pub(super) const fn chunks(size: u64) -> u64 {
    size.div_ceil(CHUNK)
}

/// Calls `visit` with the number and the levels of each of a piece of work.
#[inline(always)]
pub(super) fn for_each_heights(
    lattice: &Lattice,
    total: usize,
    chunk: u64,
    mut visit: impl FnMut(u64, &Heights),
) {
    let start = chunk * CHUNK;
    let end = (start + CHUNK).min(lattice.size(total));
    let mut heights = lattice.unrank(total, start);
    for rank in start..end {
        visit(rank, &heights);
        lattice.advance(&mut heights);
    }
}

/// The length of the row of levels in bytes.
#[inline(always)]
pub(super) fn row_length(game: &SmallGame, heights: &Heights) -> u64 {
    let highest = game.highest_standing();
    let heights = heights[..game.squares()].iter();
    let standing = heights.filter(|&&level| level <= highest).count();
    let crews = super::crews::crew_count(standing, game.workers);
    (game.sides() * crews * crews) as u64
}

/// Where the row of some levels is, and how crews are numbered in it.
#[derive(Clone, Copy)]
pub struct Row {
    /// Where it begins in its layer.
    pub start: usize,
    /// Which symmetry makes the levels of the row; 0 changes nothing.
    pub symmetry: usize,
    pub standing: Standing,
    /// In how many ways a player's workers can stand.
    pub crews: usize,
}

impl Row {
    /// Where the value of a state with these workers is in its layer.
    #[inline(always)]
    pub fn place(&self, side: usize, [mover, other]: [SquareSet; 2]) -> usize {
        let mover = self.standing.crew_number(mover);
        let other = self.standing.crew_number(other);
        self.start + (side * self.crews + other) * self.crews + mover
    }
}

/// A layer with its values.
pub(super) type Layer = Part<LayerIndex>;

/// Solved layers by their sum of levels.
pub(super) type Layers = Parts<LayerIndex>;

impl Layer {
    /// The byte of a state of the layer.
    pub fn byte(&self, game: &SmallGame, lattice: &Lattice, state: &SmallState) -> u8 {
        let row = self.index.row(game, lattice, &state.heights);
        self.bytes.all()[row.place(state.side, state.crews)]
    }
}
