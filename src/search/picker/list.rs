//! The turns of a game with cards in one list: there may be hundreds, of many kinds.

use crate::rules::{Geometry, Position, Turn, WinPaths};

use super::super::features::MoveFeatures;
use super::super::history::player;
use super::{MoveOrdering, SCORE_BITS, TT_SCORE, TtAndKillers, tt_or_killer_score};

/// The turns left.
///
/// A turn is a key: its score, the turn, then its index in the list. So the best
/// turn is the largest key, which also says where it is.
#[derive(Default)]
pub struct TurnList {
    keys: Vec<i64>,
}

// A key: score | turn (29 bits) | index
const INDEX_BITS: u32 = i64::BITS - SCORE_BITS - TURN_BITS;
const TURN_BITS: u32 = 29;
const SCORE: u32 = INDEX_BITS + TURN_BITS;
/// The bits of the index.
const INDEX: i64 = (1 << INDEX_BITS) - 1;

impl TurnList {
    /// Fills in all turns that do not win at once and change something about each of
    /// the opponent's `wins`.
    pub fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        wins: &WinPaths,
        tt_and_killers: TtAndKillers,
        ordering: &MoveOrdering,
    ) {
        self.keys.clear();
        let features = MoveFeatures::of(position);
        let player = player(position);
        let (mut squares, mut step_score) = (None, 0);
        position.for_each_quiet(Geometry::<N>::BOARD, |turn| {
            if !wins.are_met(position, turn) {
                return;
            }
            // Turns of the same step follow each other.
            if squares != Some((turn.from(), turn.to())) {
                squares = Some((turn.from(), turn.to()));
                step_score = ordering.step(player, &features, turn);
            }
            let index = tt_and_killers.iter().position(|&it| it == Some(turn));
            let score = || step_score + ordering.builds(player, &features, turn);
            let score = index.map_or_else(score, tt_or_killer_score);
            self.keys.push(pack(score, turn, self.keys.len()));
        });
    }

    /// Picks the best turn left, with its score.
    pub fn pick(&mut self) -> Option<(Turn, i32)> {
        let best = largest(&self.keys)?;
        let index = best & INDEX;
        // The last key takes its place.
        let last = self.keys.pop()?;
        if last != best {
            self.keys[index as usize] = last & !INDEX | index;
        }
        let turn = Turn::from_raw((best >> INDEX_BITS) as u32 & ((1 << TURN_BITS) - 1))?;
        Some((turn, (best >> SCORE) as i32))
    }
}

for_widest_vectors! {
    fn largest(keys: &[i64]) -> Option<i64> {
        keys.iter().copied().max()
    }
}

fn pack(score: i32, turn: Turn, index: usize) -> i64 {
    debug_assert!((-TT_SCORE..=TT_SCORE).contains(&score) && index as i64 <= INDEX);
    i64::from(score) << SCORE | i64::from(turn.bits()) << INDEX_BITS | index as i64
}
