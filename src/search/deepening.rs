//! Iterative deepening: searching the root to depth 1, 2, 3, ... until the
//! limits, on one thread or several.
//!
//! Several threads search the same root and share the transposition table
//! ("lazy SMP"): what one has found out shortens the search of the others.
//! The first thread's result is the answer.

use std::thread;

use crate::eval::Evaluator;
use crate::memory;
use crate::rules::{Position, Side, Turn};

use super::engine::{Line, Report};
use super::history::History;
use super::limits::Clock;
use super::node::Searcher;
use super::numbers::Numbers;
use super::params::ASPIRATION_DEPTH;
use super::patience::Patience;
use super::score::{WIN, is_proved, win_in};
use super::table::Table;

/// What to search.
pub struct Request<'a, const N: usize> {
    pub root: &'a Position<N>,
    /// How many lines are wanted.
    pub count: usize,
    pub table: &'a Table,
    pub clock: &'a Clock<'a>,
    pub numbers: &'a Numbers,
    /// The nodes of the searches before, whose results the table holds.
    pub searched: u64,
    /// About how many nodes this search may have at most, if that is known.
    pub expected: Option<u64>,
}

/// The nodes for which the table has room before the first iteration: they fill
/// a huge page.
const FIRST_NODES: u64 = 1 << 16;

impl<const N: usize> Request<'_, N> {
    /// Makes room in the table for what comes after this many nodes: the next
    /// iteration has about as many as all before together.
    ///
    /// With room for all that its time may suffice for, a search would wait in
    /// its first depths for memory that it does not need yet: all over the table
    /// the system would have to clear huge pages. (Measured: 0.06 to 0.3 s for
    /// 128 MiB, on virtual machines.)
    pub fn make_room(&self, nodes: u64) {
        let wanted = (2 * (self.searched + nodes)).max(FIRST_NODES);
        self.table
            .make_room(Some(self.expected.unwrap_or(u64::MAX).min(wanted)));
    }
}

/// Searches with one thread for each history, or with fewer where the system
/// has no more threads or no memory for them.
pub fn deepen<const N: usize, E: Evaluator<N>>(
    request: &Request<N>,
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
                // Every second thread is a ply ahead of the rest.
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
    request: &'a Request<'a, N>,
}

impl<'a, const N: usize, E: Evaluator<N>> Deepening<'a, N, E> {
    fn new(request: &'a Request<'a, N>, history: &'a mut History, evaluator: E) -> Self {
        let searcher = Searcher::new(
            request.table,
            history,
            evaluator,
            request.clock,
            request.numbers,
        );
        Self { searcher, request }
    }

    /// Searches until the first thread has finished; returns the nodes.
    fn help(mut self, ahead: u32) -> u64 {
        let mut lines = self.without_search().lines;
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

    fn run(&mut self, progress: &mut dyn FnMut(&Report)) -> Report {
        let mut report = self.without_search();
        if self.is_decided(&report) {
            progress(&report);
            return report;
        }
        let mut patience = Patience::default();
        for depth in 1..=self.request.clock.max_depth() {
            let Some(lines) = self.iterate(depth, &report.lines) else {
                self.keep_unfinished(&mut report);
                break;
            };
            report = Report {
                lines,
                depth,
                ..report
            };
            self.count_work(&mut report);
            progress(&report);
            let share = patience.share_after(&report);
            if self.is_decided(&report) || self.request.clock.is_share_over(share) {
                break;
            }
            self.request.make_room(report.nodes);
        }
        self.count_work(&mut report);
        report
    }

    fn count_work(&self, report: &mut Report) {
        report.nodes = self.searcher.nodes().max(self.request.clock.nodes());
        report.time = self.request.clock.elapsed();
    }

    /// What is known before any search: an immediate win, or else legal turns
    /// that stand in until something better is found.
    fn without_search(&self) -> Report {
        let wins: Vec<Turn> = {
            let mut wins = Vec::new();
            self.request.root.for_each_win(|turn| wins.push(turn));
            wins
        };
        let (turns, score) = if wins.is_empty() {
            (stand_ins(self.request.root), 0)
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
                .take(self.request.count)
                .map(line)
                .collect(),
            ..Report::default()
        }
    }

    /// Whether more search cannot change what is played. (Where time is not
    /// to be saved, the score of an only turn is still worth knowing.)
    fn is_decided(&self, report: &Report) -> bool {
        let saves_time = self.request.clock.saves_time() && self.request.count == 1;
        report.lines.iter().all(|line| is_proved(line.score))
            || saves_time && report.depth > 0 && self.has_one_sensible_turn()
    }

    /// Whether all turns but one lose at once.
    fn has_one_sensible_turn(&self) -> bool {
        let root = self.request.root;
        let mut sensible = 0;
        root.for_each_turn(|turn| sensible += u32::from(!root.play(turn).has_win()));
        sensible == 1
    }

    /// Takes over the turn that an unfinished iteration has found better than
    /// the one of the iteration before. Its score is not known to the end, so
    /// the report keeps the older one.
    fn keep_unfinished(&self, report: &mut Report) {
        let line = self.searcher.pv();
        if self.request.count == 1 && !line.is_empty() && report.depth > 0 {
            report.lines[0].turns = line.to_vec();
        }
    }

    /// Searches the root to the given depth for all lines wanted; `None` if
    /// the search was cut short.
    fn iterate(&mut self, depth: u32, previous: &[Line]) -> Option<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::new();
        self.searcher.include_all();
        for guess in previous.iter().take(self.request.count) {
            let score = self.search_window(depth, guess.score)?;
            let mut turns = self.searcher.pv().to_vec();
            if turns.is_empty() {
                // Every turn left loses at once.
                let mut left = stand_ins(self.request.root).into_iter();
                turns.extend(left.find(|turn| lines.iter().all(|line| line.turns[0] != *turn)));
            }
            self.searcher.exclude(*turns.first()?);
            lines.push(Line { score, turns });
        }
        lines.sort_by_key(|line| -line.score);
        Some(lines)
    }

    /// Searches around the score of the iteration before, with a window that
    /// widens until it holds the score.
    fn search_window(&mut self, depth: u32, previous: i32) -> Option<i32> {
        let mut width = self.request.numbers.params.aspiration_window;
        let (mut alpha, mut beta) = (-WIN, WIN);
        if depth >= ASPIRATION_DEPTH && !is_proved(previous) {
            (alpha, beta) = (previous - width, previous + width);
        }
        loop {
            let score = self
                .searcher
                .search_root(self.request.root, alpha, beta, depth);
            if self.searcher.stopped() {
                return None;
            }
            width *= 4;
            if score <= alpha && alpha > -WIN {
                alpha = if is_proved(score) {
                    -WIN
                } else {
                    (score - width).max(-WIN)
                };
            } else if score >= beta && beta < WIN {
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

/// Legal turns in the order in which they would be played without a search:
/// those that build where the opponent threatens to win come first.
fn stand_ins<const N: usize>(root: &Position<N>) -> Vec<Turn> {
    let mut turns = root.turns();
    let threats = root.winning_squares(Side::Other);
    turns.sort_by_key(|turn| !turn.build().is_some_and(|build| threats.has(build)));
    turns
}
