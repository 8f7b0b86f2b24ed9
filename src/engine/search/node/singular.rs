//! Singular extensions: is the table's turn much better than all others?
//!
//! A verification search of about half the depth tries the other turns against a bound a
//! little below the table's score. If all fail low, the turn is singular and extended by a
//! ply (T. Anantharaman, M. Campbell and F. Hsu, 1990), by two if they are far below. If
//! one scores at least beta, two turns cut off, and the node is pruned (multi-cut;
//! Y. Björnsson and T. Marsland, 1999).

use crate::eval::Evaluator;

use super::super::params::{SINGULAR_PLIES, SINGULAR_TT_MARGIN};
use super::super::score::{MAX_EVAL, is_proved};
use super::super::transposition::{Bound, TtEntry};
use super::{Node, NodeType, NonPv, Searcher};

/// Whether the table's turn is singular.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Singular {
    /// All other turns are worse by the margin, or by far more.
    Yes {
        by_far: bool,
    },
    /// Another turn scores at least this.
    No {
        score: i32,
    },
    Untested,
}

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// Extends the table's turn if it is singular. Returns the score of the node if it is
    /// pruned, or any score if the search was stopped.
    pub(super) fn extend_singular<T: NodeType>(
        &mut self,
        node: &mut Node<N>,
        entry: Option<&TtEntry>,
        beta: i32,
    ) -> Option<i32> {
        let singular = self.singular(node, entry?);
        if self.stopped {
            return Some(0);
        }
        match singular {
            Singular::Yes { by_far } => node.extension = 1 + i32::from(by_far && !T::PV),
            Singular::No { score } if !T::PV && score >= beta => return Some(score),
            Singular::No { .. } | Singular::Untested => {}
        }
        None
    }

    /// Tests the turn of a node's table entry.
    fn singular(&mut self, node: &Node<N>, entry: &TtEntry) -> Singular {
        if entry.bound == Bound::Upper
            || entry.depth < node.depth - SINGULAR_TT_MARGIN
            || is_proved(entry.score)
            || node.tt_turn.is_none()
            || node.threats.threatened
            || node.depth < self.params.singular_depth
            || !(1..SINGULAR_PLIES * self.root_depth).contains(&node.ply)
        {
            return Singular::Untested;
        }
        let margin = self.params.singular_margin * node.depth / 16;
        let singular_beta = (entry.score - margin).max(1 - MAX_EVAL);
        let verification = Node {
            depth: (node.depth - 1) * self.params.singular_share / 16,
            tt_turn: None,
            excluded: node.tt_turn,
            ..*node
        };
        let score = self.search_turns::<NonPv>(&verification, singular_beta - 1, singular_beta);
        if score < singular_beta {
            let by_far = score < singular_beta - self.params.singular_double_margin;
            Singular::Yes { by_far }
        } else {
            Singular::No { score }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Threats;
    use super::super::testing::with_searcher;
    use super::*;
    use crate::rules::Position;
    use crate::search::Params;

    const OPEN: &str = "00000/00000/00000/00000/00000 b3d3 c2c4 0";
    /// The mover has a single turn.
    const CLOSED: &str = "04400/40400/44400/00044/00040 a1e5 d2e2 30";

    /// Tests the first turn of a position in a node of depth 8, with a table
    /// entry of this score, bound and depth.
    fn tested(text: &str, score: i32, bound: Bound, depth: i32) -> Singular {
        let position: Position<5> = text.parse().unwrap();
        let (first, threats) = (Some(position.turns()[0]), Threats::of(&position));
        with_searcher(Params::DEFAULT, |searcher| {
            Evaluator::<5>::reset(&mut searcher.evaluator, &position);
            searcher.root_depth = 8;
            let node = Node {
                tt_turn: first,
                ..Node::new(&position, &threats, 8, 1)
            };
            let entry = TtEntry {
                turn: first,
                score,
                depth,
                bound,
            };
            let result = searcher.singular(&node, &entry);
            let another = searcher.stack[1].killers[0];
            assert_eq!(another.is_some(), matches!(result, Singular::No { .. }));
            assert_ne!(another, first);
            assert_eq!(
                searcher.table.get(position.key(), 1),
                None,
                "the verification search is not stored"
            );
            result
        })
    }

    #[test]
    fn a_turn_is_singular_if_no_other_comes_near_it() {
        let by_far = |by_far| Singular::Yes { by_far };
        assert_eq!(tested(CLOSED, 0, Bound::Exact, 8), by_far(false));
        assert_eq!(tested(OPEN, 2000, Bound::Lower, 8), by_far(true));
        let least = -2000 - Params::DEFAULT.singular_margin * 8 / 16;
        let no = tested(OPEN, -2000, Bound::Lower, 8);
        assert!(
            matches!(no, Singular::No { score } if score > least),
            "{no:?}"
        );
    }

    #[test]
    fn a_turn_that_is_not_known_to_be_good_is_not_tested() {
        assert_eq!(tested(OPEN, 2000, Bound::Upper, 8), Singular::Untested);
        assert_eq!(tested(OPEN, 2000, Bound::Lower, 4), Singular::Untested);
        let win = crate::search::win_in(5);
        assert_eq!(tested(OPEN, win, Bound::Lower, 8), Singular::Untested);
    }
}
