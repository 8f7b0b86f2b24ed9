//! Wins and threats of the base game by bit operations.
//!
//! Without cards a player wins only by stepping from level 2 up to a free
//! space of level 3, and only a dome on that space prevents it. So the turns
//! that do not lose at once are exactly those whose build lies in one set.

use super::bitboard::{Bitboard, Geometry};
use super::position::{Position, Side};

/// What the player to move must build to be still in the game after the
/// opponent's next turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SafeBuilds {
    /// The squares that may be built on.
    pub squares: Bitboard,
    /// How many squares the opponent threatens to win on.
    pub threats: u32,
}

impl<const N: usize> Position<N> {
    /// The squares next to a player's workers on level 2.
    fn beside_level_2(&self, side: Side) -> Bitboard {
        let ready = self.workers(side) & self.above[1];
        ready.fold(Bitboard::EMPTY, |near, worker| {
            near | Geometry::<N>::NEIGHBOURS[worker.index()]
        })
    }

    /// The squares on which a player could win if it were its turn.
    ///
    /// For the base game only.
    pub fn winning_squares(&self, side: Side) -> Bitboard {
        self.beside_level_2(side) & self.above[2].without(self.above[3] | self.occupied())
    }

    /// The builds after which the opponent cannot win at once.
    ///
    /// One threat must be capped, two cannot be. Without a threat only raising
    /// a space to level 3 next to an opponent's worker on level 2 is a mistake.
    /// For the base game only, when the mover has no immediate win.
    pub fn safe_builds(&self) -> SafeBuilds {
        let near = self.beside_level_2(Side::Other);
        let threatened = near & self.above[2].without(self.above[3] | self.occupied());
        let squares = match threatened.count() {
            0 => Geometry::<N>::BOARD.without(near & self.above[1].without(self.above[2])),
            1 => threatened,
            _ => Bitboard::EMPTY,
        };
        SafeBuilds {
            squares,
            threats: threatened.count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Plays random games; in each position the safe turns must be exactly
    /// those after which the opponent has no immediate win.
    #[test]
    fn safe_builds_are_the_turns_that_do_not_lose_at_once() {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let mut threatened = 0;
        for _ in 0..500 {
            let mut position: Position<5> =
                "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
            while position.has_turn() && !position.has_win() {
                let safe = position.safe_builds();
                let mut quiet = Vec::new();
                position.for_each_quiet(Geometry::<5>::BOARD, |turn| quiet.push(turn));
                for &turn in &quiet {
                    let build = turn.build().unwrap();
                    let loses = position.play(turn).has_win();
                    assert_eq!(!loses, safe.squares.has(build), "{turn:?} in {position}");
                }
                threatened += u32::from(safe.threats > 0);
                position = position.play(quiet[rng.random_range(0..quiet.len())]);
            }
        }
        assert!(threatened > 50, "the games must contain threats");
    }
}
