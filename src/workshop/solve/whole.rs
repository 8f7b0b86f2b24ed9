//! A forward search of the whole game: the value of every position without an immediate win
//! that can be reached from the empty board if both players take every immediate win.
//!
//! A depth-first search that visits each position once, with the rules of the engine on 5x5
//! or 6x6 boards with domes around the small board. It uses neither layers nor symmetries,
//! so it cannot share a bug with the solver.

use std::collections::HashMap;

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

/// The memory of a position in the hash table, in bytes: key, value and a control byte. One
/// eighth of the slots stays empty.
const PLACE: u64 = (16 + 1) * 8 / 7;

/// A search of a whole game.
pub(super) struct WholeSearch<'a, F> {
    game: &'a SmallGame,
    jobs: Jobs<'a>,
    /// The values of positions, by their keys.
    values: HashMap<u64, ExactValue, KeyBuilder>,
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
            most: usize::try_from(bytes / PLACE).unwrap_or(usize::MAX),
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
        let key = key(self.game, &state);
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

/// A unique number for each state: the levels as digits of base 5, then four bits for the
/// square of each worker, then the side.
fn key(game: &SmallGame, state: &SmallState) -> u64 {
    let levels = &state.heights[..game.squares()];
    let levels = levels
        .iter()
        .fold(0_u64, |key, &level| key * 5 + u64::from(level));
    let workers = state
        .workers
        .iter()
        .flat_map(|&placement| squares_of(placement));
    let key = workers.fold(levels, |key, square| key << 4 | square as u64);
    key << 1 | state.side as u64
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

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
            Err(SolveError::FullTable(100))
        ));
        let all = search(1 << 24, &stop).unwrap();
        assert!((1000..168_750).contains(&all), "{all}");
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(search(1 << 24, &stop), Err(SolveError::Stopped)));
    }
}
