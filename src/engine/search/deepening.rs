//! Iterative deepening: searches the root to depth 1, 2, 3, ... until a limit, with
//! aspiration windows, on one thread or several.
//!
//! Several threads search the same root and share only the transposition table (lazy SMP).
//! The first thread's result is the answer.

use std::thread;

use crate::eval::Evaluator;
use crate::memory;
use crate::rules::{Position, Turn, WinPaths};

use super::history::History;
use super::limits::Clock;
use super::node::Searcher;
use super::params::ASPIRATION_DEPTH;
use super::report::{Line, Report};
use super::score::{WIN, is_proved, win_in};
use super::tables::SearchTables;
use super::time::TimeManager;
use super::transposition::TranspositionTable;

/// What to search, and with what.
pub(super) struct SearchRequest<'a, const N: usize> {
    pub root: &'a Position<N>,
    /// The number of lines wanted (multi-PV).
    pub multi_pv: usize,
    pub table: &'a TranspositionTable,
    pub clock: &'a Clock<'a>,
    pub tables: &'a SearchTables,
    /// The nodes of earlier searches whose results are in the table.
    pub searched: u64,
    /// An upper estimate of the nodes of this search, if there is one.
    pub expected: Option<u64>,
}

/// The table has room for this many nodes before the first iteration: one huge page.
const FIRST_NODES: u64 = 1 << 16;

impl<const N: usize> SearchRequest<'_, N> {
    /// Makes room in the table for the next iteration, after this many nodes. It needs
    /// about as many nodes as all iterations before it together.
    ///
    /// With a full-size table from the start, the first iterations would wait for the system
    /// to clear huge pages. Measured: 0.06 to 0.3 s for 128 MiB, on virtual machines.
    pub(super) fn grow_table(&self, nodes: u64) {
        let wanted = (2 * (self.searched + nodes)).max(FIRST_NODES);
        self.table
            .grow(wanted.min(self.expected.unwrap_or(u64::MAX)));
    }
}

/// Searches with a thread for each history, or with fewer if the system lacks threads or
/// memory.
pub(super) fn deepen<const N: usize, E: Evaluator<N>>(
    request: &SearchRequest<N>,
    histories: &mut [History],
    evaluator: impl Fn() -> E + Sync,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    let (first, others) = histories.split_first_mut().expect("an engine has a thread");
    let helpers = memory::threads(others.len());
    thread::scope(|scope| {
        let others: Vec<_> = others
            .iter_mut()
            .take(helpers)
            .enumerate()
            .map(|(index, history)| {
                let evaluator = &evaluator;
                // Every second thread is a ply deeper than the rest.
                let ahead = (index + 1) % 2;
                let help = move || Deepening::new(request, history, evaluator()).help(ahead as u32);
                thread::Builder::new().spawn_scoped(scope, help)
            })
            .map_while(Result::ok)
            .collect();
        let mut deepening = Deepening::new(request, first, evaluator());
        let mut report = deepening.run(progress);
        request.clock.finish();
        report.nodes = deepening.searcher.nodes();
        for thread in others {
            report.nodes += thread.join().expect("the search does not panic");
        }
        report
    })
}

/// One search by iterative deepening.
struct Deepening<'a, const N: usize, E> {
    searcher: Searcher<'a, N, E>,
    request: &'a SearchRequest<'a, N>,
    /// The line of this iteration's last search that failed high.
    failed_high: Vec<Turn>,
}

impl<'a, const N: usize, E: Evaluator<N>> Deepening<'a, N, E> {
    fn new(request: &'a SearchRequest<'a, N>, history: &'a mut History, evaluator: E) -> Self {
        let searcher = Searcher::new(
            request.table,
            history,
            evaluator,
            request.clock,
            request.tables,
        );
        Self {
            searcher,
            request,
            failed_high: Vec::new(),
        }
    }

    /// The loop of a helper thread: searches until the first thread has finished. Returns
    /// the nodes.
    fn help(mut self, ahead: u32) -> u64 {
        let mut lines = self.initial_report().lines;
        if !lines.iter().any(|line| is_proved(line.score)) {
            for depth in 1 + ahead..=self.request.clock.max_depth() {
                match self.iterate(depth, &lines) {
                    Some(found) => lines = found,
                    None => break,
                }
            }
        }
        self.searcher.nodes()
    }

    /// The loop of the first thread.
    fn run(&mut self, progress: &mut dyn FnMut(&Report)) -> Report {
        let mut report = self.initial_report();
        if self.is_decided(&report) {
            progress(&report);
            return report;
        }
        if self.request.clock.has_time() {
            self.searcher.warm(self.request.root);
        }
        let mut time_manager = TimeManager::default();
        for depth in 1..=self.request.clock.max_depth() {
            let Some(lines) = self.iterate(depth, &report.lines) else {
                self.use_partial_iteration(&mut report);
                break;
            };
            report = Report {
                lines,
                depth,
                ..report
            };
            self.update_totals(&mut report);
            progress(&report);
            let share = time_manager.update(&report);
            if self.is_decided(&report) || self.request.clock.is_share_over(share) {
                break;
            }
            self.request.grow_table(report.nodes);
        }
        self.update_totals(&mut report);
        report
    }

    fn update_totals(&self, report: &mut Report) {
        report.nodes = self.searcher.nodes().max(self.request.clock.nodes());
        report.time = self.request.clock.elapsed();
    }

    /// The report before any search: an immediate win, or else legal turns to fall back on.
    fn initial_report(&self) -> Report {
        let mut wins: Vec<Turn> = Vec::new();
        self.request.root.for_each_win(|turn| wins.push(turn));
        let (turns, score) = if wins.is_empty() {
            (fallback_turns(self.request.root), 0)
        } else {
            (wins, win_in(1))
        };
        let line = |turn| Line {
            score,
            turns: vec![turn],
        };
        Report {
            lines: turns
                .into_iter()
                .take(self.request.multi_pv)
                .map(line)
                .collect(),
            ..Report::default()
        }
    }

    /// Whether the turn is final: all lines are proved or, to save time, only one turn does not
    /// lose at once. (Without a need to save time, the score of that turn is worth knowing.)
    fn is_decided(&self, report: &Report) -> bool {
        let saves_time = self.request.clock.saves_time() && self.request.multi_pv == 1;
        report.lines.iter().all(|line| is_proved(line.score))
            || saves_time && report.depth > 0 && self.has_only_turn()
    }

    /// Whether all turns but one lose at once.
    fn has_only_turn(&self) -> bool {
        let root = self.request.root;
        let turns = root.turns();
        let lasting = turns.iter().filter(|&&turn| !root.play(turn).has_win());
        lasting.count() == 1
    }

    /// Takes the best line of a stopped iteration: that of the stopped search or, without
    /// one, that of the last search that failed high. The report keeps the score of the last
    /// full iteration. A search that failed high may know only the turn; if that turn is new,
    /// the table gives the reply.
    fn use_partial_iteration(&self, report: &mut Report) {
        let line = match self.searcher.pv() {
            [] => &self.failed_high,
            line => line,
        };
        let Some((&turn, after)) = line.split_first() else {
            return;
        };
        if self.request.multi_pv > 1 || report.depth == 0 {
            return;
        }
        let known = &mut report.lines[0].turns;
        if !after.is_empty() {
            *known = line.to_vec();
        } else if known[0] != turn {
            *known = vec![turn];
            known.extend(self.reply_in_table(turn));
        }
    }

    /// The table's reply to a turn of the root.
    fn reply_in_table(&self, turn: Turn) -> Option<Turn> {
        let next = self.request.root.play(turn);
        let reply = self.request.table.get(next.key(), 1)?.turn?;
        next.turns().contains(&reply).then_some(reply)
    }

    /// Searches the root to a depth for all lines. `None` if the search was stopped.
    fn iterate(&mut self, depth: u32, previous: &[Line]) -> Option<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::new();
        self.searcher.include_all();
        for guess in previous.iter().take(self.request.multi_pv) {
            let score = self.aspiration_search(depth, guess.score)?;
            let mut turns = self.searcher.pv().to_vec();
            if turns.is_empty() {
                // All remaining turns lose at once.
                let mut left = fallback_turns(self.request.root).into_iter();
                turns.extend(left.find(|turn| lines.iter().all(|line| line.turns[0] != *turn)));
            }
            self.searcher.exclude(*turns.first()?);
            lines.push(Line { score, turns });
        }
        lines.sort_by_key(|line| -line.score);
        Some(lines)
    }

    /// Searches with an aspiration window around the last iteration's score, widened until
    /// it holds the score. `None` if the search was stopped.
    fn aspiration_search(&mut self, depth: u32, previous: i32) -> Option<i32> {
        let params = &self.request.tables.params;
        let mut width = params.aspiration_window;
        let (mut alpha, mut beta) = (-WIN, WIN);
        if depth >= ASPIRATION_DEPTH && !is_proved(previous) {
            (alpha, beta) = (previous - width, previous + width);
        }
        self.failed_high.clear();
        loop {
            let score = self
                .searcher
                .search_root(self.request.root, alpha, beta, depth);
            if self.searcher.stopped() {
                return None;
            }
            width *= params.aspiration_growth;
            if score <= alpha && alpha > -WIN {
                if is_proved(score) {
                    alpha = -WIN;
                } else {
                    // The score is near the old alpha: a narrower window is enough.
                    beta = (alpha + beta) / 2;
                    alpha = (score - width).max(-WIN);
                }
            } else if score >= beta && beta < WIN {
                self.failed_high = self.searcher.pv().to_vec();
                beta = if is_proved(score) {
                    WIN
                } else {
                    (score + width).min(WIN)
                };
            } else {
                return Some(score);
            }
        }
    }
}

/// Legal turns to play without a search: those that meet the opponent's threats first.
fn fallback_turns<const N: usize>(root: &Position<N>) -> Vec<Turn> {
    let mut turns = root.turns();
    let wins = WinPaths::of_opponent(root);
    turns.sort_by_key(|&turn| !wins.are_met(root, turn));
    turns
}
