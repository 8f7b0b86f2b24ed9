//! The alpha-beta search of one thread: principal variation search with pruning
//! and reductions.
//!
//! In the base game a node plays only turns after which the opponent has no immediate
//! win (see `rules/threats.rs`), so only the root looks for one. Nodes see an
//! unstoppable threat, a win in three plies, without search; inner nodes also see one
//! behind another threat. With cards a node skips turns that leave a win of the opponent
//! untouched. The next node finds any other win.
//!
//! A proved win or loss is always true: a node prunes turns only if it knows one that
//! does not lose, and a proof at reduced depth is still a proof. The distance to a win is
//! an upper bound.
//!
//! | to see or change | look at |
//! |---|---|
//! | the search of a node, the loop over its turns | `mod.rs` (here) |
//! | pruning, reductions, the hindsight extension | `pruning.rs` |
//! | singular extensions, multi-cut | `singular.rs` |
//! | threats: which turns must be searched, wins without search | `threats.rs` |
//! | what a node stores: table entry, histories, corrections | `outcome.rs` |
//! | PV and other nodes, as types | `node_type.rs` |
//! | helpers for tests | `testing.rs` |

mod node_type;
mod outcome;
mod pruning;
mod singular;
#[cfg(test)]
mod testing;
mod threats;

use crate::eval::Evaluator;
use crate::rules::{Position, Turn};

use super::history::History;
use super::limits::Clock;
use super::params::Params;
use super::picker::{MoveOrdering, Picker};
use super::score::{MAX_EVAL, MAX_PLY, PROVED, is_proved, loss_in, win_in};
use super::tables::SearchTables;
use super::transposition::{Bound, TranspositionTable, TtEntry};
use node_type::{NodeType, NonPv, Pv, Root};
use outcome::towards_beta;
use threats::{Threats, makes_threat};

/// The state of one ply.
#[derive(Default)]
struct Frame {
    /// None while its turns are searched. Boxed, so that taking it moves little.
    picker: Option<Box<Picker>>,
    /// The turns searched so far at this node.
    searched: Vec<Turn>,
    /// The evaluation of the position, if there is no threat.
    eval: Option<i32>,
    /// The turn being searched.
    turn: Option<Turn>,
    /// The plies by which its search is reduced.
    reduction: i32,
    killers: [Option<Turn>; 2],
    /// The principal variation from here.
    pv: Vec<Turn>,
}

/// A node whose turns are searched: the root or an inner node.
#[derive(Clone, Copy)]
struct Node<'a, const N: usize> {
    position: &'a Position<N>,
    threats: &'a Threats,
    key: u64,
    depth: i32,
    /// The plies from the root.
    ply: usize,
    /// The turn of the transposition table, searched first if it is legal.
    tt_turn: Option<Turn>,
    /// The plies by which that turn is extended.
    extension: i32,
    /// A turn to skip, in the verification search of a singular extension.
    excluded: Option<Turn>,
    /// The evaluation, if there is no threat.
    eval: Option<i32>,
    /// Whether it has grown since the mover's last turn.
    is_improving: bool,
    /// Whether the table's score is an upper bound.
    has_upper_bound: bool,
}

impl<'a, const N: usize> Node<'a, N> {
    /// A node without an evaluation or a table entry.
    fn new(position: &'a Position<N>, threats: &'a Threats, depth: i32, ply: usize) -> Self {
        Self {
            position,
            threats,
            key: position.key(),
            depth,
            ply,
            tt_turn: None,
            extension: 0,
            excluded: None,
            eval: None,
            is_improving: true,
            has_upper_bound: false,
        }
    }
}

/// One thread's search.
pub(super) struct Searcher<'a, const N: usize, E> {
    table: &'a TranspositionTable,
    history: &'a mut History,
    evaluator: E,
    clock: &'a Clock<'a>,
    params: Params,
    tables: &'a SearchTables,
    stack: Vec<Frame>,
    nodes: u64,
    stopped: bool,
    /// The depth of this iteration.
    root_depth: usize,
    /// Root turns to skip: better lines begin with them (multi-PV).
    root_excluded: Vec<Turn>,
}

impl<'a, const N: usize, E: Evaluator<N>> Searcher<'a, N, E> {
    /// A searcher. All threads share the table; each has its own history.
    pub(super) fn new(
        table: &'a TranspositionTable,
        history: &'a mut History,
        evaluator: E,
        clock: &'a Clock<'a>,
        tables: &'a SearchTables,
    ) -> Self {
        let stack = std::iter::repeat_with(Frame::default)
            .take(MAX_PLY + 1)
            .collect();
        Self {
            table,
            history,
            evaluator,
            clock,
            params: tables.params,
            tables,
            stack,
            nodes: 0,
            stopped: false,
            root_depth: 0,
            root_excluded: Vec::new(),
        }
    }

    /// The nodes visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the last search was stopped. Its score then means nothing.
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// The principal variation of the last search. After a stopped search it is the best line
    /// so far, empty if no turn raised alpha. It is safe to play: the table's turn is searched
    /// first, usually the last iteration's best. (If a search beyond its window or another
    /// thread replaced that turn, a turn that raises alpha is worse by the window at most.)
    pub(super) fn pv(&self) -> &[Turn] {
        &self.stack[0].pv
    }

    /// Excludes a turn from further searches of the root.
    pub(super) fn exclude(&mut self, turn: Turn) {
        self.root_excluded.push(turn);
    }

    /// Lets all root turns be searched again.
    pub(super) fn include_all(&mut self) {
        self.root_excluded.clear();
    }

    /// Reads the network and the histories into the caches.
    pub(super) fn warm(&mut self, root: &Position<N>) {
        self.evaluator.reset(root);
        self.evaluator.warm();
        self.history.warm();
    }

    /// Searches a root without an immediate win to a depth within a window.
    pub(super) fn search_root(
        &mut self,
        root: &Position<N>,
        alpha: i32,
        beta: i32,
        depth: u32,
    ) -> i32 {
        self.evaluator.reset(root);
        self.root_depth = depth as usize;
        self.search::<Root>(root, alpha, beta, depth as i32, 0)
    }

    /// Starts a node; returns whether the search must stop.
    fn enter<T: NodeType>(&mut self, ply: usize) -> bool {
        if T::PV {
            self.stack[ply].pv.clear();
        }
        self.nodes += 1;
        self.stopped = self.stopped || self.clock.is_over(self.nodes);
        self.stopped
    }

    /// The turn that led to this ply. None at the root.
    fn last_turn(&self, ply: usize) -> Option<Turn> {
        self.stack[ply.checked_sub(1)?].turn
    }

    /// The last turns of the opponent and of the player to move here.
    fn last_turns(&self, ply: usize) -> [Option<Turn>; 2] {
        [
            self.last_turn(ply),
            ply.checked_sub(1).and_then(|before| self.last_turn(before)),
        ]
    }

    /// The evaluation of a position with its correction.
    fn evaluate(&mut self, position: &Position<N>, ply: usize) -> i32 {
        let eval = self.evaluator.evaluate(position);
        let weights = self.params.correction_weights();
        let correction = (self.history.corrections).of(position, self.last_turns(ply), weights);
        (eval + correction).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The score of a leaf. In the base game a leaf without a turn scores as a loss. (With
    /// cards that was not tried.)
    fn leaf(&mut self, position: &Position<N>, ply: usize) -> i32 {
        if !position.has_cards() && !position.has_turn() {
            loss_in(ply)
        } else {
            self.evaluate(position, ply)
        }
    }

    /// The score of a position, `ply` plies from the root.
    fn search<T: NodeType>(
        &mut self,
        position: &Position<N>,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        debug_assert!(alpha < beta && (T::PV || alpha + 1 == beta));
        if self.enter::<T>(ply) {
            return 0;
        }
        let threats = Threats::of(position);
        if !T::ROOT {
            if let Some(score) = decided(position, &threats, ply) {
                return score;
            }
            // Mate distance pruning. A player without a turn loses sooner; then only the
            // distance is too long.
            alpha = alpha.max(loss_in(ply + 2));
            beta = beta.min(win_in(ply + 3));
        }
        if threats.threatened {
            depth = depth.max(0) + 1;
        }
        if ply >= MAX_PLY - 1 || depth <= 0 {
            return self.leaf(position, ply);
        }
        if alpha >= beta {
            return alpha;
        }

        let mut node = Node::new(position, &threats, depth, ply);
        self.table.prefetch(node.key);
        node.eval = (!threats.threatened).then(|| self.evaluate(position, ply));
        self.stack[ply].eval = node.eval;
        if let Some(score) = self.prune_by_eval::<T>(&mut node, beta) {
            return score;
        }
        // Probed only now: few of the positions above are in the table.
        let entry = self.table.get(node.key, ply);
        // Before the cutoff: the table stores scores with the reduced depth.
        node.depth -= self.internal_reduction(node.depth, entry.as_ref());
        if let Some(entry) = &entry {
            if let Some(score) = tt_cutoff::<T>(entry, node.depth, alpha, beta) {
                return score;
            }
            node.tt_turn = entry.turn;
            node.has_upper_bound = entry.bound == Bound::Upper;
        }
        if let Some(score) = self.win_by_threats::<T>(&node) {
            return score;
        }
        node.is_improving = self.is_improving(ply);
        if let Some(score) = self.extend_singular::<T>(&mut node, entry.as_ref(), beta) {
            return score;
        }
        self.search_turns::<T>(&node, alpha, beta)
    }

    /// Searches the turns of a node, the most promising first.
    fn search_turns<T: NodeType>(&mut self, node: &Node<N>, mut alpha: i32, beta: i32) -> i32 {
        let &Node {
            position,
            threats,
            depth,
            ply,
            ..
        } = node;
        let old_alpha = alpha;
        let mut best = i32::MIN;
        let mut best_turn = None;
        let mut picker = self.stack[ply].picker.take().unwrap_or_default();
        let [killer, older] = self.stack[ply].killers;
        picker.start([node.tt_turn, killer, older]);
        self.stack[ply].searched.clear();
        self.stack[ply + 1].killers = [None; 2];
        let limit = self.lmp_limit::<T>(node, alpha);
        let last = self.last_turn(ply);
        loop {
            let count = self.stack[ply].searched.len();
            if !T::ROOT
                && !threats.threatened
                && depth <= self.params.late_move_pruning_depth
                && best > -PROVED
                && count >= limit
            {
                break;
            }
            let ordering = MoveOrdering {
                history: self.history,
                params: &self.params,
                last,
            };
            let Some((turn, order)) =
                picker.pick(position, threats.safe_builds, &threats.wins, &ordering)
            else {
                break;
            };
            if node.excluded == Some(turn) || T::ROOT && self.root_excluded.contains(&turn) {
                continue;
            }
            self.stack[ply].searched.push(turn);
            let reduction = self.reduction::<T>(node, count, order);
            let score = self.search_turn::<T>(node, turn, count, reduction, alpha, beta);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_turn = Some(turn);
                    if T::PV {
                        self.update_pv(ply, turn);
                    }
                    if score >= beta {
                        if !T::PV && node.excluded.is_none() {
                            best = towards_beta(score, beta, depth);
                        }
                        break;
                    }
                }
            }
        }
        self.stack[ply].picker = Some(picker);
        if self.stopped {
            return 0;
        }
        if self.stack[ply].searched.is_empty() {
            return match node.excluded {
                Some(_) => old_alpha,
                None => Self::score_without_safe_turns(position, ply),
            };
        }
        if node.excluded.is_none() {
            self.store(node, best, best_turn, [old_alpha, beta]);
        } else if let Some(turn) = best_turn {
            // Nearly as good as the table's turn: it should come next.
            self.update_histories(node, turn);
        }
        best
    }

    /// The score of one turn of a node, after `count` others.
    fn search_turn<T: NodeType>(
        &mut self,
        node: &Node<N>,
        turn: Turn,
        count: usize,
        reduction: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let next = node.position.play(turn);
        let ply = node.ply + 1;
        let mut depth = node.depth - 1;
        if Some(turn) == node.tt_turn {
            depth += node.extension;
        }
        // A turn that threatens to win is reduced by a ply less.
        let reduction = reduction - i32::from(reduction > 0 && makes_threat(&next));
        self.evaluator.push(turn, &next);
        self.stack[node.ply].turn = Some(turn);
        if T::PV {
            // A null window search leaves the line of an earlier turn there.
            self.stack[ply].pv.clear();
        }
        let mut score = i32::MAX;
        let mut full = true;
        if reduction > 0 {
            self.stack[node.ply].reduction = reduction;
            score = -self.search::<NonPv>(&next, -alpha - 1, -alpha, depth - reduction, ply);
            self.stack[node.ply].reduction = 0;
            full = score > alpha;
        }
        if full && (!T::PV || count > 0) {
            score = -self.search::<NonPv>(&next, -alpha - 1, -alpha, depth, ply);
        }
        if T::PV && (count == 0 || (score > alpha && score < beta)) {
            score = -self.search::<Pv>(&next, -beta, -alpha, depth, ply);
        }
        self.evaluator.pop();
        score
    }

    /// The score of a node without safe turns: the mover loses now or at the
    /// opponent's next turn.
    fn score_without_safe_turns(position: &Position<N>, ply: usize) -> i32 {
        if position.has_turn() {
            loss_in(ply + 2)
        } else {
            loss_in(ply)
        }
    }

    /// Makes the turn and the variation after it the principal variation of its ply.
    fn update_pv(&mut self, ply: usize, turn: Turn) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(turn);
        pv.extend_from_slice(&lower[0].pv);
    }
}

/// The score of an inner node that needs no search: the mover wins at once, faces two
/// threats, or makes an unstoppable one.
#[inline(always)]
fn decided<const N: usize>(position: &Position<N>, threats: &Threats, ply: usize) -> Option<i32> {
    if position.has_cards() {
        position.has_win().then(|| win_in(ply + 1))
    } else if threats.lost {
        Some(loss_in(ply + 2))
    } else {
        let wins = position.has_unstoppable_threat(threats.safe_builds);
        wins.then(|| win_in(ply + 3))
    }
}

/// The stored score, if it allows a cutoff in this node.
fn tt_cutoff<T: NodeType>(entry: &TtEntry, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    let deep = entry.depth >= depth || is_proved(entry.score);
    (!T::PV && deep && settles).then_some(entry.score)
}

#[cfg(test)]
mod tests {
    use super::testing::with_searcher;
    use super::*;

    #[test]
    fn a_leaf_without_turns_scores_as_a_loss() {
        let score = |text: &str, ply| {
            let position: Position<5> = text.parse().unwrap();
            with_searcher(Params::DEFAULT, |searcher| {
                searcher.search::<NonPv>(&position, 0, 1, 0, ply)
            })
        };
        assert_eq!(
            score("00200/33300/00000/00000/00000 a1b1 d3e5 11", 4),
            loss_in(4)
        );
        assert!(!is_proved(score(
            "00100/33300/00000/00000/00000 a1b1 d3e5 10",
            4
        )));
    }
}
