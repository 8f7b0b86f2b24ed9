//! History heuristic: how often moves and builds have caused cutoffs. Turns are
//! ordered by it.

use crate::rules::{Extra, Position, SQUARE_SLOTS, Square, Turn};

use super::params::HISTORY_MAX;

/// Values by two squares; the second varies fastest.
pub type BySquares = [i16; SQUARE_SLOTS * SQUARE_SLOTS];

/// The history tables of one thread.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds;
/// `extras` by player, where the worker stands and the square of what only the
/// player's card allows. A turn's history is the sum of all.
pub struct History {
    moves: [Box<BySquares>; 2],
    builds: [Box<BySquares>; 2],
    extras: [Box<BySquares>; 2],
}

impl Default for History {
    fn default() -> Self {
        let table = || Box::new([0; SQUARE_SLOTS * SQUARE_SLOTS]);
        Self {
            moves: [table(), table()],
            builds: [table(), table()],
            extras: [table(), table()],
        }
    }
}

impl History {
    /// The value of a player's step, the same for all turns that begin with it.
    #[inline(always)]
    pub fn step(&self, player: usize, turn: Turn) -> i32 {
        let (from, to, _) = indices(turn);
        i32::from(self.moves[player][from * SQUARE_SLOTS + to])
    }

    /// The values of a player's builds by the squares of the worker and the build.
    pub fn builds(&self, player: usize) -> &BySquares {
        &self.builds[player]
    }

    /// The value of a player's build.
    #[inline(always)]
    pub fn build(&self, player: usize, turn: Turn) -> i32 {
        let (_, to, build) = indices(turn);
        i32::from(self.builds[player][to * SQUARE_SLOTS + build])
    }

    /// The value of what only a card allows in a player's turn.
    pub fn extra(&self, player: usize, turn: Turn) -> i32 {
        match extra_of(turn) {
            Some(CardPart::Build(index)) => i32::from(self.builds[player][index]),
            Some(CardPart::Other(index)) => i32::from(self.extras[player][index]),
            None => 0,
        }
    }

    /// Gives a bonus to the turn that caused a cutoff, and a malus to those searched
    /// before it.
    pub fn update(&mut self, player: usize, bonus: i32, best: Turn, others: &[Turn]) {
        self.add(player, best, bonus);
        for &turn in others {
            self.add(player, turn, -bonus);
        }
    }

    fn add(&mut self, player: usize, turn: Turn, bonus: i32) {
        let (from, to, build) = indices(turn);
        let (moves, builds) = (&mut self.moves[player], &mut self.builds[player]);
        add(&mut moves[from * SQUARE_SLOTS + to], bonus);
        add(&mut builds[to * SQUARE_SLOTS + build], bonus);
        match extra_of(turn) {
            Some(CardPart::Build(index)) => add(&mut builds[index], bonus),
            Some(CardPart::Other(index)) => add(&mut self.extras[player][index], bonus),
            None => {}
        }
    }
}

/// History gravity: the nearer a value is to the bound, the less it moves, so that it
/// never passes the bound.
fn add(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// What only a card allows in a turn, with its index.
enum CardPart {
    /// A build on a second square, which counts as any build.
    Build(usize),
    /// A dome, two levels on a square, a build before the move.
    Other(usize),
}

fn extra_of(turn: Turn) -> Option<CardPart> {
    let index = |square: Square| turn.to().index() * SQUARE_SLOTS + square.index();
    match turn.extra() {
        Extra::SecondBuild(square) if turn.build() != Some(square) => {
            Some(CardPart::Build(index(square)))
        }
        Extra::SecondBuild(square) | Extra::FirstBuild(square) => {
            Some(CardPart::Other(index(square)))
        }
        Extra::None if turn.is_dome() => turn.build().map(|square| CardPart::Other(index(square))),
        Extra::Via(_) | Extra::None => None,
    }
}

/// The index of the mover in the history tables.
pub fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

fn indices(turn: Turn) -> (usize, usize, usize) {
    let build = turn.build().map_or(0, |square| square.index());
    (turn.from().index(), turn.to().index(), build)
}
