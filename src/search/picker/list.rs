//! The turns of a game with cards, one by one: there may be hundreds, of any
//! kind.

use crate::rules::{Bitboard, Position, Turn};

use super::super::features::Features;
use super::super::history::player;
use super::{Early, FIRST, Ordering, VALUE_BITS, early_value};

/// The turns that are left.
///
/// A turn, its value and its place in the list are packed into one word, value
/// above turn above place, so that the best is simply the largest and tells
/// where it is.
#[derive(Default)]
pub struct List {
    words: Vec<i64>,
}

// A word: value | turn (29 bits) | place
const PLACE_BITS: u32 = i64::BITS - VALUE_BITS - TURN_BITS;
const TURN_BITS: u32 = 29;
const VALUE: u32 = PLACE_BITS + TURN_BITS;
/// The bits of the place.
const PLACES: i64 = (1 << PLACE_BITS) - 1;

impl List {
    /// Takes all turns that do not win at once and build on `builds`.
    pub fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        early: Early,
        ordering: &Ordering,
    ) {
        self.words.clear();
        let features = Features::of(position);
        let player = player(position);
        let (mut squares, mut step_value) = (None, 0);
        position.for_each_quiet(builds, |turn| {
            // The turns of one step come one after the other.
            if squares != Some((turn.from(), turn.to())) {
                squares = Some((turn.from(), turn.to()));
                step_value = ordering.step(player, &features, turn);
            }
            let build = turn.build().expect("a turn that does not win builds");
            let place = early.iter().position(|&early| early == Some(turn));
            let value = place.map_or_else(
                || step_value + ordering.build(player, &features, turn, build),
                early_value,
            );
            self.words.push(pack(value, turn, self.words.len()));
        });
    }

    /// Takes out the best turn left, with its value.
    pub fn pick(&mut self) -> Option<(Turn, i32)> {
        let best = largest(&self.words)?;
        let place = best & PLACES;
        // The last one takes its place.
        let last = self.words.pop()?;
        if last != best {
            self.words[place as usize] = last & !PLACES | place;
        }
        let turn = Turn::from_raw((best >> PLACE_BITS) as u32 & ((1 << TURN_BITS) - 1))?;
        Some((turn, (best >> VALUE) as i32))
    }
}

// Measured when the turns of the base game were kept so, too: 1.1 times the nodes
// a second of the whole search (AVX-512).
for_widest_vectors! {
    fn largest(words: &[i64]) -> Option<i64> {
        words.iter().copied().max()
    }
}

fn pack(value: i32, turn: Turn, place: usize) -> i64 {
    debug_assert!((-FIRST..=FIRST).contains(&value) && place as i64 <= PLACES);
    i64::from(value) << VALUE | i64::from(turn.bits()) << PLACE_BITS | place as i64
}
