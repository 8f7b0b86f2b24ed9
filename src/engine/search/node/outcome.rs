//! After a node: its table entry, corrections and histories.

use super::{Node, Searcher};
use crate::eval::Evaluator;
use crate::rules::Turn;
use crate::search::history::Cutoff;
use crate::search::score::is_proved;
use crate::search::transposition::{Bound, TtEntry};

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// Stores the result of a node in the table and updates histories and corrections. A
    /// root without its best turns stores nothing: its score is not the position's.
    pub(super) fn store(
        &mut self,
        node: &Node<N>,
        best: i32,
        best_turn: Option<Turn>,
        [alpha, beta]: [i32; 2],
    ) {
        if node.ply == 0 && !self.root_excluded.is_empty() {
            return;
        }
        if best >= beta
            && let Some(turn) = best_turn
        {
            self.update_histories(node, turn);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.learn_correction(node, best, bound);
        let entry = TtEntry {
            turn: best_turn,
            score: best,
            depth: node.depth,
            bound,
        };
        (self.table).put(node.key, &entry, node.ply, self.params.keep_deeper);
    }

    /// Learns the error of a node's evaluation, if its score bounds one.
    fn learn_correction(&mut self, node: &Node<N>, score: i32, bound: Bound) {
        let Some(eval) = node.eval else {
            return;
        };
        let is_error = match bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if is_error && !is_proved(score) {
            let (position, last) = (node.position, self.last_turns(node.ply));
            (self.history.corrections).learn(position, last, score - eval, node.depth);
        }
    }

    /// Updates killers and histories after `turn` caused a beta cutoff. In the base game all
    /// answers to a threat build on one square, so builds teach nothing there.
    pub(super) fn update_histories(&mut self, node: &Node<N>, turn: Turn) {
        let last = self.last_turn(node.ply);
        let frame = &mut self.stack[node.ply];
        if frame.killers[0] != Some(turn) {
            frame.killers = [Some(turn), frame.killers[0]];
        }
        let others = frame
            .searched
            .split_last()
            .map_or(&[][..], |(_, others)| others);
        let bonus = (self.params.history_bonus * node.depth).min(self.params.history_bonus_max);
        let cutoff = Cutoff {
            last,
            bonus,
            learns_builds: node.position.has_cards() || !node.threats.threatened,
        };
        self.history.update(node.position, &cutoff, turn, others);
    }
}

/// Blends a fail-high score towards beta; deeper searches keep more of the excess. As in
/// Stockfish.
pub(super) fn towards_beta(score: i32, beta: i32, depth: i32) -> i32 {
    match is_proved(score) || is_proved(beta) {
        true => score,
        false => (score * depth + beta) / (depth + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::{loss_in, win_in};

    #[test]
    fn a_score_above_beta_is_moved_towards_it_unless_proved() {
        assert_eq!(towards_beta(140, 100, 1), 120);
        assert_eq!(towards_beta(140, 100, 3), 130);
        assert_eq!(towards_beta(-101, -110, 2), -104);
        assert_eq!(towards_beta(100, 100, 7), 100);
        assert_eq!(towards_beta(win_in(5), 100, 3), win_in(5));
        assert_eq!(towards_beta(900, loss_in(8), 3), 900);
    }
}
