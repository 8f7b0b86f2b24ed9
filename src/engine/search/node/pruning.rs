//! Pruning and reductions: reverse futility pruning, late move pruning, late move and
//! internal iterative reductions, and the hindsight extension.

use super::threats::is_menaced;
use super::{Node, NodeType, Searcher};
use crate::eval::Evaluator;
use crate::search::params::REDUCTION_DEPTH;
use crate::search::picker::MIN_KILLER_SCORE;
use crate::search::score::is_proved;
use crate::search::transposition::{Bound, TtEntry};

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// Whether the mover's evaluation has grown since its last turn without a threat, two or
    /// four plies ago. True if one of them is unknown.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let eval = |ago| self.stack[ply.checked_sub(ago)?].eval;
        match (eval(0), eval(2).or_else(|| eval(4))) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// Extends a node with a null window in hindsight, or prunes it: then returns its score.
    pub(super) fn prune_by_eval<T: NodeType>(&self, node: &mut Node<N>, beta: i32) -> Option<i32> {
        let eval = node.eval.filter(|_| !T::PV)?;
        node.depth += self.hindsight(eval, node.ply);
        self.reverse_futility(node, eval, beta)
    }

    /// Hindsight: a node is extended by a ply after a turn that was much reduced and has
    /// not worsened its player's evaluation. As in Stockfish.
    fn hindsight(&self, eval: i32, ply: usize) -> i32 {
        let Some(frame) = ply.checked_sub(1).map(|before| &self.stack[before]) else {
            return 0;
        };
        let much = frame.reduction >= self.params.hindsight_reduction;
        i32::from(much && frame.eval.is_some_and(|before| eval <= -before))
    }

    /// Reverse futility pruning: the score of a shallow node with a null window whose
    /// evaluation is above beta by a margin. The returned score lies between the two: a
    /// search would seldom find all of the margin. Not for nodes that may be lost: the mover has
    /// no legal turn or is menaced, or the table knows a score below beta.
    fn reverse_futility(&self, node: &Node<N>, eval: i32, beta: i32) -> Option<i32> {
        let (params, depth) = (&self.params, node.depth);
        let is_settled = depth <= params.reverse_futility_depth
            && !is_proved(beta)
            && eval - params.reverse_futility_margin * depth >= beta
            && node.position.has_turn()
            && (depth < params.reverse_futility_menace_depth || !is_menaced(node.position))
            && !self.is_known_below(node, beta);
        is_settled.then(|| eval + (beta - eval) * params.reverse_futility_blend / 16)
    }

    /// Whether the table knows a score below beta.
    fn is_known_below(&self, node: &Node<N>, beta: i32) -> bool {
        node.depth >= self.params.reverse_futility_table_depth
            && (self.table.get(node.key, node.ply))
                .is_some_and(|entry| entry.bound != Bound::Lower && entry.score < beta)
    }

    /// Internal iterative reduction: a ply for a node without a turn in the table, or with
    /// the entry of a much shallower search.
    pub(super) fn internal_reduction(&self, depth: i32, entry: Option<&TtEntry>) -> i32 {
        let params = &self.params;
        let has_turn = entry.is_some_and(|entry| entry.turn.is_some());
        let is_shallow =
            entry.is_some_and(|entry| entry.depth < depth - params.internal_reduction_margin);
        i32::from(is_shallow || !has_turn && depth >= params.internal_reduction_depth)
    }

    /// Late move pruning: the number of turns that a shallow node searches, fewer where the
    /// evaluation has not grown or is far below alpha.
    pub(super) fn lmp_limit<T: NodeType>(&self, node: &Node<N>, alpha: i32) -> usize {
        let params = &self.params;
        let depth = node.depth.max(0);
        let mut turns =
            params.late_move_pruning_base + params.late_move_pruning_factor * depth * depth;
        if !node.is_improving {
            turns = turns * params.late_move_pruning_not_improving / 16;
        }
        let margin = params.late_move_pruning_margin * depth;
        if !is_proved(alpha) && node.eval.is_some_and(|eval| eval + margin <= alpha) {
            turns /= 2;
        }
        let times = if T::PV {
            params.late_move_pruning_pv
        } else {
            1
        };
        (turns.max(1) * times) as usize
    }

    /// Late move reduction: the plies by which the first search of a turn with this
    /// ordering score is reduced, after `count` others.
    pub(super) fn reduction<T: NodeType>(&self, node: &Node<N>, count: usize, order: i32) -> i32 {
        let &Node { depth, threats, .. } = node;
        let unreduced = match threats.threatened {
            true => self.params.reduction_threat_turns as usize,
            false => 1,
        };
        if count < unreduced || depth < REDUCTION_DEPTH {
            return 0;
        }
        let promising = (self.params.reduction_history..MIN_KILLER_SCORE).contains(&order);
        let plies = self.tables.reductions.plies(depth, count);
        let less = i32::from(T::PV) + i32::from(promising) + i32::from(threats.threatened);
        let upper_bound = i32::from(node.has_upper_bound) * self.params.reduction_upper_bound;
        (plies - less - upper_bound).clamp(0, depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_searcher;
    use super::super::threats::Threats;
    use super::super::{NonPv, Pv};
    use super::*;
    use crate::eval::Weighted;
    use crate::rules::Position;
    use crate::search::Params;

    const PARAMS: Params = Params::CARDS;

    /// Tests an empty node of depth 3 with the parameters for cards.
    fn with_node(test: impl Fn(&mut Searcher<5, Weighted>, &mut Node<5>)) {
        with_params(PARAMS, test);
    }

    fn with_params(params: Params, test: impl Fn(&mut Searcher<5, Weighted>, &mut Node<5>)) {
        let position = "00000/00000/00000/00000/00000 b3d3 c2c4 0 Pan Atlas";
        let position = position.parse().unwrap();
        let threats = Threats::of(&position);
        let mut node = Node::new(&position, &threats, 3, 0);
        with_searcher(params, |searcher| test(searcher, &mut node));
    }

    #[test]
    fn lmp_limit_shrinks_below_alpha_and_without_improvement() {
        with_node(|searcher, node| {
            let all = PARAMS.late_move_pruning_base + 9 * PARAMS.late_move_pruning_factor;
            assert_eq!(searcher.lmp_limit::<NonPv>(node, 50), all as usize);
            let margin = 3 * PARAMS.late_move_pruning_margin;
            node.eval = Some(51 - margin);
            assert_eq!(searcher.lmp_limit::<NonPv>(node, 50), all as usize);
            node.eval = Some(50 - margin);
            assert_eq!(searcher.lmp_limit::<NonPv>(node, 50), all as usize / 2);
            node.is_improving = false;
            let fewer = all * PARAMS.late_move_pruning_not_improving / 16;
            assert_eq!(searcher.lmp_limit::<NonPv>(node, 50), fewer as usize / 2);
            node.depth = 0;
            assert!(searcher.lmp_limit::<NonPv>(node, 50) > 0);
            let times = PARAMS.late_move_pruning_pv as usize;
            let others = searcher.lmp_limit::<NonPv>(node, 50);
            assert_eq!(searcher.lmp_limit::<Pv>(node, 50), times * others);
        });
    }

    #[test]
    fn improving_compares_with_own_last_quiet_eval() {
        with_node(|searcher, _| {
            let mut is_improving = |evals: [Option<i32>; 5]| {
                for (frame, eval) in searcher.stack.iter_mut().zip(evals) {
                    frame.eval = eval;
                }
                searcher.is_improving(4)
            };
            assert!(is_improving([None, None, Some(10), Some(90), Some(11)]));
            assert!(!is_improving([None, None, Some(10), None, Some(10)]));
            assert!(!is_improving([Some(10), None, None, None, Some(10)]));
            assert!(is_improving([Some(90), None, Some(10), None, Some(11)]));
            assert!(is_improving([None, Some(90), None, Some(90), Some(0)]));
            assert!(searcher.is_improving(1));
        });
    }

    #[test]
    fn hindsight_extends_after_a_much_reduced_good_turn() {
        with_node(|searcher, _| {
            let mut hindsight = |before: Option<i32>, reduction, eval| {
                searcher.stack[3].eval = before;
                searcher.stack[3].reduction = reduction;
                searcher.hindsight(eval, 4)
            };
            let much = PARAMS.hindsight_reduction;
            assert_eq!(hindsight(Some(20), much, -20), 1);
            assert_eq!(hindsight(Some(20), much, -19), 0);
            assert_eq!(hindsight(Some(20), much - 1, -20), 0);
            assert_eq!(hindsight(None, much, -900), 0);
            assert_eq!(searcher.hindsight(-900, 0), 0);
        });
    }

    #[test]
    fn late_answers_to_a_threat_are_reduced_by_a_ply_less() {
        with_node(|searcher, node| {
            let quiet = Threats::of(node.position);
            let threats = Threats {
                threatened: true,
                ..Threats::of(node.position)
            };
            let reduction = |count, threats| {
                let node = Node {
                    depth: 12,
                    threats,
                    ..*node
                };
                searcher.reduction::<NonPv>(&node, count, 0)
            };
            let first = PARAMS.reduction_threat_turns as usize;
            assert_eq!(reduction(first - 1, &threats), 0);
            assert!(reduction(first, &quiet) > 1);
            assert_eq!(reduction(first, &threats), reduction(first, &quiet) - 1);
        });
    }

    #[test]
    fn an_upper_bound_in_the_table_lowers_reductions() {
        with_params(Params::DEFAULT, |searcher, node| {
            let reduction = |has_upper_bound| {
                let node = Node {
                    depth: 12,
                    has_upper_bound,
                    ..*node
                };
                searcher.reduction::<NonPv>(&node, 9, 0)
            };
            let less = Params::DEFAULT.reduction_upper_bound;
            assert_eq!(reduction(true), reduction(false) - less);
        });
    }

    #[test]
    fn internal_reduction_needs_a_missing_or_shallow_entry() {
        with_params(Params::DEFAULT, |searcher, node| {
            let turn = Some(node.position.turns()[0]);
            let entry = |turn, depth| TtEntry {
                turn,
                score: 0,
                depth,
                bound: Bound::Exact,
            };
            let first = Params::DEFAULT.internal_reduction_depth;
            assert_eq!(searcher.internal_reduction(first, None), 1);
            assert_eq!(searcher.internal_reduction(first - 1, None), 0);
            assert_eq!(
                searcher.internal_reduction(first, Some(&entry(None, first))),
                1
            );
            let margin = Params::DEFAULT.internal_reduction_margin;
            assert_eq!(
                searcher.internal_reduction(9, Some(&entry(turn, 9 - margin))),
                0
            );
            assert_eq!(
                searcher.internal_reduction(9, Some(&entry(turn, 8 - margin))),
                1
            );
        });
    }

    #[test]
    fn reverse_futility_spares_nodes_that_may_be_lost() {
        with_params(Params::DEFAULT, |searcher, node| {
            let settles = |text: &str, depth| {
                let position: Position<5> = text.parse().unwrap();
                let node = Node::new(&position, node.threats, depth, 1);
                searcher.reverse_futility(&node, 5000, 0).is_some()
            };
            let first = Params::DEFAULT.reverse_futility_menace_depth;
            // The opponent steps from d2 to d3 and has two ways up to level 3.
            let menaced = "00000/00010/00020/00303/00000 a1a2 d2e1 6";
            assert!(settles(menaced, first - 1));
            assert!(!settles(menaced, first));
            assert!(settles("00000/00000/00020/00303/00000 a1a2 d2e1 6", first));
            let depth = Params::DEFAULT.reverse_futility_table_depth;
            let entry = |score, bound| TtEntry {
                turn: None,
                score,
                depth: 1,
                bound,
            };
            for (score, bound, known) in [
                (-1, Bound::Upper, true),
                (-1, Bound::Exact, true),
                (0, Bound::Exact, false),
                (-1, Bound::Lower, false),
            ] {
                searcher.table.put(node.key, &entry(score, bound), 1, 0);
                let mut is_known_below = |depth| {
                    node.depth = depth;
                    searcher.is_known_below(node, 0)
                };
                assert_eq!(is_known_below(depth), known);
                assert!(!is_known_below(depth - 1));
            }
        });
    }

    #[test]
    fn reverse_futility_returns_a_score_between_evaluation_and_beta() {
        with_node(|searcher, node| {
            let margin = 2 * PARAMS.reverse_futility_margin;
            node.depth = 2;
            let score = |eval| searcher.reverse_futility(node, eval, 100);
            assert_eq!(score(99 + margin), None);
            let blend = margin * PARAMS.reverse_futility_blend / 16;
            assert_eq!(score(100 + margin), Some(100 + margin - blend));
            node.depth = PARAMS.reverse_futility_depth + 1;
            assert_eq!(searcher.reverse_futility(node, 5000, 100), None);
        });
    }
}
