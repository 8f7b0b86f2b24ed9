//! Q-tables.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::lab::agent::Agent;
use santorini::lab::qlearning::{self, Learning, QLearning, Trainer};
use santorini::rules::Position;

pub(super) fn good(folder: &Path) -> Vec<Vec<u8>> {
    let learning = Learning {
        episodes: 2,
        ..Learning::default()
    };
    let mut trainer = Trainer::new(learning, 1);
    trainer.episode();
    trainer.episode();
    let path = folder.join("made");
    qlearning::save(&trainer.into_table(), &path).unwrap();
    vec![fs::read(&path).unwrap()]
}

#[allow(clippy::ptr_arg)] // One of the functions of a `Kind`.
pub(super) fn update_checksum(bytes: &mut Vec<u8>) {
    if let Some((body, sum)) = bytes.split_last_chunk_mut::<8>() {
        *sum = fnv1a(body).to_le_bytes();
    }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll, Vo), the checksum of a Q-table.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

pub(super) fn read(path: &Path) -> bool {
    let Ok(table) = qlearning::load(path) else {
        return false;
    };
    let rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let table = Arc::new(table);
    let mut agent = QLearning { table, rng };
    let first = agent.place(None).unwrap();
    let second = agent.place(Some(first)).unwrap();
    let position = Position::start([first, second], [None; 2]).unwrap();
    assert!(position.turns().contains(&agent.turn(&position).unwrap()));
    true
}
