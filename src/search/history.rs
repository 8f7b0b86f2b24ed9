//! How well moves and builds have done in the search so far: what turns are
//! ordered by, besides what was learned of them before.

use crate::rules::{Position, SQUARE_SLOTS, Turn};

use super::params::HISTORY_MAX;

/// Values by two squares, the second of which varies fastest.
pub type BySquares = [i16; SQUARE_SLOTS * SQUARE_SLOTS];

/// What has cut off elsewhere, and what was tried there in vain.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds.
/// A turn's history is the sum of both.
pub struct History {
    moves: [Box<BySquares>; 2],
    builds: [Box<BySquares>; 2],
}

impl Default for History {
    fn default() -> Self {
        let table = || Box::new([0; SQUARE_SLOTS * SQUARE_SLOTS]);
        Self {
            moves: [table(), table()],
            builds: [table(), table()],
        }
    }
}

impl History {
    /// What all turns of a player that begin with this step have in common.
    #[inline(always)]
    pub fn step(&self, player: usize, turn: Turn) -> i32 {
        let (from, to, _) = indices(turn);
        i32::from(self.moves[player][from * SQUARE_SLOTS + to])
    }

    /// The values of a player's builds by squares: where the worker stands,
    /// and what it builds.
    pub fn builds(&self, player: usize) -> &BySquares {
        &self.builds[player]
    }

    /// What a player's turn is worth for its build.
    #[inline(always)]
    pub fn build(&self, player: usize, turn: Turn) -> i32 {
        let (_, to, build) = indices(turn);
        i32::from(self.builds[player][to * SQUARE_SLOTS + build])
    }

    /// Gives a bonus to the player's turn that cut off, and takes it from those
    /// that were tried before it.
    pub fn update(&mut self, player: usize, bonus: i32, best: Turn, others: &[Turn]) {
        self.add(player, best, bonus);
        for &turn in others {
            self.add(player, turn, -bonus);
        }
    }

    fn add(&mut self, player: usize, turn: Turn, bonus: i32) {
        let (from, to, build) = indices(turn);
        for value in [
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

/// The player whose history is that of the position's mover.
pub fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

fn indices(turn: Turn) -> (usize, usize, usize) {
    let build = turn.build().map_or(0, |square| square.index());
    (turn.from().index(), turn.to().index(), build)
}
