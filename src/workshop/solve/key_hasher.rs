//! A fast hash for keys that are not chosen by an attacker.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes [`KeyHasher`]s.
pub(crate) type KeyBuilder = BuildHasherDefault<KeyHasher>;

/// Mixes the words of a key as they are written.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}
