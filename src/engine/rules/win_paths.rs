//! The opponent's wins with cards, each as the squares it depends on. A turn that changes
//! none of the squares of a win loses at once.

use super::bitboard::Bitboard;
use super::group::TurnGroup;
use super::position::Position;
use super::turn::{Extra, Turn};

/// The opponent's wins with cards that a turn must prevent. Each is a path: the worker's
/// start, the levels on the way, and the squares that must be free. The turn must change
/// one of its squares.
#[derive(Clone, Copy, Default, Debug)]
pub struct WinPaths {
    paths: [Bitboard; WinPaths::MOST],
    count: usize,
}

impl WinPaths {
    /// At most this many wins are kept. Dropping one only lets more turns through.
    const MOST: usize = 8;

    /// The wins that the opponent would have if the mover passed.
    pub fn of_opponent<const N: usize>(position: &Position<N>) -> Self {
        let opponent = position.with_players_swapped();
        let mut wins = Self::default();
        opponent.for_each_win(|turn| wins.add(opponent.path(turn)));
        wins
    }

    fn add(&mut self, path: Bitboard) {
        if self.count < Self::MOST {
            self.paths[self.count] = path;
            self.count += 1;
        }
    }

    /// Whether there is a win.
    pub fn any(&self) -> bool {
        self.count > 0
    }

    /// Whether the mover's turn changes a square of every win's path.
    pub fn are_met<const N: usize>(&self, position: &Position<N>, turn: Turn) -> bool {
        self.count == 0 || {
            let changed = position.changed_by(turn);
            self.paths().all(|path| (path & changed).any())
        }
    }

    /// The squares of a group whose turns change a square of every win's path.
    #[inline(always)]
    pub fn squares_that_meet<const N: usize>(
        &self,
        position: &Position<N>,
        group: &TurnGroup,
    ) -> Bitboard {
        if self.count == 0 {
            return group.squares;
        }
        let changed = position.changed_by(group.shared);
        self.paths()
            .filter(|&path| (path & changed).is_empty())
            .fold(group.squares, |squares, path| squares & path)
    }

    fn paths(&self) -> impl Iterator<Item = Bitboard> {
        self.paths[..self.count].iter().copied()
    }
}

impl<const N: usize> Position<N> {
    /// The squares that a winning turn depends on.
    fn path(&self, turn: Turn) -> Bitboard {
        let (from, to) = (turn.from(), turn.to());
        let via = match turn.extra() {
            Extra::Via(via) => Bitboard::of(via),
            _ => Bitboard::EMPTY,
        };
        Bitboard::of(from) | Bitboard::of(to) | via | self.displaced_by(turn)
    }

    /// The squares that a turn, complete or not, builds on or moves a worker to.
    #[inline(always)]
    fn changed_by(&self, turn: Turn) -> Bitboard {
        let extra = turn.extra().build();
        let extra = extra.map_or(Bitboard::EMPTY, Bitboard::of);
        Bitboard::of(turn.to()) | turn.build_set() | extra | self.displaced_by(turn)
    }

    /// The square to which a turn displaces an opponent's worker.
    fn displaced_by(&self, turn: Turn) -> Bitboard {
        if !turn.displaces() {
            return Bitboard::EMPTY;
        }
        let target = self.displaced_to(turn.from(), turn.to());
        target.map_or(Bitboard::EMPTY, Bitboard::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Card, Geometry, random_opening};
    use rand::RngExt;

    /// In random games with all pairs of cards.
    #[test]
    fn turns_that_do_not_meet_all_wins_lose_at_once() {
        let mut rng = crate::seeds::seeded(4);
        let (mut left_out, mut losing) = (0, 0);
        for cards in Card::pairs() {
            for game in 0..12 {
                let mut position = random_opening::<5>(game as u32, game, 0, cards.map(Some));
                while position.has_turn() && !position.has_win() {
                    let wins = WinPaths::of_opponent(&position);
                    assert_eq!(wins.any(), position.with_players_swapped().has_win());
                    let mut quiet = Vec::new();
                    position.for_each_quiet(Geometry::<5>::BOARD, |turn| quiet.push(turn));
                    for &turn in &quiet {
                        let loses = position.play(turn).has_win();
                        let met = wins.are_met(&position, turn);
                        assert!(met || loses, "{} in {position}", turn.text::<5>());
                        left_out += u32::from(!met);
                        losing += u32::from(loses && wins.any());
                    }
                    position = position.play(quiet[rng.random_range(0..quiet.len())]);
                }
            }
        }
        assert!(
            left_out > 10_000,
            "the games must contain threats: {left_out}"
        );
        assert!(
            left_out * 10 > losing * 9,
            "{left_out} of {losing} are left out"
        );
    }
}
