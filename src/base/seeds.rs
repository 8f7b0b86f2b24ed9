//! The random number generator and its seeds.

use rand::SeedableRng;
#[cfg(feature = "program")]
use rand::{TryRng, rngs::SysRng};

/// The random number generator. The same seed gives the same numbers on every machine.
pub(crate) type SeededRng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator with this seed.
pub(crate) fn seeded(seed: u64) -> SeededRng {
    SeededRng::seed_from_u64(seed)
}

/// A seed for one use, derived from a common seed. `uses` names the use; different lists
/// give unrelated seeds.
pub(crate) fn derive_seed(seed: u64, uses: &[u64]) -> u64 {
    let all = std::iter::once(&seed).chain(uses);
    all.fold(0, |mixed: u64, &number| {
        // The mixing function of SplitMix64 (S. Vigna, public domain).
        let mut z = (mixed ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}

/// A random seed from the system; 0 if it has none.
#[cfg(feature = "program")]
pub(crate) fn fresh_seed() -> u64 {
    SysRng.try_next_u64().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn derived_seeds_differ() {
        let seeds: HashSet<u64> = (0..1000)
            .map(|i| derive_seed(1, &[i / 10, i % 10]))
            .collect();
        assert_eq!(seeds.len(), 1000);
        assert_ne!(derive_seed(1, &[2]), derive_seed(2, &[1]));
    }
}
