//! Counts the boards after both placements and the first turn.

use super::agent::{Board, placements, start};
use crate::rules::{Side, Square, Symmetry};

/// The study's estimate (section IV.A.3): 300 and 253 placements, 16 steps,
/// 8 builds.
pub const STUDY_ESTIMATE: u64 = 300 * 253 * 16 * 8;

/// The exact numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateCount {
    /// Boards after both placements.
    pub placements: u64,
    /// Turns on all of these boards together.
    pub ways: u64,
    /// Maximum turns on one of these boards.
    pub most_turns: u64,
    /// Different boards after these turns.
    pub boards: u64,
    /// Different boards up to symmetry.
    pub classes: u64,
}

/// Counts by playing every placement and turn.
pub fn count() -> StateCount {
    let mut starts = 0;
    let mut most_turns = 0;
    let mut boards = Vec::new();
    for first in placements(None) {
        for second in placements(Some(first)) {
            let start = start(first, second);
            let before = boards.len();
            let turns = start.turns();
            boards.extend(turns.iter().map(|&turn| code(&start.play(turn))));
            starts += 1;
            most_turns = most_turns.max(boards.len() - before);
        }
    }
    let ways = boards.len() as u64;
    boards.sort_unstable();
    boards.dedup();
    StateCount {
        placements: starts,
        ways,
        most_turns: most_turns as u64,
        boards: boards.len() as u64,
        classes: boards.iter().filter(|&&board| is_least(board)).count() as u64,
    }
}

/// A board with one built level as a number: the square of the level, then the
/// workers of the player to move and of the other, 25 bits each.
fn code(board: &Board) -> u64 {
    let [mover, other] = [Side::Mover, Side::Other].map(|side| board.workers(side).0);
    let tower = u64::from(board.above(0).0.trailing_zeros());
    tower << 50 | mover << 25 | other
}

/// Whether a board has the lowest code among its symmetric boards.
fn is_least(board: u64) -> bool {
    Symmetry::all().all(|symmetry| moved(board, symmetry) >= board)
}

/// The code of the transformed board.
fn moved(board: u64, symmetry: Symmetry) -> u64 {
    let square = |index: u64| symmetry.square::<5>(Square::new(index as usize)).index() as u64;
    let mut moved = square(board >> 50) << 50;
    let mut workers = board & ((1 << 50) - 1);
    while workers != 0 {
        let bit = u64::from(workers.trailing_zeros());
        moved |= 1 << (bit / 25 * 25 + square(bit % 25));
        workers &= workers - 1;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Bitboard, Geometry};

    /// Counted another way: the level stands on a free space beside a worker of
    /// the first player, possibly the space it just left.
    #[test]
    fn boards_match_a_count_of_levels_beside_workers() {
        let count = count();
        let mut towers = 0;
        for first in placements(None) {
            let near = Geometry::<5>::around(first.into_iter().collect());
            for second in placements(Some(first)) {
                let occupied: Bitboard = first.into_iter().chain(second).collect();
                towers += u64::from(near.without(occupied).count());
            }
        }
        assert_eq!(count.boards, towers);
        assert_eq!(count.placements, 75_900);
        assert!(count.ways > count.boards && count.most_turns <= 128);
        // Few boards are their own mirror image.
        let eighth = count.boards / 8;
        assert!(count.classes > eighth && count.classes < eighth + eighth / 50);
        assert_eq!(STUDY_ESTIMATE, 9_715_200);
    }

    #[test]
    fn symmetries_transform_codes_like_boards() {
        let board: Board = "00000/00000/00100/00000/00000 a1b3 d4e2 1".parse().unwrap();
        for symmetry in Symmetry::all() {
            assert_eq!(
                moved(code(&board), symmetry),
                code(&board.transformed(symmetry))
            );
        }
    }
}
