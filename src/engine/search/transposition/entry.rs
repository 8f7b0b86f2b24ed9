//! An entry of the transposition table, and its packed form.
//!
//! A packed entry is two atomic words, the first stored XOR the second. So a torn write by another
//! thread looks like a foreign key, not like a wrong score (R. Hyatt and T. Mann, "A
//! lock-less transposition table implementation for parallel search", ICGA Journal 25, 2002).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::rules::Turn;
use crate::search::score::{PROVED, is_proved};

/// How a stored score bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Bound {
    /// At most the score: every turn failed low.
    Upper = 1,
    /// At least the score: a turn failed high.
    Lower = 2,
    Exact = 3,
}

/// The entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct TtEntry {
    pub turn: Option<Turn>,
    /// For the player to move. Proved scores count plies from this position.
    pub score: i32,
    pub depth: i32,
    pub bound: Bound,
}

/// The two words of an entry.
pub(super) type PackedEntry = [AtomicU64; 2];

// An entry's words:
//   0: the key, xored with the other word
//   1: turn (29) | bound (2) | generation (5) | depth (8) | unused (4) | score (16)
const BOUND: u32 = 29;
const GENERATION: u32 = 31;
const DEPTH: u32 = 36;
const SCORE: u32 = 48;

/// Searches are numbered modulo this.
pub(super) const GENERATIONS: u64 = 32;

/// The depth of an entry.
pub(super) const fn depth_of(data: u64) -> i32 {
    (data >> DEPTH & 0xff) as i32
}

/// The generation of the search that stored an entry.
pub(super) const fn generation_of(data: u64) -> u64 {
    data >> GENERATION & (GENERATIONS - 1)
}

/// The key and the data of an entry.
pub(super) fn load(slot: &PackedEntry) -> (u64, u64) {
    let data = slot[1].load(Ordering::Relaxed);
    (slot[0].load(Ordering::Relaxed) ^ data, data)
}

pub(super) fn store(slot: &PackedEntry, key: u64, data: u64) {
    slot[0].store(key ^ data, Ordering::Relaxed);
    slot[1].store(data, Ordering::Relaxed);
}

/// Takes an entry's key and data and leaves the slot empty. (Empty slots are not written:
/// their memory may not be mapped yet.)
pub(super) fn take(slot: &PackedEntry) -> (u64, u64) {
    let entry = load(slot);
    if entry.1 != 0 {
        store(slot, 0, 0);
    }
    entry
}

pub(super) fn unpack_turn(data: u64) -> Option<Turn> {
    Turn::from_raw(data as u32 & ((1 << BOUND) - 1))
}

pub(super) fn unpack(data: u64, ply: usize) -> TtEntry {
    let score = i32::from((data >> SCORE) as u16 as i16);
    TtEntry {
        turn: unpack_turn(data),
        score: if is_proved(score) {
            score - score.signum() * ply as i32
        } else {
            score
        },
        depth: depth_of(data),
        bound: match data >> BOUND & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

pub(super) fn pack(entry: &TtEntry, generation: u64, ply: usize) -> u64 {
    // Proved scores are stored as distances from this position, not the root.
    let score = match entry.score {
        score if score >= PROVED => score + ply as i32,
        score if score <= -PROVED => score - ply as i32,
        score => score,
    };
    u64::from(entry.turn.map_or(0, Turn::bits))
        | (entry.bound as u64) << BOUND
        | generation << GENERATION
        | (entry.depth.clamp(0, 255) as u64) << DEPTH
        | u64::from(score as i16 as u16) << SCORE
}
