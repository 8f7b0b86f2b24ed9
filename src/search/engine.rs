//! The engine: iterative deepening over the alpha-beta search.

use std::any::Any;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::eval::network::{Network, NetworkEvaluator};
use crate::eval::{EvalKind, Evaluator, Weighted, Weights};
use crate::rules::{Position, Side, Turn};

use super::limits::{Clock, Limits};
use super::node::Searcher;
use super::order::History;
use super::params::{ASPIRATION_DEPTH, ASPIRATION_WINDOW};
use super::score::{WIN, is_proved, loss_in, win_in};
use super::table::Table;

/// How an engine is set up.
#[derive(Clone, Copy, Debug)]
pub struct EngineOptions {
    /// The size of the transposition table in mebibytes.
    pub hash_mib: usize,
    pub eval: EvalKind,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash_mib: 128,
            eval: EvalKind::default(),
        }
    }
}

/// One line of play with its score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// For the player to move, see [`super::score`].
    pub score: i32,
    /// The turns expected; the first is the one to play.
    pub turns: Vec<Turn>,
}

/// What a search has found, after each iteration and at its end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The best lines, best first; empty only if there is no legal turn.
    pub lines: Vec<Line>,
    /// The depth completed, in plies.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    pub time: Duration,
}

impl Report {
    /// The turn to play.
    pub fn turn(&self) -> Option<Turn> {
        self.lines.first()?.turns.first().copied()
    }

    /// The score of the best line.
    pub fn score(&self) -> i32 {
        self.lines.first().map_or(loss_in(0), |line| line.score)
    }
}

/// A search engine with its memory of earlier searches. It does no input or
/// output.
pub struct Engine<const N: usize> {
    options: EngineOptions,
    table: Table,
    history: History,
}

impl<const N: usize> Engine<N> {
    /// An engine that has not searched anything yet.
    pub fn new(options: EngineOptions) -> Self {
        Self {
            options,
            table: Table::new(options.hash_mib),
            history: History::default(),
        }
    }

    /// Forgets everything, so that the next search is as that of a new engine.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = History::default();
    }

    /// Searches a position for its best turn, within the limits and until
    /// `stop` is set. `progress` is called after each completed iteration.
    pub fn search(
        &mut self,
        root: &Position<N>,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search_lines(root, 1, limits, stop, progress)
    }

    /// Like [`Engine::search`], for the best `count` turns.
    ///
    /// With no limit reached, one thread and the same engine state, the result
    /// is the same every time.
    pub fn search_lines(
        &mut self,
        root: &Position<N>,
        count: usize,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let clock = Clock::start(*limits, stop);
        self.table.next_generation();
        let network = match self.options.eval {
            EvalKind::Network(network) => suitable(network, root),
            EvalKind::Weighted(_) => None,
        };
        let weights = match self.options.eval {
            EvalKind::Weighted(weights) => weights,
            EvalKind::Network(_) => Weights::TUNED,
        };
        let (table, history) = (&self.table, &mut self.history);
        match network {
            Some(network) => {
                let evaluator = NetworkEvaluator::new(network);
                let searcher = Searcher::new(table, history, evaluator, &clock);
                Deepening {
                    searcher,
                    root,
                    clock: &clock,
                    count,
                }
                .run(progress)
            }
            None => {
                let searcher = Searcher::new(table, history, Weighted(weights), &clock);
                Deepening {
                    searcher,
                    root,
                    clock: &clock,
                    count,
                }
                .run(progress)
            }
        }
    }
}

/// The network, if it knows such positions.
fn suitable<const N: usize>(
    network: &'static Network<5>,
    position: &Position<N>,
) -> Option<&'static Network<N>> {
    let network: &dyn Any = network;
    network
        .downcast_ref()
        .filter(|_| position.card(Side::Mover).is_none())
}

/// One search by iterative deepening.
struct Deepening<'a, const N: usize, E> {
    searcher: Searcher<'a, N, E>,
    root: &'a Position<N>,
    clock: &'a Clock<'a>,
    /// How many lines are wanted.
    count: usize,
}

impl<const N: usize, E: Evaluator<N>> Deepening<'_, N, E> {
    fn run(mut self, progress: &mut dyn FnMut(&Report)) -> Report {
        let mut report = self.without_search();
        if self.is_decided(&report) {
            progress(&report);
            return report;
        }
        for depth in 1..=self.clock.max_depth() {
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
            if self.is_decided(&report) || self.clock.is_soft_over(1.0) {
                break;
            }
        }
        self.count_work(&mut report);
        report
    }

    fn count_work(&self, report: &mut Report) {
        report.nodes = self.searcher.nodes();
        report.time = self.clock.elapsed();
    }

    /// What is known before any search: an immediate win, or else legal turns
    /// that stand in until something better is found.
    fn without_search(&self) -> Report {
        let wins: Vec<Turn> = {
            let mut wins = Vec::new();
            self.root.for_each_win(|turn| wins.push(turn));
            wins
        };
        let (turns, score) = if wins.is_empty() {
            (stand_ins(self.root), 0)
        } else {
            (wins, win_in(1))
        };
        let line = |turn| Line {
            score,
            turns: vec![turn],
        };
        Report {
            lines: turns.into_iter().take(self.count).map(line).collect(),
            ..Report::default()
        }
    }

    /// Whether more search cannot change what is played.
    fn is_decided(&self, report: &Report) -> bool {
        report.lines.iter().all(|line| is_proved(line.score))
            || self.count == 1 && report.depth > 0 && self.root.count_turns() == 1
    }

    /// Takes over the turn that an unfinished iteration has found better than
    /// the one of the iteration before. Its score is not known to the end, so
    /// the report keeps the older one.
    fn keep_unfinished(&self, report: &mut Report) {
        let line = self.searcher.line();
        if self.count == 1 && !line.is_empty() && report.depth > 0 {
            report.lines[0].turns = line.to_vec();
        }
    }

    /// Searches the root to the given depth for all lines wanted; `None` if
    /// the search was cut short.
    fn iterate(&mut self, depth: u32, previous: &[Line]) -> Option<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::new();
        self.searcher.include_all();
        for guess in previous.iter().take(self.count) {
            let score = self.search_window(depth, guess.score)?;
            let mut turns = self.searcher.line().to_vec();
            if turns.is_empty() {
                // Every turn left loses at once.
                let mut left = stand_ins(self.root).into_iter();
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
        let mut width = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = (-WIN, WIN);
        if depth >= ASPIRATION_DEPTH && !is_proved(previous) {
            (alpha, beta) = (previous - width, previous + width);
        }
        loop {
            let score = self.searcher.search_root(self.root, alpha, beta, depth);
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
