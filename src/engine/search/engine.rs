//! The engine: the interface of the search, and its state between searches.

use std::sync::atomic::AtomicBool;

use crate::eval::network::NetworkEvaluator;
use crate::eval::{EvalKind, Evaluator, Weighted};
use crate::jobs::NEVER;
use crate::memory;
use crate::rules::Position;

use super::deepening::{SearchRequest, deepen};
use super::history::History;
use super::limits::{Clock, Limits};
use super::params::ParamSets;
use super::report::Report;
use super::score::is_proved;
use super::shortage::{self, TableShortage};
use super::tables::SearchTables;
use super::transposition::TranspositionTable;

/// The maximum size of a transposition table that options accept, in mebibytes.
pub const MOST_HASH_MIB: usize = 1 << 20;

/// The options of an engine.
#[derive(Clone, Copy, Debug)]
pub struct EngineOptions {
    /// The size of the transposition table in mebibytes.
    pub hash_mib: usize,
    /// The number of threads. With one thread a search is reproducible.
    pub threads: usize,
    /// What scores the leaves: a network or the heuristic.
    pub eval: EvalKind,
    /// The search parameters.
    pub params: ParamSets,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash_mib: 128,
            threads: 1,
            eval: EvalKind::default(),
            params: ParamSets::BUILT_IN,
        }
    }
}

/// A search engine with its state between searches. It does no I/O.
pub struct Engine<const N: usize> {
    options: EngineOptions,
    pub(super) table: TranspositionTable,
    /// For the base game.
    base: SearchTables,
    /// For games with cards.
    cards: SearchTables,
    /// One for each thread, as far as memory allows.
    histories: Vec<History>,
    /// The nodes of all searches with results in the table.
    searched: u64,
}

impl<const N: usize> Engine<N> {
    /// A new engine.
    pub fn new(options: EngineOptions) -> Self {
        let histories = std::iter::repeat_with(History::default);
        let threads = 1 + memory::threads(options.threads.max(1) - 1);
        let engine = Self {
            options,
            table: TranspositionTable::new(options.hash_mib),
            base: SearchTables::new(options.params.base),
            cards: SearchTables::new(options.params.cards),
            histories: histories.take(threads).collect(),
            searched: 0,
        };
        if let Some(short) = engine.table_shortage() {
            shortage::report(short);
        }
        engine
    }

    /// How much smaller the table is than the options ask for, if it is.
    pub fn table_shortage(&self) -> Option<TableShortage> {
        let (wanted, taken) = (self.options.hash_mib << 20, self.table.bytes());
        (taken < wanted).then_some(TableShortage { wanted, taken })
    }

    /// Clears all state: the next search runs as in a new engine.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.fill_with(History::default);
        self.searched = 0;
    }

    /// The number of threads that search.
    pub(super) const fn threads(&self) -> usize {
        self.histories.len()
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
        self.search(root, limits, &NEVER, &mut |_| {})
    }

    /// Like [`Engine::best`], but ends once `stop` is set. Calls `progress` after each
    /// iteration.
    pub fn search(
        &mut self,
        root: &Position<N>,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search_lines(root, 1, limits, stop, progress)
    }

    /// Like [`Engine::search`], for the best `multi_pv` turns.
    pub fn search_lines(
        &mut self,
        root: &Position<N>,
        multi_pv: usize,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        match self.options.eval.within_memory(root) {
            EvalKind::Network(networks) => {
                let evaluator = || NetworkEvaluator::new(networks.for_position(root), root.cards());
                self.search_with(root, multi_pv, limits, stop, evaluator, progress)
            }
            EvalKind::Weighted(weights) => {
                let evaluator = || Weighted(weights);
                self.search_with(root, multi_pv, limits, stop, evaluator, progress)
            }
        }
    }

    /// The report of a search. If it completed no iteration, its lines get the static
    /// evaluation as their score, unless they win at once.
    pub fn scored(&self, mut report: Report, root: &Position<N>) -> Report {
        if report.depth == 0 {
            let lines = report.lines.iter_mut();
            let unknown = lines.filter(|line| !is_proved(line.score));
            unknown.for_each(|line| line.score = self.options.eval.value(root));
        }
        report
    }

    /// Like [`Engine::search_lines`], with the caller's evaluation. Each thread makes one.
    pub fn search_with<E: Evaluator<N>>(
        &mut self,
        root: &Position<N>,
        multi_pv: usize,
        limits: &Limits,
        stop: &AtomicBool,
        evaluator: impl Fn() -> E + Sync,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let clock = Clock::start(*limits, stop);
        let expected = limits.expected_nodes(self.histories.len());
        self.table.next_generation();
        if !limits.is_only_by_time() {
            self.table.make_room(expected);
        }
        let tables = match root.has_cards() {
            false => &self.base,
            true => &self.cards,
        };
        let request = SearchRequest {
            root,
            multi_pv,
            table: &self.table,
            clock: &clock,
            tables,
            searched: self.searched,
            expected,
        };
        request.grow_table(0);
        let report = deepen(&request, &mut self.histories, evaluator, progress);
        self.searched += report.nodes;
        report
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_search_by_time_takes_only_the_memory_it_needs() {
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
