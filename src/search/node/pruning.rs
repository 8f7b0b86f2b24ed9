//! Where a node searches fewer turns, or less deep: reverse futility pruning, late move
//! pruning and late move reductions.

use super::{Searcher, Threats};
use crate::eval::Evaluator;
use crate::rules::Position;
use crate::search::params::{REDUCTION_DEPTH, REDUCTION_TURNS};
use crate::search::picker::MIN_KILLER_SCORE;
use crate::search::score::is_proved;

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// The evaluation of a shallow node with a null window and no threat.
    pub(super) fn shallow_eval<const PV: bool>(
        &mut self,
        position: &Position<N>,
        threats: &Threats,
        beta: i32,
        depth: i32,
    ) -> Option<i32> {
        let is_shallow = depth <= self.params.reverse_futility_depth;
        (!PV && is_shallow && !threats.threatened && !is_proved(beta))
            .then(|| self.evaluate(position))
    }

    /// Reverse futility pruning: whether the evaluation of a shallow node is above beta by
    /// a margin, which settles it. A mover without a turn has lost, whatever the
    /// evaluation says.
    pub(super) fn is_settled(
        &self,
        position: &Position<N>,
        eval: i32,
        beta: i32,
        depth: i32,
    ) -> bool {
        eval - self.params.reverse_futility_margin * depth >= beta && position.has_turn()
    }

    /// Late move pruning: the number of turns that a shallow node searches. Where the
    /// evaluation is far below alpha, hardly any turn is good enough.
    pub(super) fn lmp_limit(&self, depth: i32, eval: Option<i32>, alpha: i32) -> usize {
        let depth = depth.max(0);
        let turns = self.params.late_move_pruning_base
            + self.params.late_move_pruning_factor * depth * depth;
        let margin = self.params.late_move_pruning_margin * depth;
        let is_far_below = eval.is_some_and(|eval| eval + margin <= alpha);
        (if is_far_below { turns / 2 } else { turns }) as usize
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
        if count < REDUCTION_TURNS || depth < REDUCTION_DEPTH || threats.threatened {
            return 0;
        }
        let promising = (self.params.reduction_history..MIN_KILLER_SCORE).contains(&order);
        let plies = self.tables.reductions.plies(depth, count);
        (plies - i32::from(PV) - i32::from(promising)).clamp(0, depth - 1)
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

    #[test]
    fn far_below_alpha_half_as_many_turns_are_searched() {
        let params = Params::CARDS;
        let tables = SearchTables::new(params);
        let (table, stop) = (TranspositionTable::new(1), AtomicBool::new(false));
        let (mut history, clock) = (History::default(), Clock::start(Limits::default(), &stop));
        let evaluator = Weighted(Weights::TUNED);
        let searcher = Searcher::<5, _>::new(&table, &mut history, evaluator, &clock, &tables);
        let margin = 3 * params.late_move_pruning_margin;
        let limit = |eval| searcher.lmp_limit(3, eval, 50);
        let all = params.late_move_pruning_base + 9 * params.late_move_pruning_factor;
        assert_eq!(limit(None), all as usize);
        assert_eq!(limit(Some(51 - margin)), all as usize);
        assert_eq!(limit(Some(50 - margin)), all as usize / 2);
    }
}
