//! The network's arithmetic. The same code is compiled for several
//! instruction sets, of which the best that the processor has is chosen at
//! run time; all give the same integers.

use super::HIDDEN_ONE;
use super::rows::{LANES, Rows};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512};

/// What one turn changes, in features as each of two players sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changes {
    /// The raise of the tower built on, see [`super::features::raise`].
    pub raise: usize,
    pub worker: Change,
    pub extra: Option<Extra>,
}

/// What only a turn with cards changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// A second tower is built on.
    Raise(usize),
    /// A second worker moves.
    Worker(Change),
}

/// A feature that is gone and one that has come, for each of two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    pub gone: [usize; 2],
    pub come: [usize; 2],
}

/// What a turn changes, with all the weights that takes.
#[derive(Clone, Copy, Debug)]
pub struct Advance<'a> {
    /// The hidden values of both players before the turn.
    pub before: [&'a [i16]; 2],
    pub changes: &'a Changes,
    /// The weights of all features, and what all raises add to them.
    pub rows: &'a Rows,
    pub raises: &'a Rows,
    /// The output weights of both players' hidden values.
    pub weights: [&'a [i16]; 2],
}

/// The instruction sets the kernels are compiled for, each with the proof that
/// this processor has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// Those of them that this processor has, the best last.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "only x86-64 has more than one")]
        let mut available = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            available.extend(Avx2::detect().map(Self::Avx2));
            available.extend(Avx512::detect().map(Self::Avx512));
        }
        available
    }

    /// The name of the instruction set.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "AVX-512",
        }
    }

    /// Writes the hidden values of both players after a turn to `after`;
    /// returns their weighted sums as [`weigh_all`] does.
    #[inline(always)]
    pub fn advance(self, after: [&mut [i16]; 2], turn: &Advance) -> [i32; 2] {
        match self {
            Self::Portable => advance(Portable, after, turn),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.advance(after, turn),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(avx512) => avx512.advance(after, turn),
        }
    }
}

/// The loops are compiled for some numbers of hidden values; others are taken
/// in pieces of [`LANES`]. Measured: with a number known at run time alone, the
/// whole search is 0.7 times as fast.
#[inline(always)]
pub(super) fn advance(with: impl OnePass, after: [&mut [i16]; 2], turn: &Advance) -> [i32; 2] {
    match turn.rows.width() {
        256 => advance_in_pieces::<256>(with, after, turn, 1),
        512 => advance_in_pieces::<512>(with, after, turn, 1),
        width => advance_in_pieces::<LANES>(with, after, turn, width / LANES),
    }
}

#[inline(always)]
fn advance_in_pieces<const W: usize>(
    with: impl OnePass,
    after: [&mut [i16]; 2],
    turn: &Advance,
    pieces: usize,
) -> [i32; 2] {
    let Advance { changes, .. } = turn;
    let (rows, raises) = (turn.rows.pieces::<W>(), turn.raises.pieces::<W>());
    let [mover, other] = after.map(|after| after.as_chunks_mut::<W>().0);
    let before = turn.before.map(|before| before.as_chunks::<W>().0);
    let weights = turn.weights.map(|weights| weights.as_chunks::<W>().0);
    let mut sums = [0i32; 2];
    for piece in 0..pieces {
        let row = |feature: usize| &rows[feature * pieces + piece];
        let raise = |raise: usize| &raises[raise * pieces + piece];
        let after = [&mut mover[piece], &mut other[piece]];
        let mut pass = Pass {
            before: before.map(|before| &before[piece]),
            raise: raise(changes.raise),
            come: changes.worker.come.map(row),
            gone: changes.worker.gone.map(row),
            weights: weights.map(|weights| &weights[piece]),
        };
        let piece_sums = match changes.extra {
            None => with.one_pass(after, &pass),
            Some(extra) => {
                let mut between = pass.before.map(|before| *before);
                for (side, between) in between.iter_mut().enumerate() {
                    match extra {
                        Extra::Raise(second) => add(between, raise(second)),
                        Extra::Worker(change) => {
                            subtract(between, row(change.gone[side]));
                            add(between, row(change.come[side]));
                        }
                    }
                }
                pass.before = between.each_ref();
                with.one_pass(after, &pass)
            }
        };
        sums = [0, 1].map(|side: usize| sums[side].wrapping_add(piece_sums[side]));
    }
    sums
}

/// What one pass over hidden values takes; where there are two, those of both
/// players.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a, const W: usize> {
    pub before: [&'a [i16; W]; 2],
    pub raise: &'a [i16; W],
    pub come: [&'a [i16; W]; 2],
    pub gone: [&'a [i16; W]; 2],
    /// The output weights.
    pub weights: [&'a [i16; W]; 2],
}

/// One pass over the hidden values of both players. Measured: 1.04 times the
/// nodes a second of a pass for each of them.
pub(super) trait OnePass: Copy {
    /// Writes to `after` the values before with the rows of what has come and
    /// of the raise added and those of what is gone subtracted; returns the
    /// weighted sums of those, clipped and squared.
    fn one_pass<const W: usize>(self, after: [&mut [i16; W]; 2], pass: &Pass<W>) -> [i32; 2];
}

/// For any processor.
#[derive(Clone, Copy)]
struct Portable;

impl OnePass for Portable {
    #[inline(always)]
    fn one_pass<const W: usize>(self, after: [&mut [i16; W]; 2], pass: &Pass<W>) -> [i32; 2] {
        let mut sums = [0i32; 2];
        for (side, after) in after.into_iter().enumerate() {
            for (unit, after) in after.iter_mut().enumerate() {
                let value = pass.before[side][unit].wrapping_sub(pass.gone[side][unit]);
                let value = value
                    .wrapping_add(pass.raise[unit])
                    .wrapping_add(pass.come[side][unit]);
                *after = value;
                let weighed = weigh(value, pass.weights[side][unit]);
                sums[side] = sums[side].wrapping_add(weighed);
            }
        }
        sums
    }
}

#[inline(always)]
fn add<const W: usize>(values: &mut [i16; W], row: &[i16; W]) {
    for (value, weight) in values.iter_mut().zip(row) {
        *value = value.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract<const W: usize>(values: &mut [i16; W], row: &[i16; W]) {
    for (value, weight) in values.iter_mut().zip(row) {
        *value = value.wrapping_sub(*weight);
    }
}

/// The weighted value, clipped and squared.
#[inline(always)]
fn weigh(value: i16, weight: i16) -> i32 {
    let value = value.clamp(0, HIDDEN_ONE as i16);
    // At most 255 * 127: fits 16 bits, so that the compiler can multiply and
    // add pairs of 16-bit values.
    let weighted = value.wrapping_mul(weight);
    i32::from(weighted) * i32::from(value)
}

/// The weighted sums of the clipped and squared hidden values of two players,
/// in `HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE`ths. They wrap around where a file
/// has absurd weights, on all machines alike.
pub fn weigh_all(hidden: [&[i16]; 2], weights: [&[i16]; 2]) -> [i32; 2] {
    std::array::from_fn(|side| {
        let pairs = hidden[side].iter().zip(weights[side]);
        pairs.fold(0, |sum: i32, (&value, &weight)| {
            sum.wrapping_add(weigh(value, weight))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn all_instruction_sets_give_the_same_integers() {
        const FEATURES: usize = 100;
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
        for round in 0..48 {
            let width = [32, 96, 256, 512][round % 4];
            let mut random = |count: usize, bound: i16| {
                let values = (0..count * width).map(|_| rng.random_range(-bound..=bound));
                Rows::of(width, values)
            };
            let (hidden, weights) = (random(2, 600), random(2, 127));
            let (rows, raises) = (random(FEATURES, 500), random(FEATURES, 500));
            let mut any = || rng.random_range(0..FEATURES);
            let raise = any();
            let mut change = || Change {
                gone: [any(), any()],
                come: [any(), any()],
            };
            let (worker, second) = (change(), change());
            let changes = Changes {
                raise,
                worker,
                extra: [None, Some(Extra::Raise(any())), Some(Extra::Worker(second))]
                    [round / 4 % 3],
            };
            let turn = Advance {
                before: hidden.pair(0),
                changes: &changes,
                rows: &rows,
                raises: &raises,
                weights: weights.pair(0),
            };
            let results: Vec<(Rows, [i32; 2])> = Instructions::available()
                .into_iter()
                .map(|instructions| {
                    let mut after = Rows::zeros(2, width);
                    let sums = instructions.advance(after.pair_mut(0), &turn);
                    (after, sums)
                })
                .collect();
            assert!(results.iter().all(|result| *result == results[0]));
            let (after, sums) = &results[0];
            assert_eq!(*sums, weigh_all(after.pair(0), weights.pair(0)));
        }
    }
}
