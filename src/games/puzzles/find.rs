//! Finds puzzles in the boards of games.

use std::sync::atomic::AtomicBool;

use super::proof::wins_at_once;
use super::puzzle::Puzzle;
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, PROVED, WIN};

/// What makes a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct FindOptions {
    /// The nodes of the engine for each board, to see whether it is won.
    pub nodes: u64,
    /// The nodes that a proof may expand.
    pub proof: u64,
    /// The most plies of a win, and of the losses of other turns.
    pub plies: u32,
    /// How many turns must not lose at once, at least, unless the puzzle is solved
    /// by a single turn. With fewer it would solve itself.
    pub choices: usize,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self {
            nodes: 20_000,
            proof: 400_000,
            plies: 9,
            choices: 3,
        }
    }
}

/// Looks for puzzles.
pub struct Finder<const N: usize> {
    options: FindOptions,
    engine: Engine<N>,
}

/// The engine's table, in mebibytes: its searches are short.
const HASH_MIB: usize = 4;

impl<const N: usize> Finder<N> {
    /// A finder with an engine of its own.
    pub fn new(options: FindOptions) -> Self {
        let engine = EngineOptions {
            hash_mib: HASH_MIB,
            ..EngineOptions::default()
        };
        Self {
            options,
            engine: Engine::new(engine),
        }
    }

    /// The puzzle on a board, on which nobody has won, if it is one.
    pub fn look_at(&mut self, position: &Position<N>, stop: &AtomicBool) -> Option<Puzzle<N>> {
        let options = self.options;
        self.engine.clear();
        let limits = Limits::nodes(options.nodes);
        let report = self
            .engine
            .search_lines(position, 2, &limits, stop, &mut |_| {});
        let is_won = report.score() >= WIN - options.plies as i32;
        let solution = report.turn().filter(|_| is_won)?;
        // Without a second line there is one turn that wins at once, or no other.
        if report
            .lines
            .get(1)
            .is_some_and(|second| second.score > -PROVED)
        {
            return None;
        }
        if !wins_at_once(position, solution) && self.choices(position) < options.choices {
            return None;
        }
        Puzzle::prove(position, solution, options.plies, options.proof)
    }

    /// How many turns do not lose at once.
    fn choices(&self, position: &Position<N>) -> usize {
        let turns = position.turns().into_iter();
        turns.filter(|&turn| !position.play(turn).has_win()).count()
    }
}
