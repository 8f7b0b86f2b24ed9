//! Values of many squares at once, looked up by their classes.
//!
//! There are so few classes that a vector register holds a value for each, and
//! one instruction takes from there the values of all squares. Measured: 1.07 to
//! 1.1 times the nodes a second of the whole search, against a look into memory
//! for each square (AVX-512).

use super::features::{CLASSES, PART};

/// The values of squares by their classes: from the first row, or from the second
/// where `in_second` has a bit.
#[inline(always)]
pub fn look_up(rows: [&[i16; CLASSES]; 2], classes: &[u16; PART], in_second: u32) -> [i16; PART] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512bw") {
        // SAFETY: the processor has the instructions.
        return unsafe { avx512(rows, classes, in_second) };
    }
    portable(rows, classes, in_second)
}

#[inline(always)]
fn portable(rows: [&[i16; CLASSES]; 2], classes: &[u16; PART], in_second: u32) -> [i16; PART] {
    let mut values = [0; PART];
    for (square, value) in values.iter_mut().enumerate() {
        let row = rows[(in_second >> square) as usize & 1];
        *value = row[usize::from(classes[square]) % CLASSES];
    }
    values
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
fn avx512(rows: [&[i16; CLASSES]; 2], classes: &[u16; PART], in_second: u32) -> [i16; PART] {
    use std::arch::x86_64::{__m512i, _mm512_mask_permutexvar_epi16, _mm512_permutexvar_epi16};
    let [first, second]: [__m512i; 2] = rows.map(|&row| bytemuck::cast(row));
    let classes: __m512i = bytemuck::cast(*classes);
    let values = _mm512_permutexvar_epi16(classes, first);
    bytemuck::cast(_mm512_mask_permutexvar_epi16(
        values, in_second, classes, second,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn all_instruction_sets_look_up_the_same() {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..100 {
            let rows: [[i16; CLASSES]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.random()));
            let classes = std::array::from_fn(|_| rng.random_range(0..CLASSES as u16));
            let in_second: u32 = rng.random();
            let values = look_up(rows.each_ref(), &classes, in_second);
            assert_eq!(values, portable(rows.each_ref(), &classes, in_second));
            for (square, value) in values.into_iter().enumerate() {
                let row = usize::from(in_second & (1 << square) != 0);
                assert_eq!(value, rows[row][usize::from(classes[square])]);
            }
        }
    }
}
