//! A forward search of the whole game: the value of every position without an immediate win
//! that can be reached from the empty board if both players take every immediate win.
//!
//! A depth-first search that visits each position once, with the rules of the engine on 5x5
//! or 6x6 boards with domes around the small board. It uses neither layers nor symmetries,
//! so it cannot share a bug with the solver.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::embed::{embedded_any, extracted};
use super::game::SmallGame;
use super::key_hasher::KeyBuilder;
use super::placements::all_placements;
use super::run::SolveError;
use super::shape::squares_of;
use super::state::SmallState;
use super::value::{ExactValue, NO_STATE};
use crate::at_size;
use crate::jobs::Jobs;
use crate::rules::Position;

/// The memory of a slot of the hash table, in bytes: key, value and a control byte.
const SLOT: u64 = (size_of::<(Key, ExactValue)>() + 1) as u64;

/// A search of a whole game.
pub(super) struct WholeSearch<'a, F> {
    game: &'a SmallGame,
    jobs: Jobs<'a>,
    /// The values of positions, by their keys.
    values: HashMap<Key, ExactValue, KeyBuilder>,
    /// The maximum number of positions in the table.
    most: usize,
    /// Called once for each position, with its value.
    found: F,
}

impl<'a, F: FnMut(&SmallState, ExactValue) -> Result<(), SolveError>> WholeSearch<'a, F> {
    /// A search with a table of at most `bytes` bytes. `found` gets each position and its
    /// value.
    pub(super) fn new(game: &'a SmallGame, bytes: u64, jobs: Jobs<'a>, found: F) -> Self {
        Self {
            game,
            jobs,
            values: HashMap::default(),
            most: most_positions(bytes),
            found,
        }
    }

    /// Searches from all placements. Returns the number of positions found.
    ///
    /// # Errors
    /// If the work was stopped, the table is full, or `found` has an error.
    pub(super) fn run(mut self) -> Result<usize, SolveError> {
        for first in all_placements(self.game) {
            for second in all_placements(self.game).filter(|second| first & second == 0) {
                let start = SmallState::start([first, second]);
                at_size!(embedded_any(self.game, &start), start => self.value(&start))?;
            }
        }
        Ok(self.values.len())
    }

    fn value<const N: usize>(&mut self, position: &Position<N>) -> Result<ExactValue, SolveError> {
        if position.has_win() {
            return Ok(ExactValue::in_plies(1));
        }
        let state = extracted(self.game, position);
        let key = Key::of(self.game, &state);
        if let Some(&value) = self.values.get(&key) {
            return Ok(value);
        }
        let mut least = NO_STATE;
        for turn in position.turns() {
            least = least.min(self.value(&position.play(turn))?.0);
        }
        let value = ExactValue::before(least);
        if self.values.len() >= self.most {
            return Err(SolveError::FullTable(self.most));
        }
        if self.jobs.is_stopped() {
            return Err(SolveError::Stopped);
        }
        self.values.insert(key, value);
        (self.found)(&state, value)?;
        Ok(value)
    }
}

/// The maximum number of positions for which the hash table takes at most `bytes` bytes.
/// The number of slots is a power of two, and one eighth of them stay empty. While the table
/// doubles, the old one also takes memory.
fn most_positions(bytes: u64) -> usize {
    let slots = bytes * 2 / (SLOT * 3);
    let slots = slots.checked_ilog2().map_or(0, |power| 1 << power);
    slots / 8 * 7
}

/// A unique number for each state: the levels as digits of base 5, then four bits for the
/// square of each worker, then the side. This fits in 56 bits, even with 16 squares.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key([u8; 7]);

impl Key {
    fn of(game: &SmallGame, state: &SmallState) -> Self {
        let levels = state.heights[..game.squares()].iter();
        let levels = levels.fold(0, |key, &level| key * 5 + u64::from(level));
        let workers = state.workers.into_iter().flat_map(squares_of);
        let key = workers.fold(levels, |key, square| key << 4 | square as u64);
        let [bytes @ .., _] = (key << 1 | state.side as u64).to_le_bytes();
        Self(bytes)
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [a, b, c, d, e, f, g] = self.0;
        hasher.write_u64(u64::from_le_bytes([a, b, c, d, e, f, g, 0]));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn a_full_table_keeps_within_its_memory() {
        for bytes in [300, 1900, 4000, 100_000, 1 << 20, 3 << 20] {
            let mut table: HashMap<Key, ExactValue, KeyBuilder> = HashMap::default();
            for number in 0..most_positions(bytes) as u32 {
                let [a, b, c, d] = number.to_le_bytes();
                table.insert(Key([a, b, c, d, 0, 0, 0]), ExactValue(0));
            }
            let slots = (table.capacity() as u64 * 8).div_ceil(7);
            assert!(
                slots * SLOT * 3 / 2 <= bytes,
                "{slots} slots in {bytes} bytes"
            );
        }
    }

    #[test]
    fn a_full_table_is_an_error() {
        let game = SmallGame::new("2x3".parse().unwrap(), 1, None);
        let stop = AtomicBool::new(false);
        let search = |bytes, stop| {
            let jobs = Jobs { threads: 1, stop };
            WholeSearch::new(&game, bytes, jobs, |_, _| Ok(())).run()
        };
        assert!(matches!(
            search(1900, &stop),
            Err(SolveError::FullTable(112))
        ));
        let all = search(1 << 24, &stop).unwrap();
        assert!((1000..168_750).contains(&all), "{all}");
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(search(1 << 24, &stop), Err(SolveError::Stopped)));
    }
}
