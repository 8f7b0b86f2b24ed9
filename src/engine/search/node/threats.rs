//! Threats at a node: the opponent's, which limit what may be played, and the mover's wins
//! by threats alone, which need no search.

use super::{Node, NodeType, Searcher};
use crate::eval::Evaluator;
use crate::rules::{Bitboard, Geometry, Position, WinPaths};
use crate::search::score::win_in;

/// The opponent's threats to win at once.
pub(super) struct Threats {
    /// The squares that may be built on, in the base game.
    pub safe_builds: Bitboard,
    /// The wins that a turn must prevent, with cards.
    pub wins: WinPaths,
    /// Whether there is a threat.
    pub threatened: bool,
    /// Whether no turn can stop them all. False with cards.
    pub lost: bool,
}

impl Threats {
    pub(super) fn of<const N: usize>(position: &Position<N>) -> Self {
        if position.has_cards() {
            let wins = WinPaths::of_opponent(position);
            Self {
                safe_builds: Geometry::<N>::BOARD,
                threatened: wins.any(),
                wins,
                lost: false,
            }
        } else {
            let safe = position.safe_builds();
            Self {
                safe_builds: safe.squares,
                wins: WinPaths::default(),
                threatened: safe.threats > 0,
                lost: safe.threats > 1,
            }
        }
    }
}

/// Whether the opponent could make an unstoppable threat if the mover passed, in a position
/// without a threat. False with cards.
pub(super) fn is_menaced<const N: usize>(position: &Position<N>) -> bool {
    !position.has_cards() && {
        let passed = position.with_players_swapped();
        passed.has_unstoppable_threat(passed.safe_builds().squares)
    }
}

/// Whether the turn that led to a position threatens to win. False with cards.
pub(super) fn makes_threat<const N: usize>(next: &Position<N>) -> bool {
    !next.has_cards() && next.safe_builds().threats > 0
}

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// The score of an inner node of the base game whose mover wins by threats alone. (The
    /// root needs a turn.)
    pub(super) fn win_by_threats<T: NodeType>(&self, node: &Node<N>) -> Option<i32> {
        let ahead = self.params.threats_ahead.min(node.depth) as u32;
        let is_won = !T::ROOT
            && ahead > 0
            && !node.position.has_cards()
            && (node.position).wins_by_threats(node.threats.safe_builds, ahead);
        is_won.then(|| win_in(node.ply + 3 + 2 * ahead as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_searcher;
    use super::super::{NonPv, Root};
    use super::*;
    use crate::search::Params;

    #[test]
    fn the_next_position_shows_whether_a_turn_threatens() {
        let after = |text: &str| makes_threat(&text.parse::<Position<5>>().unwrap());
        let threat = "00000/01200/00320/00000/00000 a1a5 c2d4 6";
        assert!(after(threat));
        assert!(!after(&format!("{threat} Pan Atlas")));
        assert!(!after("00000/01200/00320/00000/00000 a1a5 b2d4 6"));
    }

    #[test]
    fn inner_nodes_see_wins_by_threats() {
        fn seen<T: NodeType>(text: &str, depth: i32, ply: usize) -> Option<i32> {
            let position: Position<5> = text.parse().unwrap();
            let threats = Threats::of(&position);
            let node = Node::new(&position, &threats, depth, ply);
            with_searcher(Params::DEFAULT, |searcher| {
                searcher.win_by_threats::<T>(&node)
            })
        }
        let won = "00000/00111/00014/00112/00122 e4e5 d2c4 17";
        assert_eq!(seen::<NonPv>(won, 1, 4), Some(win_in(9)));
        assert_eq!(seen::<NonPv>(won, 9, 1), Some(win_in(6)));
        assert_eq!(seen::<NonPv>(won, 0, 4), None, "a leaf");
        assert_eq!(seen::<Root>(won, 9, 0), None, "the root needs a turn");
        assert_eq!(
            seen::<NonPv>(&format!("{won} Pan Atlas"), 9, 1),
            None,
            "with cards"
        );
        let open = "00000/00000/00000/00000/00000 b3d3 c2c4 0";
        assert_eq!(seen::<NonPv>(open, 9, 1), None);
    }
}
