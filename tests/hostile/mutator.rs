//! Corrupts bytes at random, reproducibly for a seed.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Corrupts bytes.
pub struct Mutator {
    pub rng: Xoshiro256PlusPlus,
    /// Fragments inserted more often than other bytes.
    likely: &'static [&'static [u8]],
}

impl Mutator {
    pub fn new(seed: u64, likely: &'static [&'static [u8]]) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { rng, likely }
    }

    /// A random element.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.rng.random_range(0..from.len())]
    }

    /// True once in `times` calls on average.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.rng.random_range(0..times) == 0
    }

    /// Changes bytes in one or a few places. Pieces may come from `other`.
    pub fn corrupt(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        for _ in 0..self.rng.random_range(1..=4) {
            self.change(bytes, other);
        }
    }

    fn change(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let length = bytes.len();
        let place = self.rng.random_range(0..=length);
        let end = length.min(place + self.rng.random_range(1..=8));
        match self.rng.random_range(0..10) {
            // Replace a byte.
            0 => bytes[place..end].iter_mut().take(1).for_each(|byte| {
                *byte = self.rng.next_u32() as u8;
            }),
            1 => bytes[place..end].iter_mut().take(1).for_each(|byte| {
                *byte ^= 1 << self.rng.random_range(0..8);
            }),
            // Delete bytes.
            2 => drop(bytes.drain(place..end)),
            3 => bytes.truncate(place),
            // Insert or overwrite bytes.
            4 | 5 => {
                let piece = *self.pick(self.likely);
                bytes.splice(place..place, piece.iter().copied());
            }
            6 => {
                let piece = *self.pick(self.likely);
                let end = length.min(place + piece.len());
                bytes.splice(place..end, piece.iter().copied());
            }
            7 => {
                let times = self.rng.random_range(2..80);
                let piece = self.pick(self.likely).repeat(times);
                bytes.splice(place..place, piece);
            }
            // Copy pieces of it or of `other`.
            8 => {
                let piece = self.piece(bytes).to_vec();
                bytes.splice(place..place, piece);
            }
            _ => {
                let piece = self.piece(other);
                bytes.splice(place..end, piece.iter().copied());
            }
        }
    }

    fn piece<'a>(&mut self, of: &'a [u8]) -> &'a [u8] {
        let start = self.rng.random_range(0..=of.len());
        let length = self.rng.random_range(0..=32);
        &of[start..of.len().min(start + length)]
    }
}
