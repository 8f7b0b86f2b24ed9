//! The engine: a search from outside, with what it remembers in between.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::eval::network::NetworkEvaluator;
use crate::eval::{EvalKind, Evaluator, Weighted};
use crate::memory;
use crate::rules::{Position, Side, Turn};

use super::deepening::{Request, deepen};
use super::history::History;
use super::limits::{Clock, Limits};
use super::numbers::Numbers;
use super::params::ParamSets;
use super::policy::Learned;
use super::score::{ScoreText, loss_in};
use super::table::Table;

/// How an engine is set up.
#[derive(Clone, Copy, Debug)]
pub struct EngineOptions {
    /// The size of the transposition table in mebibytes.
    pub hash_mib: usize,
    /// How many threads search at the same time. With one, the same search
    /// gives the same result every time.
    pub threads: usize,
    pub eval: EvalKind,
    /// The tunable numbers of the search.
    pub params: ParamSets,
    /// What turns are worth for what they are like.
    pub policy: Learned,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash_mib: 128,
            threads: 1,
            eval: EvalKind::default(),
            params: ParamSets::BUILT_IN,
            policy: Learned::embedded(),
        }
    }
}

/// One line of play with its score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// For the player to move, in hundredths of a level of height; from
    /// [`PROVED`](super::PROVED) on a proved win.
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

    /// The score of the best line for people.
    pub fn score_text(&self) -> ScoreText {
        ScoreText(self.score())
    }
}

/// A search engine with its memory of earlier searches. It does no input or
/// output.
pub struct Engine<const N: usize> {
    options: EngineOptions,
    table: Table,
    /// For the base game.
    base: Numbers,
    /// For games with cards.
    cards: Numbers,
    /// One for each thread that there is memory for.
    histories: Vec<History>,
    /// The nodes of all searches that the table knows of.
    searched: u64,
}

/// There is less memory than the transposition table was to have. Sizes are in
/// bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "no memory for a transposition table of {} MiB, taking one of {} MiB",
    mib(*wanted), mib(*taken)
)]
pub struct TableShortage {
    pub wanted: usize,
    pub taken: usize,
}

fn mib(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

impl<const N: usize> Engine<N> {
    /// An engine that has not searched anything yet.
    pub fn new(options: EngineOptions) -> Self {
        let histories = std::iter::repeat_with(History::default);
        let threads = 1 + memory::threads(options.threads.max(1) - 1);
        Self {
            options,
            table: Table::new(options.hash_mib),
            base: Numbers::new(options.params.base, options.policy),
            cards: Numbers::new(options.params.cards, options.policy),
            histories: histories.take(threads).collect(),
            searched: 0,
        }
    }

    /// Whether there was less memory than the options ask for.
    pub fn table_shortage(&self) -> Option<TableShortage> {
        let (wanted, taken) = (self.options.hash_mib << 20, self.table.bytes());
        (taken < wanted).then_some(TableShortage { wanted, taken })
    }

    /// Forgets everything, so that the next search is as that of a new engine.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.fill_with(History::default);
        self.searched = 0;
    }

    /// Whether the evaluation is a network.
    pub(super) fn has_network(&self) -> bool {
        matches!(self.options.eval, EvalKind::Network(_))
    }

    /// Searches a position for its best turn within the limits.
    ///
    /// ```
    /// use santorini::rules::Position;
    /// use santorini::search::{Engine, EngineOptions, Limits};
    ///
    /// let position: Position<5> = "00000/01200/00320/00000/00000 c2d4 a1a5 6".parse()?;
    /// let mut engine = Engine::new(EngineOptions::default());
    /// let report = engine.best(&position, &Limits::nodes(10_000));
    /// assert_eq!(report.score_text().to_string(), "win in 1");
    /// assert_eq!(report.turn().unwrap().text::<5>().to_string(), "c2-c3#");
    /// # Ok::<(), santorini::rules::PositionTextError>(())
    /// ```
    pub fn best(&mut self, root: &Position<N>, limits: &Limits) -> Report {
        static NEVER: AtomicBool = AtomicBool::new(false);
        self.search(root, limits, &NEVER, &mut |_| {})
    }

    /// Like [`Engine::best`], until `stop` is set too. `progress` is called after each completed iteration.
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
        match self.options.eval {
            EvalKind::Network(networks) => {
                let evaluator = || NetworkEvaluator::new(networks.for_position(root));
                self.search_with(root, count, limits, stop, evaluator, progress)
            }
            EvalKind::Weighted(weights) => {
                let evaluator = || Weighted(weights);
                self.search_with(root, count, limits, stop, evaluator, progress)
            }
        }
    }

    /// Like [`Engine::search_lines`], with an evaluation of the caller's, made
    /// for each thread.
    pub fn search_with<E: Evaluator<N>>(
        &mut self,
        root: &Position<N>,
        count: usize,
        limits: &Limits,
        stop: &AtomicBool,
        evaluator: impl Fn() -> E + Sync,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let clock = Clock::start(*limits, stop);
        self.table.next_generation();
        let numbers = match root.card(Side::Mover) {
            None => &self.base,
            Some(_) => &self.cards,
        };
        let request = Request {
            root,
            count,
            table: &self.table,
            clock: &clock,
            numbers,
            searched: self.searched,
            expected: limits.expected_nodes(self.histories.len()),
        };
        if limits.is_only_by_time() {
            request.make_room(0);
        } else {
            self.table.make_room(request.expected);
        }
        let report = deepen(&request, &mut self.histories, evaluator, progress);
        self.searched += report.nodes;
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_by_time_takes_only_the_memory_that_it_needs() {
        let board: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let mut engine = Engine::new(EngineOptions::default());
        let mut in_use = |depth| {
            let limits = Limits {
                time: Some(Duration::from_secs(3600)),
                ..Limits::depth(depth)
            };
            let report = engine.search(&board, &limits, &AtomicBool::new(false), &mut |_| {});
            assert_eq!(report.depth, depth);
            (engine.table.bytes_in_use(), report.nodes)
        };
        let (first, _) = in_use(8);
        assert!(first <= 4 << 20, "{first} bytes for depth 8");
        let (bytes, nodes) = in_use(10);
        assert!(
            bytes > first && bytes as u64 >= 16 * nodes,
            "{bytes} bytes for {nodes} nodes"
        );
    }
}
