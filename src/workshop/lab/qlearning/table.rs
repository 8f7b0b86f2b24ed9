//! The Q-table: a value for each tried action of each state.

use std::collections::{HashMap, TryReserveError};

use rand::RngExt;

use crate::lab::agent::{Board, Rng};
use crate::rules::{Bitboard, Placement, Turn};
use crate::seeds::derive_seed;
use crate::solve::KeyBuilder;

/// Action values by state; 0 for untried actions.
///
/// A state is a 64-bit hash. Among ten million states, the probability of any
/// collision is about 3 in a million.
#[derive(Clone, Debug, Default)]
pub struct QTable {
    /// The index of the latest entry of each state.
    states: HashMap<u64, u32, KeyBuilder>,
    entries: Vec<Entry>,
}

/// One action of a state. The entries of a state form a linked list; nearly all
/// states have one entry.
#[derive(Clone, Copy, Debug)]
struct Entry {
    action: u32,
    value: f32,
    /// The next entry of the same state, or [`END`].
    next: u32,
}

const END: u32 = u32::MAX;

/// Maximum number of entries; their indices fit in 32 bits.
pub(super) const MOST_ENTRIES: usize = 1 << 30;

/// The state of the player who places next.
pub fn setup_state(first: Option<Placement>) -> u64 {
    let taken: Bitboard = first.into_iter().flatten().collect();
    derive_seed(0x7365_7475_7000, &[taken.0])
}

/// The state of the player to move.
pub fn board_state(board: &Board) -> u64 {
    board.key()
}

/// The action number of a placement; a turn has [`Turn::bits`].
pub fn placement_action([a, b]: Placement) -> u32 {
    Turn::winning(a, b).bits()
}

impl QTable {
    /// The number of states with a tried action.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The number of tried state-action pairs.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Whether any action was tried in the state.
    pub fn knows(&self, state: u64) -> bool {
        self.states.contains_key(&state)
    }

    /// The tried actions of a state, with their values.
    pub fn tried(&self, state: u64) -> impl Iterator<Item = (u32, f32)> + '_ {
        let mut next = self.states.get(&state).copied().unwrap_or(END);
        std::iter::from_fn(move || {
            let entry = self.entries.get(next as usize)?;
            next = entry.next;
            Some((entry.action, entry.value))
        })
    }

    /// All entries as state, action and value.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32, f32)> + '_ {
        let states = self.states.keys();
        states.flat_map(|&state| {
            self.tried(state)
                .map(move |(action, value)| (state, action, value))
        })
    }

    /// The value of an action, inserted as 0 if untried.
    pub fn value_mut(&mut self, state: u64, action: u32) -> &mut f32 {
        let mut index = self.states.get(&state).copied().unwrap_or(END);
        while index != END && self.entries[index as usize].action != action {
            index = self.entries[index as usize].next;
        }
        if index == END {
            index = self.push(state, action, 0.0);
        }
        &mut self.entries[index as usize].value
    }

    /// Reserves memory for `more` new entries.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn try_reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        self.states.try_reserve(more)?;
        self.entries.try_reserve(more)
    }

    /// Inserts an untried action of a state. Returns its index.
    pub(super) fn push(&mut self, state: u64, action: u32, value: f32) -> u32 {
        let index = self.entries.len() as u32;
        let head = self.states.entry(state).or_insert(END);
        self.entries.push(Entry {
            action,
            value,
            next: *head,
        });
        *head = index;
        index
    }

    /// The greatest value in a state that has `actions` legal actions.
    pub fn best_value(&self, state: u64, actions: impl FnOnce() -> usize) -> f32 {
        let (mut tried, mut best) = (0, f32::NEG_INFINITY);
        for (_, value) in self.tried(state) {
            tried += 1;
            best = best.max(value);
        }
        // An untried action, worth 0, matters only if all tried ones are worse.
        if best >= 0.0 || tried > 0 && tried >= actions() {
            best
        } else {
            0.0
        }
    }

    /// The action with the greatest value, ties broken at random; `None` in a
    /// state without a tried action.
    pub fn greedy<A: Copy>(
        &self,
        state: u64,
        rng: &mut Rng,
        actions: impl FnOnce() -> Vec<A>,
        number: impl Fn(A) -> u32,
    ) -> Option<A> {
        if !self.knows(state) {
            return None;
        }
        let tried: HashMap<u32, f32> = self.tried(state).collect();
        let value = |action: A| tried.get(&number(action)).copied().unwrap_or(0.0);
        let actions = actions();
        let best = actions
            .iter()
            .map(|&action| value(action))
            .fold(f32::NEG_INFINITY, f32::max);
        let ties: Vec<A> = actions
            .into_iter()
            .filter(|&action| value(action) == best)
            .collect();
        ties.get(rng.random_range(0..ties.len().max(1))).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::seeded;

    #[test]
    fn values_are_stored_by_state_and_action() {
        let mut table = QTable::default();
        *table.value_mut(1, 10) = 0.5;
        *table.value_mut(1, 11) = -0.5;
        *table.value_mut(2, 10) = 0.25;
        *table.value_mut(1, 10) += 0.25;
        let mut all: Vec<_> = table.iter().collect();
        all.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(all, [(1, 10, 0.75), (1, 11, -0.5), (2, 10, 0.25)]);
        assert_eq!((table.states(), table.entries()), (2, 3));
        assert!(table.knows(1) && !table.knows(3));
    }

    #[test]
    fn untried_actions_are_worth_zero() {
        let mut table = QTable::default();
        assert_eq!(table.best_value(1, || 2), 0.0);
        *table.value_mut(1, 10) = -0.5;
        assert_eq!(table.best_value(1, || 2), 0.0);
        *table.value_mut(1, 11) = -0.25;
        assert_eq!(table.best_value(1, || 2), -0.25);
        assert_eq!(table.best_value(1, || 3), 0.0);
        *table.value_mut(1, 11) = 0.5;
        assert_eq!(table.best_value(1, || 3), 0.5);
    }

    #[test]
    fn the_greedy_action_is_the_best_or_untried() {
        let mut rng = seeded(1);
        let mut table = QTable::default();
        let mut choose = |table: &QTable| table.greedy(1, &mut rng, || vec![10, 11, 12], |a| a);
        assert_eq!(choose(&table), None);
        *table.value_mut(1, 10) = -0.5;
        let chosen: std::collections::HashSet<_> = (0..100).map(|_| choose(&table)).collect();
        assert_eq!(chosen, [Some(11), Some(12)].into());
        *table.value_mut(1, 11) = 0.5;
        assert_eq!(choose(&table), Some(11));
    }
}
