//! Threats at a node: those of the opponent, which decide what may be played, and wins of
//! the mover by threats alone, which are seen without search.

use super::Searcher;
use crate::eval::Evaluator;
use crate::rules::{Bitboard, Geometry, Position, Side, WinPaths};
use crate::search::score::win_in;

/// The opponent's threats to win at once.
pub struct Threats {
    /// The squares that may be built on.
    pub safe_builds: Bitboard,
    /// With cards the wins that a turn must prevent.
    pub wins: WinPaths,
    /// Whether there is a threat.
    pub threatened: bool,
    /// Whether no turn can stop them all.
    pub lost: bool,
}

impl Threats {
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        if position.card(Side::Mover).is_none() {
            let safe = position.safe_builds();
            Self {
                safe_builds: safe.squares,
                wins: WinPaths::default(),
                threatened: safe.threats > 0,
                lost: safe.threats > 1,
            }
        } else {
            let wins = WinPaths::of_opponent(position);
            Self {
                safe_builds: Geometry::<N>::BOARD,
                threatened: wins.any(),
                wins,
                lost: false,
            }
        }
    }
}

/// Whether the opponent would make an unstoppable threat if the mover passed. Asked in the
/// base game of positions without a threat; with cards nothing is known.
pub(super) fn is_menaced<const N: usize>(position: &Position<N>) -> bool {
    position.card(Side::Mover).is_none() && {
        let passed = position.with_players_swapped();
        passed.has_unstoppable_threat(passed.safe_builds().squares)
    }
}

/// Whether the turn that led to a position threatens to win, in the base game.
pub(super) fn makes_threat<const N: usize>(next: &Position<N>) -> bool {
    next.card(Side::Mover).is_none() && next.safe_builds().threats > 0
}

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// The score of an inner node whose mover wins by threats alone; not looked for at the
    /// root, which needs a turn, and with cards.
    pub(super) fn win_by_threats(
        &self,
        position: &Position<N>,
        threats: &Threats,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let ahead = self.params.threats_ahead.min(depth) as u32;
        let is_won = ply > 0
            && ahead > 0
            && position.card(Side::Mover).is_none()
            && position.wins_by_threats(threats.safe_builds, ahead);
        is_won.then(|| win_in(ply + 3 + 2 * ahead as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_searcher;
    use super::*;
    use crate::search::Params;

    #[test]
    fn a_turn_that_threatens_to_win_is_known_by_the_position_after_it() {
        let after = |text: &str| makes_threat(&text.parse::<Position<5>>().unwrap());
        let threat = "00000/01200/00320/00000/00000 a1a5 c2d4 6";
        assert!(after(threat));
        assert!(!after(&format!("{threat} Pan Atlas")));
        assert!(!after("00000/01200/00320/00000/00000 a1a5 b2d4 6"));
    }

    #[test]
    fn inner_nodes_see_wins_by_threats() {
        let seen = |text: &str, depth, ply| {
            let position: Position<5> = text.parse().unwrap();
            let threats = Threats::of(&position);
            with_searcher(Params::DEFAULT, |searcher| {
                searcher.win_by_threats(&position, &threats, depth, ply)
            })
        };
        let won = "00000/00111/00014/00112/00122 e4e5 d2c4 17";
        assert_eq!(seen(won, 1, 4), Some(win_in(9)));
        assert_eq!(seen(won, 9, 1), Some(win_in(6)));
        assert_eq!(seen(won, 0, 4), None, "a leaf");
        assert_eq!(seen(won, 9, 0), None, "the root needs a turn");
        assert_eq!(seen(&format!("{won} Pan Atlas"), 9, 1), None, "with cards");
        let open = "00000/00000/00000/00000/00000 b3d3 c2c4 0";
        assert_eq!(seen(open, 9, 1), None);
    }
}
