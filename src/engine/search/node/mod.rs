//! The alpha-beta search of one thread: principal variation search with pruning
//! and reductions.
//!
//! In the base game a node only plays turns after which the opponent has no
//! immediate win (see `rules/threats.rs`), so only the root has to look for one. An
//! unstoppable threat, a win in three plies, is seen without search, by inner nodes
//! also one after another threat. With cards a node leaves out the turns that meet no
//! threat; whether others allow a win the next node finds out.
//!
//! A proved win or loss is always true: turns are pruned only where a turn that
//! does not lose is known, and a proof at reduced depth is still a proof. The
//! distance to the end is an upper bound for wins.

mod outcome;
mod pruning;
mod singular;
#[cfg(test)]
mod testing;
mod threats;

use crate::eval::Evaluator;
use crate::rules::{Position, Side, Turn};

use super::history::History;
use super::limits::Clock;
use super::params::Params;
use super::picker::{MoveOrdering, Picker};
use super::score::{MAX_EVAL, MAX_PLY, PROVED, is_proved, loss_in, win_in};
use super::tables::SearchTables;
use super::transposition::{Bound, TranspositionTable, TtEntry};
use outcome::towards_beta;
use singular::Singular;
use threats::{Threats, makes_threat};

/// What the search keeps for each ply.
#[derive(Default)]
struct Frame {
    /// None while its turns are searched; boxed, so that little is moved then.
    picker: Option<Box<Picker>>,
    /// The turns searched so far at this node.
    searched: Vec<Turn>,
    /// The evaluation of the position, if there is no threat.
    eval: Option<i32>,
    /// The turn that is being searched, and by how many plies less deep than it would be.
    turn: Option<Turn>,
    reduction: i32,
    killers: [Option<Turn>; 2],
    /// The principal variation from here.
    pv: Vec<Turn>,
}

/// An inner node of the tree.
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
    /// How many plies deeper that turn is searched.
    extension: i32,
    /// A turn to leave out, in the search of a singular extension.
    excluded: Option<Turn>,
    /// The evaluation, if there is no threat.
    eval: Option<i32>,
    /// Whether it has grown since the mover's last turn.
    is_improving: bool,
    /// Whether the table knows an upper bound of the score and no lower one.
    has_upper_bound: bool,
}

/// One thread's search.
pub struct Searcher<'a, const N: usize, E> {
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
    /// Root turns not to search, as they belong to better lines (multi-PV).
    root_excluded: Vec<Turn>,
}

impl<'a, const N: usize, E: Evaluator<N>> Searcher<'a, N, E> {
    /// A searcher; all threads share the table, each has its own history.
    pub fn new(
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
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the last search was stopped. Its score then means nothing.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// The principal variation of the last search. If the search was stopped, the
    /// best line so far; empty if no turn has raised alpha. It can be played: the turn of
    /// the table is searched first, mostly the best of the iteration before. (Where a
    /// search beyond its window or another thread has put another one there, a turn that
    /// raises alpha is worse than that by the window at most.)
    pub fn pv(&self) -> &[Turn] {
        &self.stack[0].pv
    }

    /// Excludes a turn from further searches of the root.
    pub fn exclude(&mut self, turn: Turn) {
        self.root_excluded.push(turn);
    }

    /// Lets all root turns be searched again.
    pub fn include_all(&mut self) {
        self.root_excluded.clear();
    }

    /// Reads what the search needs of tables into the caches.
    pub fn warm(&mut self, root: &Position<N>) {
        self.evaluator.reset(root);
        self.evaluator.warm();
        self.history.warm();
    }

    /// Searches the root to a depth within a window. The mover has no immediate
    /// win in it.
    pub fn search_root(&mut self, root: &Position<N>, alpha: i32, beta: i32, depth: u32) -> i32 {
        self.evaluator.reset(root);
        self.root_depth = depth as usize;
        self.search::<true>(root, alpha, beta, depth as i32, 0)
    }

    /// Counts a node; returns whether the search must stop.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.stopped = self.stopped || self.clock.is_over(self.nodes);
        self.stopped
    }

    /// The turn that led to this ply; none at the root.
    fn last_turn(&self, ply: usize) -> Option<Turn> {
        self.stack[ply.checked_sub(1)?].turn
    }

    /// The turn that led to this ply, then the one before, of the player to move here.
    fn last_turns(&self, ply: usize) -> [Option<Turn>; 2] {
        [
            self.last_turn(ply),
            ply.checked_sub(1).and_then(|before| self.last_turn(before)),
        ]
    }

    /// The evaluation of a position, corrected by what searches found.
    fn evaluate(&mut self, position: &Position<N>, ply: usize) -> i32 {
        let eval = self.evaluator.evaluate(position);
        let weights = self.params.correction_weights();
        let correction = (self.history.corrections).of(position, self.last_turns(ply), weights);
        (eval + correction).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The score of a leaf. In the base game a mover without a turn has lost there, which
    /// the evaluation would not tell. (With cards that was not tried.)
    fn leaf(&mut self, position: &Position<N>, ply: usize) -> i32 {
        let asks = ply > 0 && position.card(Side::Mover).is_none();
        if asks && !position.has_turn() {
            loss_in(ply)
        } else {
            self.evaluate(position, ply)
        }
    }

    /// The score of a position, `ply` plies from the root. In a `PV` node the
    /// window is open and the principal variation is kept.
    fn search<const PV: bool>(
        &mut self,
        position: &Position<N>,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        debug_assert!(alpha < beta && (PV || alpha + 1 == beta));
        if PV {
            self.stack[ply].pv.clear();
        }
        if self.count_node() {
            return 0;
        }
        if position.card(Side::Mover).is_some() && ply > 0 && position.has_win() {
            return win_in(ply + 1);
        }
        let threats = Threats::of(position);
        if threats.lost && ply > 0 {
            return loss_in(ply + 2);
        }
        if position.card(Side::Mover).is_none()
            && ply > 0
            && position.has_unstoppable_threat(threats.safe_builds)
        {
            return win_in(ply + 3);
        }
        if threats.threatened {
            depth = depth.max(0) + 1;
        }
        if ply >= MAX_PLY - 1 || depth <= 0 {
            return self.leaf(position, ply);
        }
        // Mate distance pruning: no score is better than the shortest win left, none
        // worse than the shortest loss. A player without a turn loses sooner; then only
        // the distance is too long.
        if ply > 0 {
            alpha = alpha.max(loss_in(ply + 2));
            beta = beta.min(win_in(ply + 3));
            if alpha >= beta {
                return alpha;
            }
        }

        let key = position.key();
        self.table.prefetch(key);
        let eval = (!threats.threatened).then(|| self.evaluate(position, ply));
        self.stack[ply].eval = eval;
        if let Some(eval) = eval.filter(|_| !PV) {
            depth += self.hindsight(eval, ply);
            if let Some(score) = self.reverse_futility(position, eval, beta, depth)
                && !self.is_known_below(beta, key, depth, ply)
            {
                return score;
            }
        }
        // Probed only now: few of the positions above are in the table.
        let entry = self.table.get(key, ply);
        let tt_turn = entry.and_then(|entry| entry.turn);
        // Before the table's score is asked for, which was stored with the reduced depth.
        depth -= self.internal_reduction(depth, entry.as_ref());
        if let Some(score) = entry.and_then(|entry| tt_cutoff::<PV>(&entry, depth, alpha, beta)) {
            return score;
        }
        if let Some(score) = self.win_by_threats(position, &threats, depth, ply) {
            return score;
        }
        let mut node = Node {
            position,
            threats: &threats,
            key,
            depth,
            ply,
            tt_turn,
            extension: 0,
            excluded: None,
            eval,
            is_improving: self.is_improving(ply),
            has_upper_bound: entry.is_some_and(|entry| entry.bound == Bound::Upper),
        };
        if let Some(entry) = entry {
            match self.singular(&node, &entry) {
                Singular::Yes { by_far } => node.extension = 1 + i32::from(by_far && !PV),
                Singular::No { score } if !PV && score >= beta => return score,
                Singular::No { .. } | Singular::Untested => {}
            }
            if self.stopped {
                return 0;
            }
        }
        self.search_turns::<PV>(&node, alpha, beta)
    }

    /// Searches the turns of a node, the most promising first.
    fn search_turns<const PV: bool>(&mut self, node: &Node<N>, mut alpha: i32, beta: i32) -> i32 {
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
        let limit = self.lmp_limit::<PV>(node, alpha);
        let last = self.last_turn(ply);
        loop {
            let count = self.stack[ply].searched.len();
            if ply > 0
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
            if node.excluded == Some(turn) || ply == 0 && self.root_excluded.contains(&turn) {
                continue;
            }
            self.stack[ply].searched.push(turn);
            let reduction = self.reduction::<PV>(node, count, order);
            let score = self.search_turn::<PV>(node, turn, count, reduction, alpha, beta);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_turn = Some(turn);
                    if PV {
                        self.update_pv(ply, turn);
                    }
                    if score >= beta {
                        if !PV && node.excluded.is_none() {
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
            // Nearly as good as the table's turn, so that it should come next.
            self.update_histories(node, turn);
        }
        best
    }

    /// The score of one turn of a node, after `count` others.
    fn search_turn<const PV: bool>(
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
        if PV {
            // Of a turn before, and kept if this one is searched with a null window only.
            self.stack[ply].pv.clear();
        }
        let mut score = i32::MAX;
        let mut full = true;
        if reduction > 0 {
            self.stack[node.ply].reduction = reduction;
            score = -self.search::<false>(&next, -alpha - 1, -alpha, depth - reduction, ply);
            self.stack[node.ply].reduction = 0;
            full = score > alpha;
        }
        if full && (!PV || count > 0) {
            score = -self.search::<false>(&next, -alpha - 1, -alpha, depth, ply);
        }
        if PV && (count == 0 || (score > alpha && score < beta)) {
            score = -self.search::<true>(&next, -beta, -alpha, depth, ply);
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

    /// Makes the turn, followed by the variation after it, the principal
    /// variation of its ply.
    fn update_pv(&mut self, ply: usize, turn: Turn) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(turn);
        pv.extend_from_slice(&lower[0].pv);
    }
}

/// The stored score, if it allows a cutoff in this node.
fn tt_cutoff<const PV: bool>(entry: &TtEntry, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    let deep = entry.depth >= depth || is_proved(entry.score);
    (!PV && deep && settles).then_some(entry.score)
}

#[cfg(test)]
mod tests {
    use super::testing::with_searcher;
    use super::*;

    #[test]
    fn at_a_leaf_a_mover_without_a_turn_has_lost() {
        let score = |text: &str, ply| {
            let position: Position<5> = text.parse().unwrap();
            with_searcher(Params::DEFAULT, |searcher| {
                searcher.search::<false>(&position, 0, 1, 0, ply)
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
