//! A slab: the boards of one layer whose frames have one sum.
//!
//! A board leads to boards of the slab above it, or of the one above that whose
//! frames have one level more. So solved from the highest frames down, a slab of a
//! layer takes the room that one of the layer above has left.

use super::rows::row_bytes;
use super::split::Split;
use crate::files::Kind;
use crate::solve::header::{WINNERS_FILE, WINNERS_MAGIC};
use crate::solve::parts::{Part, PartIndex, PartName, Parts};
use crate::solve::shape::MOST_SQUARES;

/// How many numbers of squares to stand on there are.
const SIZES: usize = MOST_SQUARES + 1;

/// Which slab.
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

/// Where the boards of a slab are in its bytes.
pub struct SlabIndex {
    pub name: SlabName,
    /// Where each frame begins, and behind the last the length of all.
    frames: Vec<u64>,
    /// Within a frame, by its squares to stand on: where the cores begin that have a
    /// number of them.
    cores: [[u32; SIZES]; SIZES],
}

impl SlabIndex {
    /// Where the boards of a slab are.
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

    /// Where a frame begins.
    #[inline(always)]
    pub fn frame(&self, place: usize) -> usize {
        self.frames[place] as usize
    }

    /// Where a board begins within its frame, by the squares to stand on of its
    /// frame and its core, and the place of its core among such.
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

/// By the squares to stand on of a frame: where its cores begin that have a number
/// of them, and the length of all in bytes.
fn frame_lengths(split: &Split, name: SlabName) -> ([[u32; SIZES]; SIZES], [u32; SIZES]) {
    let counts = split.core_counts(name.total.wrapping_sub(name.frames));
    let (mut cores, mut lengths) = ([[0; SIZES]; SIZES], [0; SIZES]);
    for frame in 0..=split.frame().count_ones() as usize {
        for core in 0..=split.core().count_ones() as usize {
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

/// Solved slabs.
pub(super) type Slabs = Parts<SlabIndex>;
