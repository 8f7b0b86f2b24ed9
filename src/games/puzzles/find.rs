//! Finds puzzles in the boards of games.

use std::sync::atomic::AtomicBool;

use super::proof::wins_at_once;
use super::puzzle::Puzzle;
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, PROVED, WIN};

/// The options of a search for puzzles.
#[derive(Clone, Copy, Debug)]
pub struct FindOptions {
    /// The engine's nodes for each board, to find out whether it is won.
    pub nodes: u64,
    /// The maximum number of nodes that a proof expands.
    pub proof: u64,
    /// The maximum number of plies of the win, and of the losses after other turns.
    pub plies: u32,
    /// The minimum number of turns that do not lose at once. With fewer the puzzle would be
    /// too easy. Ignored if the solution wins at once.
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

/// Finds puzzles.
pub struct Finder<const N: usize> {
    options: FindOptions,
    engine: Engine<N>,
}

/// The engine's table in MiB: its searches are short.
const HASH_MIB: usize = 4;

impl<const N: usize> Finder<N> {
    /// A finder with its own engine.
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

    /// The puzzle on a board; `None` if it is not one. The game must not be won.
    pub fn look_at(&mut self, position: &Position<N>, stop: &AtomicBool) -> Option<Puzzle<N>> {
        let options = self.options;
        self.engine.clear();
        let limits = Limits::nodes(options.nodes);
        let report = self
            .engine
            .search_lines(position, 2, &limits, stop, &mut |_| {});
        let is_won = report.score() >= WIN - options.plies as i32;
        let solution = report.turn().filter(|_| is_won)?;
        // Without a second line, one turn wins at once, or there is only one turn.
        if report
            .lines
            .get(1)
            .is_some_and(|second| second.score > -PROVED)
        {
            return None;
        }
        if !wins_at_once(position, solution) && safe_turns(position) < options.choices {
            return None;
        }
        Puzzle::prove(position, solution, options.plies, options.proof)
    }
}

/// The number of turns that do not lose at once. The more there are, the harder the puzzle.
pub(crate) fn safe_turns<const N: usize>(position: &Position<N>) -> usize {
    let turns = position.turns().into_iter();
    turns.filter(|&turn| !position.play(turn).has_win()).count()
}
