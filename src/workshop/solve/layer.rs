//! A layer: the values of all states with the same sum of levels.
//!
//! Heights that are symmetric to each other share one row of bytes. A row holds the
//! [values](ExactValue) of all placements of both players:
//!
//! ```text
//! row = [side to move][placement of the other player][placement of the player to move]
//! ```

use super::game::{Heights, SmallGame};
use super::header::{SOLVED_FILE, SOLVED_MAGIC};
use super::height_ranking::HeightRanking;
use super::parts::{Part, PartIndex, Parts, for_each_piece};
use super::placement_index::{Standing, placement_count};
use super::run::SolveError;
use super::shape::SquareSet;
use super::state::SmallState;
use super::value::ExactValue;
use crate::files::Kind;
use crate::jobs::Jobs;

/// The number of heights in a chunk, the unit of work of a thread.
pub(super) const CHUNK: u64 = 1 << 12;

/// Where the rows of a layer begin.
pub struct LayerIndex {
    pub total: usize,
    /// For all heights by rank: the start of their row, and in the lowest bits the symmetry
    /// that maps them to the heights of the row.
    entries: Vec<u64>,
    /// The length of all rows.
    bytes: u64,
}

/// The lowest bits of an entry: eight symmetries.
const SYMMETRY_BITS: u32 = 3;

/// What a chunk reports for each of its heights.
enum Found {
    /// The heights have a row of their own, of this length.
    Row(u64),
    /// The heights share the row of symmetric heights of lower rank.
    Image { first: u64, symmetry: u64 },
}

impl LayerIndex {
    /// The memory of an entry, in bytes.
    pub const ENTRY: u64 = size_of::<u64>() as u64;

    /// Indexes all heights of a layer.
    ///
    /// # Errors
    /// If the work was stopped.
    pub fn new(
        game: &SmallGame,
        ranking: &HeightRanking,
        total: usize,
        jobs: &Jobs,
    ) -> Result<Self, SolveError> {
        let size = ranking.size(total);
        let mut index = Self {
            total,
            entries: Vec::with_capacity(size as usize),
            bytes: 0,
        };
        let look = |chunk| -> Vec<Found> {
            let mut found = Vec::with_capacity(CHUNK as usize);
            for_each_heights(ranking, total, chunk, |_, heights| {
                found.push(match ranking.to_first(heights) {
                    0 => Found::Row(row_length(game, heights)),
                    symmetry => Found::Image {
                        first: ranking.rank(&ranking.image(heights, symmetry), total),
                        symmetry: symmetry as u64,
                    },
                });
            });
            found
        };
        for_each_piece(jobs, chunks(size), look, |found| {
            for found in found {
                index.add(found);
            }
        })?;
        Ok(index)
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

    /// Whether the heights of this rank have a row of their own.
    #[inline(always)]
    pub fn has_row(&self, rank: u64) -> bool {
        self.entries[rank as usize] & ((1 << SYMMETRY_BITS) - 1) == 0
    }

    /// The row of these heights.
    #[inline(always)]
    pub fn row(&self, game: &SmallGame, ranking: &HeightRanking, heights: &Heights) -> Row {
        let entry = self.entries[ranking.rank(heights, self.total) as usize];
        let symmetry = (entry & ((1 << SYMMETRY_BITS) - 1)) as usize;
        let standing = Standing::new(game, heights, &ranking.symmetries()[symmetry]);
        Row {
            start: (entry >> SYMMETRY_BITS) as usize,
            symmetry,
            placements: placement_count(standing.count, game.workers),
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

/// The number of chunks of a layer with this many heights.
pub(super) const fn chunks(size: u64) -> u64 {
    size.div_ceil(CHUNK)
}

/// Calls `visit` with the rank and the heights of each member of a chunk.
#[inline(always)]
pub(super) fn for_each_heights(
    ranking: &HeightRanking,
    total: usize,
    chunk: u64,
    mut visit: impl FnMut(u64, &Heights),
) {
    let start = chunk * CHUNK;
    let end = (start + CHUNK).min(ranking.size(total));
    let mut heights = ranking.unrank(total, start);
    for rank in start..end {
        visit(rank, &heights);
        ranking.advance(&mut heights);
    }
}

/// The length of the row of these heights, in bytes.
#[inline(always)]
pub(super) fn row_length(game: &SmallGame, heights: &Heights) -> u64 {
    let highest = game.highest_standing();
    let heights = heights[..game.squares()].iter();
    let standing = heights.filter(|&&level| level <= highest).count();
    let placements = placement_count(standing, game.workers);
    (game.sides() * placements * placements) as u64
}

/// The location of a row, and how placements are numbered in it.
#[derive(Clone, Copy)]
pub struct Row {
    /// The start of the row in its layer.
    pub start: usize,
    /// The symmetry that maps the heights to those of the row; 0 is the identity.
    pub symmetry: usize,
    pub standing: Standing,
    /// The number of placements of one player.
    pub placements: usize,
}

impl Row {
    /// The index of the value of a state with these workers in its layer.
    #[inline(always)]
    pub fn place(&self, side: usize, [mover, other]: [SquareSet; 2]) -> usize {
        let mover = self.standing.placement_number(mover);
        let other = self.standing.placement_number(other);
        self.start + (side * self.placements + other) * self.placements + mover
    }
}

/// A layer with its values.
pub(super) type Layer = Part<LayerIndex>;

/// Solved layers by their sum of levels.
pub(super) type Layers = Parts<LayerIndex>;

impl Layer {
    /// The value of a state of the layer.
    pub fn value(
        &self,
        game: &SmallGame,
        ranking: &HeightRanking,
        state: &SmallState,
    ) -> ExactValue {
        let row = self.index.row(game, ranking, &state.heights);
        ExactValue(self.bytes.all()[row.place(state.side, state.workers)])
    }
}
