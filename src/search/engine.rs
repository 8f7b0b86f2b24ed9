//! The engine: a search from outside, with what it remembers in between.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::eval::network::NetworkEvaluator;
use crate::eval::{EvalKind, Evaluator, Weighted};
use crate::rules::{Position, Side, Turn};

use super::deepening::{Request, deepen};
use super::history::History;
use super::limits::{Clock, Limits};
use super::numbers::Numbers;
use super::params::ParamSets;
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
    /// One for each thread.
    histories: Vec<History>,
}

impl<const N: usize> Engine<N> {
    /// An engine that has not searched anything yet.
    pub fn new(options: EngineOptions) -> Self {
        let histories = std::iter::repeat_with(History::default);
        Self {
            options,
            table: Table::new(options.hash_mib),
            base: Numbers::new(options.params.base),
            cards: Numbers::new(options.params.cards),
            histories: histories.take(options.threads.max(1)).collect(),
        }
    }

    /// Forgets everything, so that the next search is as that of a new engine.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.fill_with(History::default);
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
        self.table
            .make_room(limits.expected_nodes(self.histories.len()));
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
        };
        deepen(&request, &mut self.histories, evaluator, progress)
    }
}
