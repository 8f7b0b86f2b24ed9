//! The accumulator update with the vector instructions of x86-64.
//!
//! The compiler vectorises the portable loop too, but fills only half of a register with
//! 16-bit integers because the sums have 32 bits. Measured with AVX2: these functions make
//! the whole search 1.06 times as fast, 1.19 times with 512 hidden units.

use std::arch::x86_64::*;

use super::QA;
use super::kernel::{OnePass, Pass, Update, apply};
use super::rows::LANES;
use crate::cpu::{Avx2, Avx512};

macro_rules! one_pass {
    (
        $name:ident $bits:ident:
        $load:ident $store:ident $zero:ident
        $set:ident $add:ident $subtract:ident $max:ident $min:ident $multiply:ident
        $multiply_and_add_pairs:ident $add_sums:ident
    ) => {
        impl OnePass for $name {
            #[inline(always)]
            fn update(self, after: [&mut [i16]; 2], update: &Update) -> [i32; 2] {
                compiled_for! { $name:
                    fn compiled(with: $name, after: [&mut [i16]; 2], update: &Update) -> [i32; 2] {
                        apply(with, after, update)
                    }
                }
                // SAFETY: the processor has the instructions, which `self` proves.
                unsafe { compiled(self, after, update) }
            }

            #[inline(always)]
            fn one_pass<const W: usize>(
                self,
                after: [&mut [i16; W]; 2],
                pass: &Pass<W>,
            ) -> [i32; 2] {
                const { assert!(W.is_multiple_of(LANES)) }
                const STEP: usize = size_of::<$bits>() / size_of::<i16>();
                compiled_for! { $name:
                fn vectors<const W: usize>(after: [&mut [i16; W]; 2], pass: &Pass<W>) -> [i32; 2] {
                    let (zero, one) = ($zero(), $set(QA as i16));
                    let mut sums = [zero; 2];
                    for at in (0..W).step_by(STEP) {
                        // SAFETY: from `at` on there are as many values as a
                        // vector has, since W is a multiple of LANES.
                        let load = |row: &[i16; W]| unsafe { $load(row[at..].as_ptr().cast()) };
                        for side in 0..2 {
                            let left = $subtract(load(pass.before[side]), load(pass.removed[side]));
                            let added = $add(load(pass.level_up[side]), load(pass.added[side]));
                            let value = $add(left, added);
                            // SAFETY: as above.
                            unsafe { $store(after[side][at..].as_mut_ptr().cast(), value) };
                            let clipped = $min($max(value, zero), one);
                            // At most 255 * 127: fits 16 bits.
                            let weighted = $multiply(clipped, load(pass.weights[side]));
                            let products = $multiply_and_add_pairs(weighted, clipped);
                            sums[side] = $add_sums(sums[side], products);
                        }
                    }
                    // `array::map` would not be inlined into a function for certain instructions.
                    let mut totals = [0i32; 2];
                    for side in 0..2 {
                        let parts: [i32; STEP / 2] = bytemuck::cast(sums[side]);
                        for part in parts {
                            totals[side] = totals[side].wrapping_add(part);
                        }
                    }
                    totals
                }
                }
                // SAFETY: as above.
                unsafe { vectors(after, pass) }
            }
        }
    };
}

one_pass!(Avx2 __m256i:
    _mm256_loadu_si256 _mm256_storeu_si256 _mm256_setzero_si256
    _mm256_set1_epi16 _mm256_add_epi16 _mm256_sub_epi16 _mm256_max_epi16 _mm256_min_epi16
    _mm256_mullo_epi16 _mm256_madd_epi16 _mm256_add_epi32);

one_pass!(Avx512 __m512i:
    _mm512_loadu_si512 _mm512_storeu_si512 _mm512_setzero_si512
    _mm512_set1_epi16 _mm512_add_epi16 _mm512_sub_epi16 _mm512_max_epi16
    _mm512_min_epi16 _mm512_mullo_epi16 _mm512_madd_epi16 _mm512_add_epi32);
