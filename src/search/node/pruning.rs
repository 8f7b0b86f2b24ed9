//! Where a node searches fewer turns, or less deep: reverse futility pruning, late move
//! pruning and late move reductions; and where a reduction is taken back in hindsight.

use super::{Node, Searcher, Threats};
use crate::eval::Evaluator;
use crate::rules::Position;
use crate::search::params::{REDUCTION_DEPTH, REDUCTION_TURNS};
use crate::search::picker::MIN_KILLER_SCORE;
use crate::search::score::is_proved;

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// Whether the mover's evaluation, at this ply, has grown since its last turn; if
    /// there was a threat then, since the one before. Where nothing is known, it has.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let eval = |ago| self.stack[ply.checked_sub(ago)?].eval;
        match (eval(0), eval(2).or_else(|| eval(4))) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// By how many plies deeper a node is searched in hindsight: by one after a turn that
    /// was much reduced and has not worsened its player's evaluation. Stockfish does so.
    pub(super) fn hindsight(&self, eval: i32, ply: usize) -> i32 {
        let Some(frame) = ply.checked_sub(1).map(|before| &self.stack[before]) else {
            return 0;
        };
        let much = frame.reduction >= self.params.hindsight_reduction;
        i32::from(much && frame.eval.is_some_and(|before| eval <= -before))
    }

    /// Reverse futility pruning: the score of a shallow node with a null window whose
    /// evaluation is above beta by a margin. It lies between the two, since a search
    /// would seldom find all of it. A mover without a turn has lost, whatever the
    /// evaluation says.
    pub(super) fn reverse_futility(
        &self,
        position: &Position<N>,
        eval: i32,
        beta: i32,
        depth: i32,
    ) -> Option<i32> {
        let params = &self.params;
        let is_settled = depth <= params.reverse_futility_depth
            && !is_proved(beta)
            && eval - params.reverse_futility_margin * depth >= beta
            && position.has_turn();
        is_settled.then(|| eval + (beta - eval) * params.reverse_futility_blend / 16)
    }

    /// Late move pruning: the number of turns that a shallow node searches. Where the
    /// evaluation has not grown or is far below alpha, hardly any turn is good enough.
    pub(super) fn lmp_limit(&self, node: &Node<N>, alpha: i32) -> usize {
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
        turns.max(1) as usize
    }

    /// Late move reduction: by how many plies the first search of a turn is
    /// reduced, after `count` others, by its ordering score.
    pub(super) fn reduction<const PV: bool>(
        &self,
        depth: i32,
        count: usize,
        order: i32,
        threats: &Threats,
    ) -> i32 {
        let unreduced = match threats.threatened {
            true => self.params.reduction_threat_turns as usize,
            false => REDUCTION_TURNS,
        };
        if count < unreduced || depth < REDUCTION_DEPTH {
            return 0;
        }
        let promising = (self.params.reduction_history..MIN_KILLER_SCORE).contains(&order);
        let plies = self.tables.reductions.plies(depth, count);
        let less = i32::from(PV) + i32::from(promising) + i32::from(threats.threatened);
        (plies - less).clamp(0, depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::{Weighted, Weights};
    use crate::search::history::History;
    use crate::search::limits::Clock;
    use crate::search::tables::SearchTables;
    use crate::search::transposition::TranspositionTable;
    use crate::search::{Limits, Params};

    const PARAMS: Params = Params::CARDS;

    /// Tests a node of depth 3 that is all but empty.
    fn with_node(test: impl Fn(&mut Searcher<5, Weighted>, &mut Node<5>)) {
        let tables = SearchTables::new(PARAMS);
        let (table, stop) = (TranspositionTable::new(1), AtomicBool::new(false));
        let (mut history, clock) = (History::default(), Clock::start(Limits::default(), &stop));
        let evaluator = Weighted(Weights::TUNED);
        let mut searcher = Searcher::new(&table, &mut history, evaluator, &clock, &tables);
        let position = "00000/00000/00000/00000/00000 b3d3 c2c4 0 Pan Atlas";
        let position = position.parse().unwrap();
        let mut node = Node {
            position: &position,
            threats: &Threats::of(&position),
            key: position.key(),
            depth: 3,
            ply: 0,
            tt_turn: None,
            extension: 0,
            excluded: None,
            eval: None,
            is_improving: true,
        };
        test(&mut searcher, &mut node);
    }

    #[test]
    fn fewer_turns_are_searched_far_below_alpha_and_without_improvement() {
        with_node(|searcher, node| {
            let all = PARAMS.late_move_pruning_base + 9 * PARAMS.late_move_pruning_factor;
            assert_eq!(searcher.lmp_limit(node, 50), all as usize);
            let margin = 3 * PARAMS.late_move_pruning_margin;
            node.eval = Some(51 - margin);
            assert_eq!(searcher.lmp_limit(node, 50), all as usize);
            node.eval = Some(50 - margin);
            assert_eq!(searcher.lmp_limit(node, 50), all as usize / 2);
            node.is_improving = false;
            let fewer = all * PARAMS.late_move_pruning_not_improving / 16;
            assert_eq!(searcher.lmp_limit(node, 50), fewer as usize / 2);
            node.depth = 0;
            assert!(searcher.lmp_limit(node, 50) > 0);
        });
    }

    #[test]
    fn an_evaluation_is_compared_with_that_of_the_players_last_turn_without_a_threat() {
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
    fn after_a_much_reduced_turn_that_lost_nothing_the_search_is_a_ply_deeper() {
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
            let reduction = |count, threats| searcher.reduction::<false>(12, count, 0, threats);
            let first = PARAMS.reduction_threat_turns as usize;
            assert_eq!(reduction(first - 1, &threats), 0);
            assert!(reduction(first, &quiet) > 1);
            assert_eq!(reduction(first, &threats), reduction(first, &quiet) - 1);
        });
    }

    #[test]
    fn reverse_futility_returns_a_score_between_evaluation_and_beta() {
        with_node(|searcher, node| {
            let margin = 2 * PARAMS.reverse_futility_margin;
            let score = |eval| searcher.reverse_futility(node.position, eval, 100, 2);
            assert_eq!(score(99 + margin), None);
            let blend = margin * PARAMS.reverse_futility_blend / 16;
            assert_eq!(score(100 + margin), Some(100 + margin - blend));
            let deep = PARAMS.reverse_futility_depth + 1;
            let score = searcher.reverse_futility(node.position, 5000, 100, deep);
            assert_eq!(score, None);
        });
    }
}
