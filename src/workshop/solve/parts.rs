//! Parts of a game, solved and stored one by one: layers of values, or slabs of winners.
//! Each is solved from some earlier parts.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::bytes::Bytes;
use super::run::SolveError;
use super::storage::Storage;
use crate::files::Kind;
use crate::jobs::Jobs;

/// Names a part by its sum of levels or, for slabs, also by the sum of levels on the frame.
pub trait PartName: Copy + Ord {
    /// How many of the two numbers are written to files.
    const NUMBERS: usize;

    /// The sum of all levels, and the sum of levels on the frame.
    fn numbers(self) -> [usize; 2];

    /// The part with these sums.
    fn of(numbers: [usize; 2]) -> Self;

    /// Whether the part can follow `before` in a file, or come first in one that keeps
    /// layers up to `kept`.
    fn can_follow(self, before: Option<Self>, kept: usize) -> bool;

    /// The sum of all levels.
    fn total(self) -> usize {
        self.numbers()[0]
    }
}

/// A layer is named by its sum of levels.
impl PartName for usize {
    const NUMBERS: usize = 1;

    fn numbers(self) -> [usize; 2] {
        [self, 0]
    }

    fn of([total, _]: [usize; 2]) -> Self {
        total
    }

    fn can_follow(self, before: Option<Self>, kept: usize) -> bool {
        self + 1 == before.unwrap_or(kept + 1)
    }
}

/// Locates boards in the bytes of a part, and describes files of such parts.
pub trait PartIndex {
    type Name: PartName;
    /// The first bytes of a file.
    const MAGIC: &'static [u8];
    const KIND: Kind;
    /// Whether such a file has winners only, without distances.
    const ONLY_WINNERS: bool;
    /// The number of bytes per checksum; `None` for one checksum per part.
    const BLOCK: Option<u64>;

    fn name(&self) -> Self::Name;

    /// The length of the part in bytes.
    fn length(&self) -> u64;
}

/// A solved part.
pub struct Part<I> {
    pub index: I,
    pub bytes: Bytes,
}

/// Solved parts by their names.
pub(super) type Parts<I> = BTreeMap<<I as PartIndex>::Name, Part<I>>;

/// The size of a part, known before it is solved.
#[derive(Clone, Copy)]
pub(super) struct PartSize<N> {
    pub name: N,
    /// The approximate length in bytes.
    pub bytes: u64,
    /// The bytes of its index, which stays in memory.
    pub index: u64,
}

/// Solves a game part by part.
pub(super) trait PartSolver {
    type Index: PartIndex;

    /// The parts in the order in which they are solved.
    fn sizes(&self) -> Vec<PartSize<NameOf<Self>>>;

    /// Whether a solved part is needed for `next` or for later ones.
    fn is_needed(&self, solved: NameOf<Self>, next: NameOf<Self>) -> bool;

    /// The index of a part.
    ///
    /// # Errors
    /// If the work was stopped.
    fn index(&self, name: NameOf<Self>) -> Result<Self::Index, SolveError>;

    /// Solves a part from those above it into `storage`.
    ///
    /// # Errors
    /// If the work was stopped, or there is no space for the part.
    fn solve(
        &self,
        name: NameOf<Self>,
        above: &Parts<Self::Index>,
        storage: &Storage,
    ) -> Result<Part<Self::Index>, SolveError>;

    /// Checks the states of every `step`th board of a part by their turns. Returns the
    /// number of states checked. `parts` has the part and those it is solved from.
    ///
    /// # Errors
    /// The first wrong state.
    fn check(
        &self,
        name: NameOf<Self>,
        parts: &Parts<Self::Index>,
        step: u64,
    ) -> Result<u64, SolveError>;

    /// The maximum of the bytes of all parts needed at the same time.
    fn most_at_once(&self, bytes: impl Fn(&PartSize<NameOf<Self>>) -> u64) -> u64 {
        let sizes = self.sizes();
        let need = |next: &PartSize<NameOf<Self>>| -> u64 {
            let is_live = |name| name == next.name || self.is_needed(name, next.name);
            let live = sizes.iter().filter(|size| is_live(size.name));
            live.map(&bytes).sum()
        };
        sizes.iter().map(need).max().unwrap_or(0)
    }
}

/// The name of a part of a solver.
pub(super) type NameOf<S> = <<S as PartSolver>::Index as PartIndex>::Name;

/// Does `work` for each piece of a part on several threads and passes the results to `take`
/// in order.
///
/// # Errors
/// If the work was stopped.
pub(super) fn for_each_piece<T: Send + 'static>(
    jobs: &Jobs,
    pieces: u64,
    work: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<(), SolveError> {
    let mut left = pieces;
    let Ok(()) = jobs.run(0..pieces, work, |_, found| {
        take(found);
        left -= 1;
        Ok::<_, Infallible>(())
    });
    if left > 0 {
        return Err(SolveError::Stopped);
    }
    Ok(())
}

/// Fills a part with the bytes of its pieces.
///
/// # Errors
/// If the work was stopped, or there is no space for the part.
pub(super) fn fill<I: PartIndex + Sync>(
    index: I,
    storage: &Storage,
    jobs: &Jobs,
    pieces: u64,
    work: impl Fn(&I, u64, &mut Vec<u8>) + Sync,
) -> Result<Part<I>, SolveError> {
    let mut bytes = storage.bytes(index.length())?;
    let work = |piece| {
        let mut rows = Vec::new();
        work(&index, piece, &mut rows);
        rows
    };
    for_each_piece(jobs, pieces, work, |rows| bytes.add(&rows))?;
    Ok(Part { index, bytes })
}

/// Counts the states checked in all pieces of a part. `look` checks one piece and returns
/// its number of states and the first wrong one.
///
/// # Errors
/// The first wrong state.
pub(super) fn count_states<W: Send + 'static>(
    jobs: &Jobs,
    pieces: u64,
    look: impl Fn(u64) -> (u64, Option<W>) + Sync,
) -> Result<u64, W> {
    let mut count = 0;
    jobs.run(0..pieces, look, |_, (states, wrong)| {
        count += states;
        wrong.map_or(Ok(()), Err)
    })?;
    Ok(count)
}

/// The highest layer such that it and all lower ones take at most `keep` bytes together; at
/// least the lowest.
pub(super) fn highest_kept<N: PartName>(sizes: &[PartSize<N>], keep: u64) -> usize {
    let (mut whole, mut kept) = (0, 0);
    for size in sizes.iter().rev() {
        let total = size.name.total();
        whole += size.bytes;
        if whole > keep {
            return kept.min(total.saturating_sub(1));
        }
        kept = total;
    }
    kept
}
