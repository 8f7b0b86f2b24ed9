//! Rows of 16-bit integers, one for each hidden unit, aligned for the widest vector
//! registers.

use bytemuck::{Pod, Zeroable};

/// The integers in an aligned block. The number of hidden units is a multiple of it.
pub const LANES: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Lanes([i16; LANES]);

/// Rows of the same width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    width: usize,
    lanes: Vec<Lanes>,
}

impl Rows {
    /// Rows of zeros. `width` must be a multiple of [`LANES`].
    pub fn zeros(count: usize, width: usize) -> Self {
        assert!(width > 0 && width.is_multiple_of(LANES));
        Self {
            width,
            lanes: vec![Lanes([0; LANES]); count * width / LANES],
        }
    }

    /// Rows with these values, row by row.
    pub fn of(width: usize, values: impl ExactSizeIterator<Item = i16>) -> Self {
        let mut rows = Self::zeros(values.len() / width, width);
        for (place, value) in rows.all_mut().iter_mut().zip(values) {
            *place = value;
        }
        rows
    }

    /// A copy of these rows, in this order.
    pub fn chosen(&self, rows: impl Iterator<Item = usize>) -> Self {
        let blocks = self.width / LANES;
        // With a known number of rows, `lanes` takes no more memory than it needs.
        let rows: Vec<usize> = rows.collect();
        let mut lanes = Vec::with_capacity(rows.len() * blocks);
        for row in rows {
            lanes.extend_from_slice(&self.lanes[row * blocks..][..blocks]);
        }
        Self {
            width: self.width,
            lanes,
        }
    }

    /// The number of values in a row.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.lanes.len() * LANES / self.width
    }

    /// Appends rows of zeros until there are at least this many.
    pub fn grow(&mut self, count: usize) {
        let lanes = count * self.width / LANES;
        if self.lanes.len() < lanes {
            self.lanes.resize(lanes, Lanes([0; LANES]));
        }
    }

    /// All values, row by row.
    pub fn all(&self) -> &[i16] {
        bytemuck::cast_slice(&self.lanes)
    }

    /// All values, mutably.
    pub fn all_mut(&mut self) -> &mut [i16] {
        bytemuck::cast_slice_mut(&mut self.lanes)
    }

    /// A row.
    #[inline(always)]
    pub fn row(&self, index: usize) -> &[i16] {
        &self.all()[index * self.width..][..self.width]
    }

    /// A row, mutably.
    pub fn row_mut(&mut self, index: usize) -> &mut [i16] {
        let width = self.width;
        &mut self.all_mut()[index * width..][..width]
    }

    /// All values in chunks of `W`.
    #[inline(always)]
    pub fn chunks<const W: usize>(&self) -> &[[i16; W]] {
        self.all().as_chunks().0
    }

    /// Two adjacent rows: the pair at `index`.
    #[inline(always)]
    pub fn pair(&self, index: usize) -> [&[i16]; 2] {
        let pair = &self.all()[2 * index * self.width..][..2 * self.width];
        pair.split_at(self.width).into()
    }

    /// A pair of rows, mutably.
    pub fn pair_mut(&mut self, index: usize) -> [&mut [i16]; 2] {
        let width = self.width;
        let pair = &mut self.all_mut()[2 * index * width..][..2 * width];
        pair.split_at_mut(width).into()
    }

    /// Copies the pair of rows at `from` in `rows` to the pair at `to`.
    pub fn copy_pair(&mut self, to: usize, rows: &Self, from: usize) {
        for (to, from) in self.pair_mut(to).into_iter().zip(rows.pair(from)) {
            to.copy_from_slice(from);
        }
    }

    /// Two pairs of rows, the second mutably. `first` must be less than `second`.
    #[inline(always)]
    pub fn two_pairs(&mut self, first: usize, second: usize) -> ([&[i16]; 2], [&mut [i16]; 2]) {
        let width = self.width;
        let (before, after) = self.all_mut().split_at_mut(2 * second * width);
        let before = &before[2 * first * width..][..2 * width];
        let after = &mut after[..2 * width];
        (
            before.split_at(width).into(),
            after.split_at_mut(width).into(),
        )
    }
}
