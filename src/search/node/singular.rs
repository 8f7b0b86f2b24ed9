//! Whether one turn of a node is much better than all others ("singular
//! extensions"; T. Anantharaman, M. Campbell and F. Hsu, 1990).
//!
//! Where the table knows a good turn, the others are searched to half the depth
//! against a bar a little below its score. If none reaches it, everything hangs
//! on the one turn, and it is searched a ply deeper. If another does too and
//! the bar is above the window, two turns cut off, and the node is left
//! ("multi-cut"; Y. Björnsson and T. Marsland, 1999).

use crate::eval::Evaluator;

use super::super::score::{MAX_EVAL, is_proved};
use super::super::table::{Bound, Entry};
use super::{Node, Searcher};

/// What is known of the turn to search first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singular {
    /// It alone is as good as its score.
    Yes,
    /// Another is worth as much as `others`, too.
    No { others: i32 },
    /// It was not asked.
    Unknown,
}

impl<const N: usize, E: Evaluator<N>> Searcher<'_, N, E> {
    /// Whether the first turn of a node, of which the table has an entry, is
    /// singular.
    pub(super) fn singular(&mut self, node: &Node<N>, entry: &Entry) -> Singular {
        let is_good = entry.bound != Bound::Upper && entry.depth >= node.depth - 3;
        if !is_good
            || is_proved(entry.score)
            || node.first.is_none()
            || node.danger.threatened
            || node.depth < self.params.singular_depth
            || !(1..2 * self.root_depth).contains(&node.ply)
        {
            return Singular::Unknown;
        }
        // In sixteenths, so that small steps can be tuned.
        let margin = self.params.singular_margin * node.depth / 16;
        let bar = (entry.score - margin).max(1 - MAX_EVAL);
        let others = Node {
            depth: (node.depth - 1) * self.params.singular_share / 16,
            first: None,
            without: node.first,
            ..*node
        };
        if self.search_turns::<false>(&others, bar - 1, bar) < bar {
            Singular::Yes
        } else {
            Singular::No { others: bar }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::Danger;
    use super::*;
    use crate::eval::{Weighted, Weights};
    use crate::rules::Position;
    use crate::search::history::History;
    use crate::search::limits::Clock;
    use crate::search::numbers::Numbers;
    use crate::search::table::Table;
    use crate::search::{Limits, Params};

    const OPEN: &str = "00000/00000/00000/00000/00000 b3d3 c2c4 0";
    /// The mover has one turn only.
    const CLOSED: &str = "04400/40400/44400/00044/00040 a1e5 d2e2 30";

    /// What is known of a position's first turn if the table says that its
    /// score is at least the given one, found at a depth, where the node has
    /// depth 8.
    fn known(text: &str, score: i32, bound: Bound, depth: i32) -> Singular {
        let position: Position<5> = text.parse().unwrap();
        let numbers = Numbers::new(Params::DEFAULT);
        let (mut table, mut history, stop) =
            (Table::new(1), History::default(), AtomicBool::new(false));
        table.make_room(None);
        let clock = Clock::start(Limits::default(), &stop);
        let evaluator = Weighted(Weights::TUNED);
        let mut searcher = Searcher::new(&table, &mut history, evaluator, &clock, &numbers);
        Evaluator::<5>::reset(&mut searcher.evaluator, &position);
        searcher.root_depth = 8;
        let first = Some(position.turns()[0]);
        let node = Node {
            position: &position,
            danger: &Danger::of(&position),
            key: position.key(),
            depth: 8,
            ply: 1,
            first,
            extension: 0,
            without: None,
        };
        let entry = Entry {
            turn: first,
            score,
            depth,
            bound,
        };
        let known = searcher.singular(&node, &entry);
        assert_eq!(
            table.get(position.key(), 1),
            None,
            "the question is not the node"
        );
        known
    }

    #[test]
    fn a_turn_is_singular_if_no_other_comes_near_its_score() {
        assert_eq!(known(CLOSED, 0, Bound::Exact, 8), Singular::Yes);
        assert_eq!(known(OPEN, 2000, Bound::Lower, 8), Singular::Yes);
        let bar = -2000 - Params::DEFAULT.singular_margin * 8 / 16;
        let no = Singular::No { others: bar };
        assert_eq!(known(OPEN, -2000, Bound::Lower, 8), no);
    }

    #[test]
    fn a_turn_that_is_not_known_to_be_good_is_not_asked_about() {
        assert_eq!(known(OPEN, 2000, Bound::Upper, 8), Singular::Unknown);
        assert_eq!(known(OPEN, 2000, Bound::Lower, 4), Singular::Unknown);
        let win = crate::search::win_in(5);
        assert_eq!(known(OPEN, win, Bound::Lower, 8), Singular::Unknown);
    }
}
