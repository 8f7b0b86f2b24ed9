//! How well moves and builds have done in the search so far: what turns are
//! ordered by.

use std::ops::Range;

use crate::rules::{Position, SQUARE_SLOTS, Square, Turn};

use super::cases::{CASES, Cases, Step};
use super::params::{HISTORY_MAX, Params};

/// Values by two squares, the second of which varies fastest.
pub type BySquares = [i16; SQUARE_SLOTS * SQUARE_SLOTS];

/// What has cut off elsewhere, and what was tried there in vain.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds.
/// `step_cases` and `build_cases` are by what a turn is like wherever it is,
/// see [`super::cases`]. A turn's history is the weighted sum of all four.
pub struct History {
    moves: [Box<BySquares>; 2],
    builds: [Box<BySquares>; 2],
    step_cases: Box<[i16; CASES]>,
    build_cases: Box<[i16; CASES]>,
}

impl Default for History {
    fn default() -> Self {
        let table = || Box::new([0; SQUARE_SLOTS * SQUARE_SLOTS]);
        Self {
            moves: [table(), table()],
            builds: [table(), table()],
            step_cases: Box::new([0; CASES]),
            build_cases: Box::new([0; CASES]),
        }
    }
}

impl History {
    /// What all turns of a player that begin with this step have in common.
    #[inline(always)]
    pub fn step(&self, player: usize, turn: Turn, step: &Step, params: &Params) -> i32 {
        let (from, to, _) = indices(turn);
        let case = weighed(self.step_cases[step.case], params.step_case_weight);
        i32::from(self.moves[player][from * SQUARE_SLOTS + to]) + case
    }

    /// The values of a player's builds by squares: where the worker stands,
    /// and what it builds.
    pub fn builds(&self, player: usize) -> &BySquares {
        &self.builds[player]
    }

    /// Writes what the builds on some squares after a step are worth by what
    /// they are like, not yet weighed.
    #[inline(always)]
    pub fn build_cases(
        &self,
        cases: &Cases,
        step: &Step,
        squares: Range<usize>,
        values: &mut [i16],
    ) {
        for (value, square) in values.iter_mut().zip(squares) {
            *value = self.build_cases[cases.build(step, Square::new(square))];
        }
    }

    /// What a player's turn is worth for its build.
    #[inline(always)]
    pub fn build(&self, player: usize, turn: Turn, case: usize, params: &Params) -> i32 {
        let (_, to, build) = indices(turn);
        let case = weighed(self.build_cases[case], params.build_case_weight);
        i32::from(self.builds[player][to * SQUARE_SLOTS + build]) + case
    }

    /// Gives a bonus to the turn that cut off, and takes it from those that
    /// were tried before it.
    pub fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        bonus: i32,
        best: Turn,
        others: &[Turn],
    ) {
        let cases = Cases::of(position);
        let mut add = |turn, bonus| {
            let step = cases.step(position, turn);
            let build = turn.build().map_or(0, |build| cases.build(&step, build));
            self.add(player(position), turn, [step.case, build], bonus);
        };
        add(best, bonus);
        others.iter().for_each(|&turn| add(turn, -bonus));
    }

    fn add(&mut self, player: usize, turn: Turn, cases: [usize; 2], bonus: i32) {
        let (from, to, build) = indices(turn);
        for value in [
            &mut self.step_cases[cases[0]],
            &mut self.build_cases[cases[1]],
            &mut self.moves[player][from * SQUARE_SLOTS + to],
            &mut self.builds[player][to * SQUARE_SLOTS + build],
        ] {
            // A value drifts towards the bonus the less the nearer it is to
            // the bound, so that it never passes it ("history gravity").
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
        }
    }
}

/// The value of a case with its weight, in sixteenths.
#[inline(always)]
pub fn weighed(value: i16, weight: i32) -> i32 {
    (i32::from(value) * weight) >> 4
}

/// The player whose history is that of the position's mover.
pub fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

fn indices(turn: Turn) -> (usize, usize, usize) {
    let build = turn.build().map_or(0, |square| square.index());
    (turn.from().index(), turn.to().index(), build)
}
