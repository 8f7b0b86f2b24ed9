//! The alpha-beta search of one thread: principal variation search over
//! turns that do not lose at once. `singular.rs` asks whether one turn is much
//! better than all others.
//!
//! In the base game a node only ever plays turns after which the opponent has
//! no immediate win (see `rules/threats.rs`), so no node but the root needs to
//! look for one. With cards the same is found out on entering the next node.
//! A threat that cannot be answered, a win in three, is seen without search.
//!
//! A score that proves a win or a loss is always true: turns are only pruned
//! unseen where one that does not lose is known, and a proof at reduced depth
//! is still a proof. The distance to the end is an upper bound for wins.

mod singular;

use crate::eval::Evaluator;
use crate::rules::{Bitboard, Geometry, Position, Side, Turn};

use super::history::History;
use super::limits::Clock;
use super::numbers::Numbers;
use super::params::{Params, REDUCTION_DEPTH, REDUCTION_TURNS};
use super::picker::{Ordering, Picker, TRIED_VALUE};
use super::score::{MAX_EVAL, MAX_PLY, PROVED, is_proved, loss_in, win_in};
use super::table::{Bound, Entry, Table};
use singular::Singular;

/// What the search keeps for each ply of the current line.
#[derive(Default)]
struct Frame {
    picker: Picker,
    /// The turns searched so far at this node.
    tried: Vec<Turn>,
    killers: [Option<Turn>; 2],
    /// The best line from here.
    line: Vec<Turn>,
}

/// A position whose turns are searched.
#[derive(Clone, Copy)]
struct Node<'a, const N: usize> {
    position: &'a Position<N>,
    danger: &'a Danger,
    key: u64,
    depth: i32,
    /// The plies from the root.
    ply: usize,
    /// The turn to search first, if it is legal.
    first: Option<Turn>,
    /// By how many plies deeper than the others it is searched.
    extension: i32,
    /// A turn that is left out, to see what the others are worth.
    without: Option<Turn>,
}

/// One thread's search.
pub struct Searcher<'a, const N: usize, E> {
    table: &'a Table,
    history: &'a mut History,
    evaluator: E,
    clock: &'a Clock<'a>,
    params: Params,
    numbers: &'a Numbers,
    frames: Vec<Frame>,
    nodes: u64,
    stopped: bool,
    /// The depth of this iteration.
    root_depth: usize,
    /// Root turns that are not to be searched: the better lines already known.
    excluded: Vec<Turn>,
}

/// What the opponent threatens, and what may be built against it.
struct Danger {
    builds: Bitboard,
    threatened: bool,
    lost: bool,
}

impl Danger {
    fn of<const N: usize>(position: &Position<N>) -> Self {
        if position.card(Side::Mover).is_none() {
            let safe = position.safe_builds();
            Self {
                builds: safe.squares,
                threatened: safe.threats > 0,
                lost: safe.threats > 1,
            }
        } else {
            let threatened = position.with_players_swapped().has_win();
            Self {
                builds: Geometry::<N>::BOARD,
                threatened,
                lost: false,
            }
        }
    }
}

impl<'a, const N: usize, E: Evaluator<N>> Searcher<'a, N, E> {
    /// A searcher that shares the table with others and uses the history.
    pub fn new(
        table: &'a Table,
        history: &'a mut History,
        evaluator: E,
        clock: &'a Clock<'a>,
        numbers: &'a Numbers,
    ) -> Self {
        let frames = std::iter::repeat_with(Frame::default)
            .take(MAX_PLY + 1)
            .collect();
        let excluded = Vec::new();
        Self {
            table,
            history,
            evaluator,
            clock,
            params: numbers.params,
            numbers,
            frames,
            nodes: 0,
            stopped: false,
            root_depth: 0,
            excluded,
        }
    }

    /// The positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the last search was cut short; its score then means nothing.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// The best line of the last search; of one that was cut short the best
    /// line so far, empty if no turn has been better than the window's lower
    /// end. Since the best turn of the iteration before is searched first, a
    /// line from an unfinished search is worth playing.
    pub fn line(&self) -> &[Turn] {
        &self.frames[0].line
    }

    /// Keeps the turn out of further searches of the root.
    pub fn exclude(&mut self, turn: Turn) {
        self.excluded.push(turn);
    }

    /// Lets all root turns be searched again.
    pub fn include_all(&mut self) {
        self.excluded.clear();
    }

    /// Searches the root, in which the mover has no immediate win, to the
    /// given depth within a window.
    pub fn search_root(&mut self, root: &Position<N>, alpha: i32, beta: i32, depth: u32) -> i32 {
        self.evaluator.reset(root);
        self.root_depth = depth as usize;
        self.search::<true>(root, alpha, beta, depth as i32, 0)
    }

    /// Whether this node must be left because the search is over.
    fn enter(&mut self) -> bool {
        self.nodes += 1;
        self.stopped = self.stopped || self.clock.is_over(self.nodes);
        self.stopped
    }

    fn evaluate(&mut self, position: &Position<N>) -> i32 {
        self.evaluator.evaluate(position).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The score of a position at some ply from the root. `PV` says that the
    /// window is open and the line is wanted.
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
            self.frames[ply].line.clear();
        }
        if self.enter() {
            return 0;
        }
        if position.card(Side::Mover).is_some() && ply > 0 && position.has_win() {
            return win_in(ply + 1);
        }
        let danger = Danger::of(position);
        if danger.lost && ply > 0 {
            return loss_in(ply + 2);
        }
        if position.card(Side::Mover).is_none()
            && ply > 0
            && position.has_unstoppable_threat(danger.builds)
        {
            return win_in(ply + 3);
        }
        if danger.threatened {
            depth = depth.max(0) + 1;
        }
        if ply >= MAX_PLY - 1 || depth <= 0 {
            return self.evaluate(position);
        }
        // Nobody can do better than the shortest win or loss still open.
        if ply > 0 {
            alpha = alpha.max(loss_in(ply + 2));
            beta = beta.min(win_in(ply + 3));
            if alpha >= beta {
                return alpha;
            }
        }

        let key = position.key();
        self.table.prefetch(key);
        if !PV
            && !danger.threatened
            && let Some(eval) = self.far_above(position, beta, depth)
            // Who cannot move has lost, however good it looks.
            && position.has_turn()
        {
            return eval;
        }
        // Looked for only now: few of the positions above are in the table.
        let entry = self.table.get(key, ply);
        if let Some(score) = entry.and_then(|entry| cutoff::<PV>(&entry, depth, alpha, beta)) {
            return score;
        }
        let first = entry.and_then(|entry| entry.turn);
        if first.is_none() && depth >= self.params.internal_reduction_depth {
            depth -= 1;
        }
        let mut node = Node {
            position,
            danger: &danger,
            key,
            depth,
            ply,
            first,
            extension: 0,
            without: None,
        };
        if let Some(entry) = entry {
            match self.singular(&node, &entry) {
                Singular::Yes => node.extension = 1,
                Singular::No { others } if !PV && others >= beta => return others,
                Singular::No { .. } | Singular::Unknown => {}
            }
            if self.stopped {
                return 0;
            }
        }
        self.search_turns::<PV>(&node, alpha, beta)
    }

    /// Searches the turns of a node, best first.
    fn search_turns<const PV: bool>(&mut self, node: &Node<N>, mut alpha: i32, beta: i32) -> i32 {
        let &Node {
            position,
            danger,
            depth,
            ply,
            ..
        } = node;
        let old_alpha = alpha;
        let mut best = i32::MIN;
        let mut best_turn = None;
        let mut picker = std::mem::take(&mut self.frames[ply].picker);
        let [killer, older] = self.frames[ply].killers;
        picker.start([node.first, killer, older]);
        self.frames[ply].tried.clear();
        self.frames[ply + 1].killers = [None; 2];
        loop {
            let tried = self.frames[ply].tried.len();
            let is_late = tried >= self.late_after(depth) && best > -PROVED;
            if !PV && !danger.threatened && depth <= self.params.late_move_pruning_depth && is_late
            {
                break;
            }
            let ordering = Ordering {
                history: self.history,
                params: &self.params,
            };
            let Some((turn, value)) = picker.pick(position, danger.builds, &ordering) else {
                break;
            };
            if node.without == Some(turn) || ply == 0 && self.excluded.contains(&turn) {
                continue;
            }
            self.frames[ply].tried.push(turn);
            let reduction = self.reduction::<PV>(depth, tried, value, danger);
            let score = self.search_turn::<PV>(node, turn, tried, reduction, alpha, beta);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_turn = Some(turn);
                    if PV {
                        self.extend_line(ply, turn);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.frames[ply].picker = picker;
        if self.stopped {
            return 0;
        }
        if self.frames[ply].tried.is_empty() {
            return match node.without {
                Some(_) => old_alpha,
                None => self.without_safe_turns(position, ply),
            };
        }
        if node.without.is_none() {
            self.remember(node, best, best_turn, [old_alpha, beta]);
        }
        best
    }

    /// Keeps what the search of a node within a window has found out.
    fn remember(
        &mut self,
        node: &Node<N>,
        best: i32,
        best_turn: Option<Turn>,
        [alpha, beta]: [i32; 2],
    ) {
        if best >= beta
            && let Some(turn) = best_turn
        {
            self.learn(node.position, node.depth, node.ply, turn);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if node.ply > 0 || self.excluded.is_empty() {
            let entry = Entry {
                turn: best_turn,
                score: best,
                depth: node.depth,
                bound,
            };
            self.table.put(node.key, &entry, node.ply);
        }
    }

    /// How many plies less deep a turn with this ordering value is looked at
    /// first, if `tried` turns came before it.
    fn reduction<const PV: bool>(
        &self,
        depth: i32,
        tried: usize,
        value: i32,
        danger: &Danger,
    ) -> i32 {
        if tried < REDUCTION_TURNS || depth < REDUCTION_DEPTH || danger.threatened {
            return 0;
        }
        let promising = (self.params.reduction_history..TRIED_VALUE).contains(&value);
        let plies = self.numbers.reductions.plies(depth, tried);
        (plies - i32::from(PV) - i32::from(promising)).clamp(0, depth - 1)
    }

    /// The score of one turn of a node; `tried` turns came before it.
    fn search_turn<const PV: bool>(
        &mut self,
        node: &Node<N>,
        turn: Turn,
        tried: usize,
        reduction: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let next = node.position.play(turn);
        let ply = node.ply + 1;
        let mut depth = node.depth - 1;
        if Some(turn) == node.first {
            depth += node.extension;
        }
        let reduced = depth - reduction;
        self.evaluator.push(turn, &next);
        let mut score = i32::MAX;
        let mut full = true;
        if reduced < depth {
            score = -self.search::<false>(&next, -alpha - 1, -alpha, reduced, ply);
            full = score > alpha;
        }
        if full && (!PV || tried > 0) {
            score = -self.search::<false>(&next, -alpha - 1, -alpha, depth, ply);
        }
        if PV && (tried == 0 || (score > alpha && score < beta)) {
            score = -self.search::<true>(&next, -beta, -alpha, depth, ply);
        }
        self.evaluator.pop();
        score
    }

    /// The score of a node without a turn that is safe: its mover loses now
    /// or at the opponent's next turn.
    fn without_safe_turns(&self, position: &Position<N>, ply: usize) -> i32 {
        if position.has_turn() {
            loss_in(ply + 2)
        } else {
            loss_in(ply)
        }
    }

    /// Makes the turn and the line found after it the best line of its ply.
    fn extend_line(&mut self, ply: usize, turn: Turn) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let line = &mut upper[ply].line;
        line.clear();
        line.push(turn);
        line.extend_from_slice(&lower[0].line);
    }

    /// Remembers the turn that cut off.
    fn learn(&mut self, position: &Position<N>, depth: i32, ply: usize, turn: Turn) {
        let frame = &mut self.frames[ply];
        if frame.killers[0] != Some(turn) {
            frame.killers = [Some(turn), frame.killers[0]];
        }
        let others = frame
            .tried
            .split_last()
            .map_or(&[][..], |(_, others)| others);
        let bonus = (self.params.history_bonus * depth).min(self.params.history_bonus_max);
        self.history.update(position, bonus, turn, others);
    }

    /// A shallow node's evaluation if it is so good that some turn will hold
    /// it (reverse futility pruning).
    fn far_above(&mut self, position: &Position<N>, beta: i32, depth: i32) -> Option<i32> {
        if depth > self.params.reverse_futility_depth || is_proved(beta) {
            return None;
        }
        let eval = self.evaluate(position);
        (eval - self.params.reverse_futility_margin * depth >= beta).then_some(eval)
    }

    /// The turns a shallow node searches before the rest is pruned.
    fn late_after(&self, depth: i32) -> usize {
        let depth = depth.max(0);
        let turns = self.params.late_move_pruning_factor * depth * depth;
        (self.params.late_move_pruning_base + turns) as usize
    }
}

/// The stored score, if it settles this node.
fn cutoff<const PV: bool>(entry: &Entry, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    let deep = entry.depth >= depth || is_proved(entry.score);
    (!PV && deep && settles).then_some(entry.score)
}
