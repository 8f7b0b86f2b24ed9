//! A slab: the boards of one layer whose frames have the same sum of levels.
//!
//! A turn leads to a board in the layer above, in the slab with the same frame sum or the one
//! with one level more. If the slabs of a layer are solved from the highest frame sum down,
//! each slab can replace a slab of the layer above that is no longer needed.

use super::rows::row_bytes;
use super::split::Split;
use crate::files::Kind;
use crate::solve::header::{WINNERS_FILE, WINNERS_MAGIC};
use crate::solve::parts::{Part, PartIndex, PartName, Parts};
use crate::solve::shape::MOST_SQUARES;

/// The possible numbers of standing squares, 0 included.
const SIZES: usize = MOST_SQUARES + 1;

/// The name of a slab.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SlabName {
    /// The sum of all levels.
    pub total: usize,
    /// The sum of the levels of the frame.
    pub frames: usize,
}

impl PartName for SlabName {
    const NUMBERS: usize = 2;

    fn numbers(self) -> [usize; 2] {
        [self.total, self.frames]
    }

    fn of([total, frames]: [usize; 2]) -> Self {
        Self { total, frames }
    }

    fn can_follow(self, _: Option<Self>, _: usize) -> bool {
        true
    }
}

/// Locates the boards of a slab in its bytes.
pub struct SlabIndex {
    pub name: SlabName,
    /// The start of each frame, then the total length.
    frames: Vec<u64>,
    /// `cores[f][c]`: in a frame with `f` standing squares, the start of the cores with
    /// `c`.
    cores: [[u32; SIZES]; SIZES],
}

impl SlabIndex {
    /// Computes the index of a slab.
    pub fn new(split: &Split, name: SlabName) -> Self {
        let (cores, lengths) = frame_lengths(split, name);
        let mut end = 0;
        let mut frames = vec![0];
        for frame in split.frames(name.frames) {
            end += u64::from(lengths[frame.levels.standing().count_ones() as usize]);
            frames.push(end);
        }
        Self {
            name,
            frames,
            cores,
        }
    }

    /// The start of a frame.
    #[inline(always)]
    pub fn frame(&self, place: usize) -> usize {
        self.frames[place] as usize
    }

    /// The start of a board within its frame, by the numbers of standing squares of frame
    /// and core, and the index of the core among such cores.
    #[inline(always)]
    pub const fn core(&self, frame: usize, core: usize, place: u32) -> usize {
        self.cores[frame][core] as usize + place as usize * row_bytes(frame + core)
    }
}

impl PartIndex for SlabIndex {
    type Name = SlabName;
    const MAGIC: &'static [u8] = WINNERS_MAGIC;
    const KIND: Kind = WINNERS_FILE;
    const ONLY_WINNERS: bool = true;
    const BLOCK: Option<u64> = None;

    fn name(&self) -> SlabName {
        self.name
    }

    fn length(&self) -> u64 {
        self.frames.last().copied().unwrap_or(0)
    }
}

/// By the number of standing squares of a frame: the starts of its cores, as in
/// [`SlabIndex`], and its length in bytes.
fn frame_lengths(split: &Split, name: SlabName) -> ([[u32; SIZES]; SIZES], [u32; SIZES]) {
    let counts = split.core_counts(name.total.wrapping_sub(name.frames));
    let (mut cores, mut lengths) = ([[0; SIZES]; SIZES], [0; SIZES]);
    for frame in 0..=split.frame.count_ones() as usize {
        for core in 0..=split.core.count_ones() as usize {
            cores[frame][core] = lengths[frame];
            lengths[frame] += counts[core] * row_bytes(frame + core) as u32;
        }
    }
    (cores, lengths)
}

/// The length of a slab in bytes.
pub(super) fn slab_bytes(split: &Split, name: SlabName) -> u64 {
    let (_, lengths) = frame_lengths(split, name);
    let counts = split.frame_counts(name.frames);
    let product = |(count, length): (u32, u32)| u64::from(count) * u64::from(length);
    counts.into_iter().zip(lengths).map(product).sum()
}

/// A solved slab.
pub(super) type Slab = Part<SlabIndex>;

/// Solved slabs by name.
pub(super) type Slabs = Parts<SlabIndex>;
