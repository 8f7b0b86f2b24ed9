//! Turn ordering: the turn from the table first, then killers, then by the
//! history of what has cut off elsewhere.

use crate::rules::{Bitboard, Position, SQUARE_SLOTS, Turn};

use super::params::{CLIMB_VALUE, HISTORY_BONUS, HISTORY_BONUS_MAX, HISTORY_MAX, KILLER_VALUE};

/// How well moves and builds have done in the search so far.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds.
/// A turn's history is the sum of both.
pub struct History {
    moves: [Box<[i16; SQUARE_SLOTS * SQUARE_SLOTS]>; 2],
    builds: [Box<[i16; SQUARE_SLOTS * SQUARE_SLOTS]>; 2],
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
    /// The history of a turn that builds.
    fn value<const N: usize>(&self, position: &Position<N>, turn: Turn) -> i32 {
        let player = player(position);
        let (from, to, build) = indices(turn);
        i32::from(self.moves[player][from * SQUARE_SLOTS + to])
            + i32::from(self.builds[player][to * SQUARE_SLOTS + build])
    }

    /// Rewards the turn that cut off at the given depth and blames those
    /// that were tried before it.
    pub fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        depth: i32,
        best: Turn,
        others: &[Turn],
    ) {
        let bonus = (HISTORY_BONUS * depth).min(HISTORY_BONUS_MAX);
        self.add(player(position), best, bonus);
        for &turn in others {
            self.add(player(position), turn, -bonus);
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

fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

fn indices(turn: Turn) -> (usize, usize, usize) {
    let build = turn.build().map_or(0, |square| square.index());
    (turn.from().index(), turn.to().index(), build)
}

/// The turns of a position, handed out best first.
///
/// A turn and its ordering value are packed into one word, value above turn,
/// so that the best is simply the largest.
#[derive(Default)]
pub struct Picker {
    turns: Vec<u64>,
}

impl Picker {
    /// Takes all turns that do not win at once and build on `builds`, except
    /// `first` and `skipped`.
    pub fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        first: Option<Turn>,
        killers: [Option<Turn>; 2],
        history: &History,
    ) {
        self.turns.clear();
        position.for_each_quiet(builds, |turn| {
            let climb =
                i32::from(position.level(turn.to())) - i32::from(position.level(turn.from()));
            let mut value = history.value(position, turn) + CLIMB_VALUE * climb;
            if Some(turn) == first {
                value = i32::MAX;
            } else if killers.contains(&Some(turn)) {
                value += KILLER_VALUE;
            }
            self.turns.push(pack(value, turn));
        });
    }

    /// Takes out the best turn left.
    pub fn pick(&mut self) -> Option<Turn> {
        let (best, &word) = self
            .turns
            .iter()
            .enumerate()
            .max_by_key(|&(_, &word)| word)?;
        self.turns.swap_remove(best);
        Turn::from_raw(word as u32)
    }
}

/// The value is shifted to be unsigned and still in order.
fn pack(value: i32, turn: Turn) -> u64 {
    u64::from(value.cast_unsigned() ^ 1 << 31) << 32 | u64::from(turn.bits())
}
