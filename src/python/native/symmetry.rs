//! The eight symmetries of the board: of positions, and of the numbers of actions.

use std::collections::HashMap;

use pyo3::prelude::*;
use santorini::rules::{Position, Symmetry, Turn};

use crate::action::encode;
use crate::argument::{Argument, whole};
use crate::board::Board;

/// The argument `symmetry`.
pub fn read_symmetry(given: &Argument<'_>) -> PyResult<Symmetry> {
    let number = whole("symmetry", given, 0..=7usize)?;
    let symmetry = Symmetry::all().nth(number);
    Ok(symmetry.expect("there are eight symmetries"))
}

impl<const N: usize> Board<N> {
    /// The board rotated or mirrored, and the last turn with it.
    pub fn symmetric(&self, symmetry: Symmetry) -> Self {
        let position = self.position.transformed(symmetry);
        let last = self.last.and_then(|(before, turn)| {
            let mirrored = before.transformed(symmetry);
            let next = outcomes(&mirrored);
            let turn = next.get(&(position, turn.wins())).copied()?;
            Some((mirrored, turn))
        });
        Self { position, last }
    }

    /// The number of each legal action on the board rotated or mirrored; -1 for the others.
    ///
    /// The workers may change their numbers, and with cards the order of two builds may
    /// change. So turns are compared by the boards that they lead to.
    pub fn symmetric_actions(&self, symmetry: Symmetry) -> Vec<i64> {
        let mut numbers = vec![-1; self.action_count()];
        if self.is_won() {
            return numbers;
        }
        let mirrored = self.position.transformed(symmetry);
        let turns = outcomes(&mirrored);
        for turn in self.turns() {
            let after = self.position.play(turn).transformed(symmetry);
            if let Some(&other) = turns.get(&(after, turn.wins())) {
                numbers[encode(&self.position, turn)] = encode(&mirrored, other) as i64;
            }
        }
        numbers
    }

    /// The first of the eight symmetric boards by text, and the number of its symmetry.
    pub fn canonical(&self) -> (Self, usize) {
        let text = |symmetry: &Symmetry| self.position.transformed(*symmetry).to_string();
        let least = (Symmetry::all().enumerate()).min_by_key(|(_, symmetry)| text(symmetry));
        let (number, symmetry) = least.expect("there are eight symmetries");
        (self.symmetric(symmetry), number)
    }
}

/// The legal turns by the boards that they lead to, and by whether they win.
fn outcomes<const N: usize>(position: &Position<N>) -> HashMap<(Position<N>, bool), Turn> {
    let mut turns = HashMap::new();
    position.for_each_turn(|turn| {
        turns.insert((position.play(turn), turn.wins()), turn);
    });
    turns
}
